/** Bugs of the lifecycle: what a machine passes through on its way (contract section 3). */
import { MachineState } from '../../wire/gen/provider.js';
import type { Mutant } from '../alteration.js';
import type { Machine, State } from '../machine.js';
import type { Provider } from '../provider.js';
import { wireState } from '../record.js';
import { type Alter, later, settling, showing } from './support.js';

/** Milliseconds a machine spends in a state it should not be in: long enough to be seen by a poll. */
const FLASH_MS = 8;

/** Lifecycle bugs. */
export const LIFECYCLE: readonly Mutant[] = [
  {
    name: 'wrong-transitional-state',
    breaks: 'B103',
    says: 'A machine shows DRAINING while it is being configured.',
    alter: disguised('CONFIGURING', 'DRAINING'),
  },
  {
    name: 'draining-shown-as-configuring',
    breaks: 'B104',
    says: 'A machine shows CONFIGURING while it is being drained.',
    alter: disguised('DRAINING', 'CONFIGURING'),
  },
  {
    name: 'deleting-shown-as-draining',
    breaks: 'B109',
    says: 'A machine shows DRAINING while it is being deleted.',
    alter: disguised('DELETING', 'DRAINING'),
  },
  {
    name: 'idle-flashes-through-creating',
    breaks: 'B104',
    says: 'A drained machine passes through CREATING before it is Idle.',
    alter: settling('Drain', (settled, _before, provider) => flash(settled, 'CREATING', provider)),
  },
  {
    name: 'configure-flashes-through-idle',
    breaks: 'B105',
    says: 'A machine falls back to Idle for a moment between CONFIGURING and Configured.',
    alter: settling('Configure', (settled, _before, provider) => flash(settled, 'IDLE', provider)),
  },
  {
    name: 'create-flashes-through-configured',
    breaks: 'B105',
    says: 'A created machine is Configured for a moment before it is Idle.',
    alter: settling('Create', (settled, _before, provider) => flash(settled, 'CONFIGURED', provider)),
  },
  {
    name: 'configured-flaps',
    breaks: 'B108',
    says: 'A Configured machine goes back to CONFIGURING now and then, on its own.',
    alter: settling('Configure', (settled, _before, provider) => {
      flap(settled, provider);
      return settled;
    }),
  },
  {
    name: 'idle-drains-again',
    breaks: 'B108',
    says: 'A drained machine shows DRAINING once more, a while after it came to rest.',
    alter: settling('Drain', (settled, _before, provider) => {
      later(
        20,
        settled,
        provider,
        (now) => ({ ...now, state: 'DRAINING' }),
        () => later(FLASH_MS, settled, provider, (now) => ({ ...now, state: 'IDLE' })),
      );
      return settled;
    }),
  },
  {
    name: 'read-in-flight-is-cached',
    breaks: 'B107',
    says: 'A Get that sees a transition keeps its answer, and repeats it after the machine has settled.',
    alter(base) {
      const cache = new Map<string, ReturnType<typeof base.view>>();
      return {
        view(machine, seen, provider) {
          if (seen !== 'get') return base.view(machine, seen, provider);
          const record = cache.get(machine.carriedBy?.id ?? '') ?? base.view(machine, seen, provider);
          if (record.state === MachineState.MACHINE_STATE_CONFIGURING && machine.carriedBy !== null) {
            cache.set(machine.carriedBy.id, record);
          }
          return record;
        },
      };
    },
  },
  {
    name: 'second-drain-never-settles',
    breaks: 'B104',
    says: 'The second Drain of a machine stays DRAINING for ever.',
    alter: settling('Drain', (settled, before) => (before.accepted.Drain === 2 ? before : settled)),
  },
];

/** Shows one state as another. */
function disguised(actual: State, shown: State): Alter {
  return showing((record, machine) =>
    machine.state === actual ? { ...record, state: wireState(shown) } : record,
  );
}

/** The machine in another state for a moment, before it becomes what it settled to. */
function flash(settled: Machine, state: State, provider: Provider): Machine {
  later(FLASH_MS, settled, provider, () => settled);
  return { ...settled, state };
}

function flap(machine: Machine, provider: Provider): void {
  later(
    20,
    machine,
    provider,
    (now) => ({ ...now, state: 'CONFIGURING' }),
    () =>
      later(
        FLASH_MS,
        machine,
        provider,
        (now) => ({ ...now, state: 'CONFIGURED' }),
        () => flap(machine, provider),
      ),
  );
}
