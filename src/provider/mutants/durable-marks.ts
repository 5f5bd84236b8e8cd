/** Bugs in what is left of the fence after a restart (contract section 7, durable lane). */
import type { Mutant } from '../alteration.js';
import type { Token } from '../call.js';
import { passes } from '../fence.js';
import { recalling } from './durability.js';
import type { Alter } from './support.js';

type Mark = readonly [key: string, token: Token];

/** Fencing bugs after a restart. */
export const DURABLE_MARKS: readonly Mutant[] = [
  {
    name: 'marks-forgotten',
    breaks: 'B1001',
    says: 'A restart forgets all marks.',
    alter: recallingMarks(() => []),
  },
  {
    name: 'sequence-of-mark-forgotten',
    breaks: 'B1001',
    says: 'After a restart a mark has its epoch, and sequence number 0.',
    alter: recallingMarks((marks) => marks.map(([key, token]): Mark => [key, { ...token, sequence: 0n }])),
  },
  {
    name: 'mark-restored-as-double',
    breaks: 'B1001',
    says: 'After a restart a sequence number above 2^53 is rounded down to a double.',
    alter: recallingMarks((marks) =>
      marks.map(([key, token]): Mark => [key, { ...token, sequence: roundedDown(token.sequence) }]),
    ),
  },
  {
    name: 'marks-of-unknown-machines-forgotten',
    breaks: 'B1001',
    says: 'A restart forgets the marks of machines that do not exist.',
    alter: recalling((remembered) => {
      const ids = new Set(remembered.machines.map(({ id }) => id));
      return { ...remembered, marks: [...remembered.marks].filter(([key]) => ids.has(machineOf(key))) };
    }),
  },
  {
    name: 'marks-of-refused-calls-forgotten',
    breaks: 'B1001',
    says: 'A mark is stored when its call starts something, so a restart forgets those of refused calls.',
    alter: (base) => ({
      fence: (call, provider) =>
        base.fence(call, { ...provider, mark: (key, token) => provider.marks.set(key, token) }),
      accept(call, machine, provider) {
        const token = base.tokenOf(call);
        if (token !== undefined) provider.mark(base.markKey(token, call.machineId), token);
        return base.accept(call, machine, provider);
      },
    }),
  },
  {
    name: 'marks-forgotten-by-second-restart',
    breaks: 'B1001',
    says: 'A process that took a fleet up does not store marks, so the next restart forgets its own.',
    alter(base) {
      let restarted = false;
      return {
        recall(remembered) {
          restarted = true;
          return base.recall(remembered);
        },
        persist(change, write, provider) {
          if (!restarted || !('mark' in change)) base.persist(change, write, provider);
        },
      };
    },
  },
  {
    name: 'marks-collapsed-to-one',
    breaks: 'B1007',
    says: 'After a restart the highest mark of all holds for every shard and machine.',
    alter: collapsing(() => ['*', '*']),
  },
  {
    name: 'marks-collapsed-per-machine',
    breaks: 'B1007',
    says: 'After a restart the highest mark of a machine holds for every shard.',
    alter: collapsing((_shard, machineId) => ['*', machineId]),
  },
  {
    name: 'marks-collapsed-per-shard',
    breaks: 'B1007',
    says: 'After a restart the highest mark of a shard holds for every machine.',
    alter: collapsing((shard) => [shard, '*']),
  },
];

/** Changes what is left of the marks after a restart. */
function recallingMarks(change: (marks: readonly Mark[]) => readonly Mark[]): Alter {
  return recalling((remembered) => ({ ...remembered, marks: change([...remembered.marks]) }));
}

/** From the first restart on, keeps marks under fewer keys. */
function collapsing(keyOf: (shard: string, machineId: string) => readonly [string, string]): Alter {
  return (base) => {
    let restarted = false;
    return {
      markKey: (token, machineId) =>
        restarted ? JSON.stringify(keyOf(token.shard, machineId)) : base.markKey(token, machineId),
      recall(remembered) {
        restarted = true;
        const highest = new Map<string, Token>();
        for (const [key, token] of remembered.marks) {
          const collapsed = JSON.stringify(keyOf(token.shard, machineOf(key)));
          if (passes(token, highest.get(collapsed))) highest.set(collapsed, token);
        }
        return { ...base.recall(remembered), marks: highest };
      },
    };
  };
}

/** The machine that a mark's key is about. */
function machineOf(key: string): string {
  const [, machineId = '']: readonly string[] = JSON.parse(key);
  return machineId;
}

function roundedDown(sequence: bigint): bigint {
  const double = BigInt(Number(sequence));
  return double > sequence ? BigInt(Number(sequence) - 1024) : double;
}
