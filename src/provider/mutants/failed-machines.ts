/** Bugs with machines that have failed, which are to stay as they are (contract section 3). */
import type { Mutant } from '../alteration.js';
import { reject } from '../call.js';
import type { Machine } from '../machine.js';
import { type Alter, refusing, showing, startingFrom } from './support.js';

/** Bugs after the failure. */
export const FAILED_MACHINES: readonly Mutant[] = [
  {
    name: 'failed-recovers-in-place',
    breaks: 'B705',
    says: 'A FAILED machine can be configured again.',
    alter: reviving('Configure'),
  },
  {
    name: 'create-revives-failed',
    breaks: 'B705',
    says: 'A FAILED machine can be created again.',
    alter: reviving('Create'),
  },
  {
    name: 'drain-revives-failed',
    breaks: 'B705',
    says: 'A FAILED machine can be drained, and is Idle then.',
    alter: reviving('Drain'),
  },
  {
    name: 'delete-clears-failed',
    breaks: 'B705',
    says: 'A FAILED machine can be deleted.',
    alter: reviving('Delete'),
  },
  {
    name: 'failed-retry-succeeds',
    breaks: 'B705',
    says: 'The call that failed is answered with success when it is repeated.',
    alter: (base) => ({
      replay(call, machine, provider) {
        const repeats = machine.state === 'FAILED' && machine.carriedBy?.kind === call.kind;
        return base.replay(call, machine, provider) ?? (repeats ? machine.carriedBy?.id : undefined);
      },
    }),
  },
  {
    name: 'failed-refuses-like-the-fence',
    breaks: 'B705',
    says: 'A FAILED machine refuses every call with the code of the fence.',
    alter: refusing('FAILED_PRECONDITION', (_call, machine) => machine.state === 'FAILED'),
  },
  {
    name: 'refusal-rewrites-last-error',
    breaks: 'B705',
    says: 'A call that a FAILED machine refuses is noted in its last_error.',
    alter: (base) => ({
      position(call, provider) {
        const refused = base.position(call, provider);
        const machine = provider.fleet.get(call.machineId);
        if (refused?.ok === false && machine?.state === 'FAILED') {
          provider.put({ ...machine, lastError: refused.message });
        }
        return refused;
      },
    }),
  },
  {
    name: 'last-error-rewritten',
    breaks: 'B707',
    says: 'Every Get of a FAILED machine finds another last_error.',
    alter(base) {
      let looks = 0;
      const counting = showing((record, machine, seen) => {
        if (machine.state !== 'FAILED' || seen !== 'get') return record;
        looks += 1;
        return { ...record, lastError: `${record.lastError} (look ${looks})` };
      });
      return counting(base);
    },
  },
  {
    name: 'last-error-shown-once',
    breaks: 'B707',
    says: 'Only the first Get of a FAILED machine finds the whole last_error, the next ones its first word.',
    alter(base) {
      const shown = new Set<string>();
      const once = showing((record, machine, seen) => {
        if (machine.state !== 'FAILED' || seen !== 'get') return record;
        const [first = ''] = record.lastError.split(' ', 1);
        if (shown.has(machine.id)) return { ...record, lastError: first };
        shown.add(machine.id);
        return record;
      });
      return once(base);
    },
  },
  {
    name: 'last-error-missing-in-list',
    breaks: 'B707',
    says: 'List leaves out the last_error that Get shows.',
    alter: showing((record, machine, seen) =>
      machine.state === 'FAILED' && seen === 'list' ? { ...record, lastError: '' } : record,
    ),
  },
  {
    name: 'failed-missing-in-list',
    breaks: 'B707',
    says: 'List leaves FAILED machines out.',
    alter: (base) => ({
      matches: (query, machine) => base.matches(query, machine) && machine.state !== 'FAILED',
    }),
  },
  {
    name: 'failed-cannot-be-read',
    breaks: 'B707',
    says: 'Get of a FAILED machine is answered with its error instead of its record.',
    alter: (base) => ({
      get(id, provider) {
        const machine = provider.fleet.get(id);
        return machine?.state === 'FAILED' ? reject('INTERNAL', machine.lastError) : base.get(id, provider);
      },
    }),
  },
];

/** Lets a kind of call start from FAILED, with a clean slate. */
function reviving(kind: Parameters<typeof startingFrom>[0]): Alter {
  return (base) => ({
    ...startingFrom(kind, 'FAILED')(base),
    enter: (call, machine, operation, provider) =>
      base.enter(call, machine.state === 'FAILED' ? cleaned(machine) : machine, operation, provider),
  });
}

function cleaned(machine: Machine): Machine {
  return { ...machine, lastError: '' };
}
