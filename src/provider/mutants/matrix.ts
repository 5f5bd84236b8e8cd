/** Bugs of the transition matrix and its error codes (contract section 4, steps 1, 3 and 5). */
import type { Mutant } from '../alteration.js';
import { reject } from '../call.js';

/** Transition matrix bugs. */
export const MATRIX: readonly Mutant[] = [
  {
    name: 'failed-precondition-for-wrong-position',
    breaks: 'B201',
    says: 'A call from the wrong place is refused with the code of the fence.',
    alter: (base) => ({
      wrongPosition: (call, machine) =>
        reject('FAILED_PRECONDITION', base.wrongPosition(call, machine).message),
    }),
  },
  {
    name: 'silent-create',
    breaks: 'B207',
    says: 'Create on an unknown id makes a machine of that id.',
    alter: (base) => ({
      existence(call, provider) {
        if (call.kind === 'Create' && provider.fleet.get(call.machineId) === undefined) {
          provider.put({ ...base.seed(1, provider), id: call.machineId });
        }
        return base.existence(call, provider);
      },
    }),
  },
  {
    name: 'partial-transition-on-rejection',
    breaks: 'B201',
    says: 'A Create refused on a Configured machine still moves it to Idle.',
    alter: (base) => ({
      position(call, provider) {
        const refused = base.position(call, provider);
        const machine = provider.fleet.get(call.machineId);
        if (refused !== undefined && call.kind === 'Create' && machine?.state === 'CONFIGURED') {
          provider.put({ ...machine, state: 'IDLE', binding: null });
        }
        return refused;
      },
    }),
  },
  {
    name: 'delete-allowed-on-configured',
    breaks: 'B204',
    says: 'Delete takes a Configured machine away from its cluster.',
    alter: (base) => ({
      starts: (call, machine, provider) =>
        base.starts(call, machine, provider) || (call.kind === 'Delete' && machine.state === 'CONFIGURED'),
      settle: (machine, provider) => {
        const settled = base.settle(machine, provider);
        return settled.state === 'SPECULATIVE' ? { ...settled, binding: null } : settled;
      },
    }),
  },
];
