/** Bugs of the fence (contract section 4, step 2). */
import type { Mutant } from '../alteration.js';
import type { Token } from '../call.js';
import { begin, check } from '../policies.js';

/** Fencing bugs that break the plain rule. */
export const FENCING: readonly Mutant[] = [
  {
    name: 'mark-per-shard',
    breaks: 'B302',
    says: 'One mark for a shard: its sequence on one machine fences its lower one on another.',
    alter: () => ({ markKey: (token) => token.shard }),
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
    alter: () => ({ order: ['shape', 'existence', 'idempotency', 'fence', 'position'] }),
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
    name: 'mark-not-advanced-when-op-fails',
    breaks: 'B311',
    says: 'The mark moves only for calls that succeed.',
    alter: (base) => ({
      fence: (call, provider) => base.fence(call, { ...provider, mark: () => undefined }),
      mutate(call, provider) {
        const reply = check(call, provider) ?? begin(call, provider);
        const token = base.tokenOf(call);
        if (reply.ok && token !== undefined) provider.mark(base.markKey(token, call.machineId), token);
        return reply;
      },
    }),
  },
  {
    name: 'sequence-compared-as-double',
    breaks: 'B212',
    says: 'Tokens are compared as doubles, so neighbours above 2^53 are equal.',
    alter: (base) => ({
      passes: (token, mark) => base.passes(asDouble(token), mark && asDouble(mark)),
    }),
  },
];

function asDouble(token: Token): Token {
  const rounded = (value: bigint) => BigInt(Number(value));
  return { ...token, epoch: rounded(token.epoch), sequence: rounded(token.sequence) };
}
