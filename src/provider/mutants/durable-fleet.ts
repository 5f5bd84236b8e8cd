/** Bugs in which machines come back from a restart, and where they stand then (contract section 7). */
import type { Mutant } from '../alteration.js';
import { isTransitional, type Machine } from '../machine.js';
import { recalling, recallingMachines } from './durability.js';
import type { Alter } from './support.js';

/** How long a lazy store waits before it writes, in milliseconds. */
const LAZY_MS = 300;

/** Inventory bugs after a restart. */
export const DURABLE_FLEET: readonly Mutant[] = [
  {
    name: 'machine-lost',
    breaks: 'B1004',
    says: 'The machine that changed last is lost in a restart.',
    alter: recalling((remembered) => {
      const last = latest(remembered.machines);
      return { ...remembered, machines: remembered.machines.filter((machine) => machine !== last) };
    }),
  },
  {
    name: 'deleted-machine-lost',
    breaks: 'B1004',
    says: 'Machines that were deleted, and are Speculative again, are lost in a restart.',
    alter: recalling((remembered) => ({
      ...remembered,
      machines: remembered.machines.filter(
        ({ state, accepted }) => state !== 'SPECULATIVE' || accepted.Delete === 0,
      ),
    })),
  },
  {
    name: 'machine-doubled',
    breaks: 'B1004',
    says: 'After a restart List has one machine twice.',
    alter(base) {
      let doubled: string | undefined;
      return {
        recall(remembered) {
          doubled = latest(remembered.machines)?.id;
          return base.recall(remembered);
        },
        *select(query, after, provider) {
          for (const machine of base.select(query, after, provider)) {
            yield machine;
            if (machine.id === doubled && query.maxResults === 0) yield machine;
          }
        },
      };
    },
  },
  {
    name: 'settling-not-stored',
    breaks: 'B1004',
    says: 'That a transition has ended is not stored, so a restart fails machines at rest.',
    alter: forgetting((machine) => machine.carriedBy !== null && !isTransitional(machine.state)),
  },
  {
    name: 'delete-undone',
    breaks: 'B1004',
    says: 'A Delete is not stored, so a restart makes the machine Idle again.',
    alter: forgetting((machine) => machine.carriedBy?.kind === 'Delete'),
  },
  {
    name: 'ack-before-durable',
    breaks: 'B1004',
    says: `Changes are written ${LAZY_MS} ms after they were acknowledged.`,
    alter: (base) => ({
      persist(change, write, provider) {
        const sown = 'machine' in change && change.machine.carriedBy === null;
        if (sown || 'founded' in change) return base.persist(change, write, provider);
        provider.scheduler.after(LAZY_MS, () => base.persist(change, write, provider));
      },
    }),
  },
  {
    name: 'restart-fails-configured',
    breaks: 'B1004',
    says: 'A restart fails Configured machines, as if they had been on their way.',
    alter: recallingMachines((machine) =>
      machine.state === 'CONFIGURED'
        ? { ...machine, state: 'FAILED', lastError: 'lost in a restart' }
        : machine,
    ),
  },
  {
    name: 'restart-forgets-failures',
    breaks: 'B1004',
    says: 'A restart makes FAILED machines Speculative.',
    alter: recallingMachines((machine) =>
      machine.state === 'FAILED'
        ? { ...machine, state: 'SPECULATIVE', host: null, binding: null, lastError: '' }
        : machine,
    ),
  },
  {
    name: 'transitional-after-restart',
    breaks: 'B1006',
    says: 'A machine that was on its way when the process ended stays on its way.',
    alter: () => ({ interrupt: (machine) => machine }),
  },
  {
    name: 'drain-stuck-after-restart',
    breaks: 'B1006',
    says: 'A machine that was DRAINING when the process ended stays DRAINING.',
    alter: (base) => ({
      interrupt: (machine, provider) =>
        machine.state === 'DRAINING' ? machine : base.interrupt(machine, provider),
    }),
  },
  {
    name: 'interruption-unexplained',
    breaks: 'B1006',
    says: 'A machine that was on its way when the process ended is FAILED without a last_error.',
    alter: (base) => ({
      interrupt: (machine, provider) => ({ ...base.interrupt(machine, provider), lastError: '' }),
    }),
  },
  {
    name: 'interrupted-configure-half-done',
    breaks: 'B1006',
    says: 'A machine that was CONFIGURING when the process ended is Idle, and belongs to the cluster.',
    alter: (base) => ({
      interrupt: (machine, provider) =>
        machine.state === 'CONFIGURING' ? { ...machine, state: 'IDLE' } : base.interrupt(machine, provider),
    }),
  },
];

/** Does not hand some machines to the store. */
function forgetting(forgets: (machine: Machine) => boolean): Alter {
  return (base) => ({
    persist(change, write, provider) {
      if (!('machine' in change) || !forgets(change.machine)) base.persist(change, write, provider);
    },
  });
}

function latest(machines: readonly Machine[]): Machine | undefined {
  return machines.reduce<Machine | undefined>(
    (last, machine) => (last !== undefined && last.changedAt > machine.changedAt ? last : machine),
    undefined,
  );
}
