/** Bugs of the fence's plain rule (contract section 4, step 2). */
import type { Mutant } from '../alteration.js';
import type { Mutation, Token } from '../call.js';
import { reject } from '../call.js';
import type { Machine } from '../machine.js';
import type { Provider } from '../provider.js';
import { type Alter, run } from './support.js';

/** Fencing bugs. */
export const FENCING: readonly Mutant[] = [
  {
    name: 'mark-per-shard',
    breaks: 'B302',
    says: 'One mark for a shard: its sequence on one machine fences its lower one on another.',
    alter: () => ({ markKey: (token) => token.shard }),
  },
  {
    name: 'mark-per-machine',
    breaks: 'B302',
    says: 'One mark for a machine: the shards that use it fence each other.',
    alter: () => ({ markKey: (_token, machineId) => machineId }),
  },
  {
    name: 'mark-global',
    breaks: 'B302',
    says: 'One mark for all shards and machines.',
    alter: () => ({ markKey: () => 'the one mark' }),
  },
  {
    name: 'fence-after-not-found',
    breaks: 'B301',
    says: 'An unknown machine is NOT_FOUND before its token is looked at.',
    alter: () => ({ order: ['shape', 'existence', 'fence', 'idempotency', 'position'] }),
  },
  {
    name: 'fence-after-idempotency',
    breaks: 'B306',
    says: 'A retry gets its cached operation id even with a stale token.',
    alter: () => ({ order: ['shape', 'idempotency', 'fence', 'existence', 'position'] }),
  },
  {
    name: 'configure-retry-skips-fence',
    breaks: 'B306',
    says: 'A Configure repeated on its Configured machine is not fenced.',
    alter: unfencedWhen((call, machine) => call.kind === 'Configure' && machine?.state === 'CONFIGURED'),
  },
  {
    name: 'drain-retry-skips-fence',
    breaks: 'B307',
    says: 'A Drain repeated on its drained machine is not fenced.',
    alter: unfencedWhen((call, machine) => call.kind === 'Drain' && machine?.carriedBy?.kind === 'Drain'),
  },
  {
    name: 'drain-skips-fence',
    breaks: 'B303',
    says: 'Drain is not fenced at all.',
    alter: unfencedWhen((call) => call.kind === 'Drain'),
  },
  {
    name: 'mark-advanced-on-rejection',
    breaks: 'B303',
    says: 'A token that the fence refuses becomes the mark all the same.',
    alter: (base) => ({
      fence(call, provider) {
        const refused = base.fence(call, provider);
        const token = base.tokenOf(call);
        if (refused !== undefined && token !== undefined) {
          provider.mark(provider.policies.markKey(token, call.machineId), token);
        }
        return refused;
      },
    }),
  },
  {
    name: 'equal-token-passes',
    breaks: 'B303',
    says: 'A token equal to the mark passes.',
    alter: (base) => ({
      passes: (token, mark) =>
        base.passes(token, mark) || (token.epoch === mark?.epoch && token.sequence === mark.sequence),
    }),
  },
  {
    name: 'sequence-not-reset-by-epoch',
    breaks: 'B303',
    says: 'A higher epoch passes only with a higher sequence number.',
    alter: (base) => ({
      passes: (token, mark) =>
        base.passes(token, mark) && (mark === undefined || token.sequence > mark.sequence),
    }),
  },
  {
    name: 'old-epoch-passes-with-high-sequence',
    breaks: 'B303',
    says: 'A token of an older epoch passes with a higher sequence number.',
    alter: (base) => ({
      passes: (token, mark) =>
        base.passes(token, mark) || (mark !== undefined && token.sequence > mark.sequence),
    }),
  },
  {
    name: 'lower-sequence-passes-in-same-epoch',
    breaks: 'B303',
    says: 'Within an epoch every sequence number but the last one passes.',
    alter: (base) => ({
      passes: (token, mark) =>
        base.passes(token, mark) || (token.epoch === mark?.epoch && token.sequence !== mark.sequence),
    }),
  },
  {
    name: 'reads-fenced',
    breaks: 'B305',
    says: 'Get on a machine fails as fenced while the latest call on it was fenced out.',
    alter(base) {
      const fenced = new Set<string>();
      return {
        fence(call, provider) {
          const refused = base.fence(call, provider);
          if (refused === undefined) fenced.delete(call.machineId);
          else fenced.add(call.machineId);
          return refused;
        },
        get: (id, provider) =>
          fenced.has(id) ? reject('FAILED_PRECONDITION', 'fenced: stale reader') : base.get(id, provider),
      };
    },
  },
  {
    name: 'zero-token-is-a-token',
    breaks: 'B308',
    says: 'A call without a token is fenced as one of a nameless shard, so the second is refused.',
    alter: () => ({ tokenOf: (call) => call.token }),
  },
  {
    name: 'zero-token-fenced-after-marked-call',
    breaks: 'B308',
    says: 'Once a machine was called with a token, calls without one are refused.',
    alter(base) {
      const marked = new Set<string>();
      return {
        fence(call, provider) {
          if (base.tokenOf(call) !== undefined) {
            marked.add(call.machineId);
            return base.fence(call, provider);
          }
          return marked.has(call.machineId) ? reject('FAILED_PRECONDITION', 'fenced: no token') : undefined;
        },
      };
    },
  },
  {
    name: 'mark-one-ahead',
    breaks: 'B309',
    says: 'A Create moves the mark one beyond its token, so the next call of the session is refused.',
    alter: (base) => ({
      fence: (call, provider) =>
        base.fence(call, call.kind === 'Create' ? { ...provider, mark: ahead(provider) } : provider),
    }),
  },
  {
    name: 'mark-not-advanced-when-op-fails',
    breaks: 'B311',
    says: 'The mark moves only for calls that succeed.',
    alter: (base) => ({
      fence: (call, provider) => base.fence(call, { ...provider, mark: () => undefined }),
      mutate(call, provider) {
        const reply = run(call, provider);
        const token = base.tokenOf(call);
        if (reply.ok && token !== undefined) provider.mark(base.markKey(token, call.machineId), token);
        return reply;
      },
    }),
  },
  {
    name: 'create-moves-no-mark',
    breaks: 'B303',
    says: 'Create is fenced, but does not move the mark.',
    alter: (base) => ({
      fence: (call, provider) =>
        base.fence(call, call.kind === 'Create' ? { ...provider, mark: () => undefined } : provider),
    }),
  },
];

/** Lets some calls through without looking at their token; they leave the mark alone. */
function unfencedWhen(exempt: (call: Mutation, machine: Machine | undefined) => boolean): Alter {
  return (base) => ({
    fence: (call, provider) =>
      exempt(call, provider.fleet.get(call.machineId)) ? undefined : base.fence(call, provider),
  });
}

function ahead(provider: Provider) {
  return (key: string, token: Token) => provider.mark(key, { ...token, sequence: token.sequence + 1n });
}
