/** Bugs of the fence that show only for some numbers, or only after some history. */
import type { Mutant } from '../alteration.js';
import type { Token } from '../call.js';

/** How many refusals in a row wear a mark out. */
const PATIENCE = 5;

/** Fencing bugs that a few plain tokens do not find. */
export const FENCING_RARELY: readonly Mutant[] = [
  {
    name: 'sequence-compared-as-double',
    breaks: 'B312',
    says: 'Tokens are compared as doubles, so neighbours above 2^53 are equal.',
    alter: (base) => ({ passes: (token, mark) => base.passes(asDouble(token), mark && asDouble(mark)) }),
  },
  {
    name: 'int64-max-overflows',
    breaks: 'B212',
    says: 'The mark is kept as the next sequence number expected, which overflows after the largest.',
    alter: (base) => ({
      passes: (token, mark) =>
        base.passes(token, mark) ||
        (token.epoch === mark?.epoch && token.sequence >= BigInt.asIntN(64, mark.sequence + 1n)),
    }),
  },
  {
    name: 'sequence-in-32-bits',
    breaks: 'B312',
    says: 'Sequence numbers are compared by their lower 32 bits, signed.',
    alter: (base) => ({ passes: (token, mark) => base.passes(narrow(token), mark && narrow(mark)) }),
  },
  {
    name: 'after-epoch-change-only-sequence-counts',
    breaks: 'B310',
    says: 'Once the epoch of a mark has risen, an older epoch passes with a higher sequence number.',
    alter(base) {
      const renewed = new WeakSet<Token>();
      return {
        passes(token, mark) {
          if (mark === undefined) return true;
          if (renewed.has(mark) && token.epoch < mark.epoch) return token.sequence > mark.sequence;
          const passes = base.passes(token, mark);
          if (passes && (token.epoch > mark.epoch || renewed.has(mark))) renewed.add(token);
          return passes;
        },
      };
    },
  },
  {
    name: 'new-epoch-needs-a-gap',
    breaks: 'B310',
    says: 'An epoch that is only one higher is taken for the old one.',
    alter: (base) => ({
      passes: (token, mark) =>
        base.passes(token, mark) &&
        (mark === undefined || token.epoch !== mark.epoch + 1n || token.sequence > mark.sequence),
    }),
  },
  {
    name: 'mark-worn-out-by-refusals',
    breaks: 'B1201',
    says: `After ${PATIENCE} refusals in a row, the next token passes whatever it is.`,
    alter(base) {
      const refusals = new Map<string, number>();
      return {
        fence(call, provider) {
          const token = base.tokenOf(call);
          if (token === undefined) return undefined;
          const key = provider.policies.markKey(token, call.machineId);
          const count = refusals.get(key) ?? 0;
          const refused = count < PATIENCE ? base.fence(call, provider) : undefined;
          refusals.set(key, refused === undefined ? 0 : count + 1);
          if (count >= PATIENCE) provider.mark(key, token);
          return refused;
        },
      };
    },
  },
  {
    name: 'far-ahead-is-refused',
    breaks: 'B312',
    says: 'A sequence number more than a million ahead of the mark is refused as a mistake.',
    alter: (base) => ({
      passes: (token, mark) =>
        base.passes(token, mark) &&
        !(token.epoch === mark?.epoch && token.sequence - mark.sequence > 1_000_000n),
    }),
  },
  {
    name: 'sequence-compared-as-text',
    breaks: 'B312',
    says: 'Sequence numbers are compared as text, so 10 is older than 9.',
    alter: (base) => ({
      passes: (token, mark) =>
        token.epoch === mark?.epoch
          ? String(token.sequence) > String(mark.sequence)
          : base.passes(token, mark),
    }),
  },
  {
    name: 'sixteenth-token-not-marked',
    breaks: 'B1201',
    says: 'The sixteenth token that passes on a machine does not move the mark.',
    alter(base) {
      const passed = new Map<string, number>();
      return {
        fence: (call, provider) =>
          base.fence(call, {
            ...provider,
            mark(key, token) {
              const count = (passed.get(key) ?? 0) + 1;
              passed.set(key, count);
              if (count !== 16) provider.mark(key, token);
            },
          }),
      };
    },
  },
  {
    name: 'marks-forgotten-when-shards-alternate',
    breaks: 'B302',
    says: 'When another shard than the last one calls a machine, all its marks are forgotten.',
    alter(base) {
      const holders = new Map<string, string>();
      const reigns = new Map<string, number>();
      return {
        markKey(token, machineId) {
          const changes = holders.has(machineId) && holders.get(machineId) !== token.shard;
          const reign = (reigns.get(machineId) ?? 0) + (changes ? 1 : 0);
          holders.set(machineId, token.shard);
          reigns.set(machineId, reign);
          return `${base.markKey(token, machineId)} in reign ${reign}`;
        },
      };
    },
  },
  {
    name: 'delete-forgets-marks',
    breaks: 'B303',
    says: 'A machine that is deleted loses its marks.',
    alter(base) {
      const lives = new Map<string, number>();
      return {
        markKey: (token, machineId) =>
          `${base.markKey(token, machineId)} in life ${lives.get(machineId) ?? 0}`,
        settle(machine, provider) {
          if (machine.state === 'DELETING') lives.set(machine.id, machine.accepted.Delete);
          return base.settle(machine, provider);
        },
      };
    },
  },
];

function asDouble(token: Token): Token {
  const rounded = (value: bigint) => BigInt(Number(value));
  return { ...token, epoch: rounded(token.epoch), sequence: rounded(token.sequence) };
}

function narrow(token: Token): Token {
  return { ...token, sequence: BigInt.asIntN(32, token.sequence) };
}
