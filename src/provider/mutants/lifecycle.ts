/** Bugs of the lifecycle: what a machine passes through and what it keeps (contract section 3). */
import type { Mutant } from '../alteration.js';

/** Lifecycle bugs. */
export const LIFECYCLE: readonly Mutant[] = [
  {
    name: 'cluster-survives-drain',
    breaks: 'B106',
    says: 'A drained machine still names the cluster it belonged to.',
    alter: (base) => ({
      settle(machine, provider) {
        const settled = base.settle(machine, provider);
        const drained = machine.state === 'DRAINING' && machine.binding !== null;
        return drained
          ? { ...settled, binding: { cluster: machine.binding.cluster, metadata: new Map() } }
          : settled;
      },
    }),
  },
  {
    name: 'wrong-transitional-state',
    breaks: 'B103',
    says: 'A machine shows DRAINING while it is being configured.',
    alter: (base) => ({
      enter(call, machine, operation, provider) {
        const entered = base.enter(call, machine, operation, provider);
        return call.kind === 'Configure' ? { ...entered, state: 'DRAINING' } : entered;
      },
    }),
  },
];
