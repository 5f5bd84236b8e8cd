/** Bugs that show once in hundreds of cycles, or only while many machines move (contract section 7, scale lane). */
import type { Mutant } from '../alteration.js';
import { seed } from '../inventory.js';
import type { Machine, State } from '../machine.js';
import type { Provider } from '../provider.js';
import { isLarge } from './scale.js';
import { type Alter, settling } from './support.js';

/** How many Drains of the whole fleet it takes. */
const CYCLES = 500;
/** How many times one machine is drained before it shows wear. */
const WORN_AFTER = 8;
/** How many accepted mutations it takes. */
const MUTATIONS = 250;
/** How many machines on their way make a load, and how many calls pass under load between two accidents. */
const LOAD = 4;
const ACCIDENT_EVERY = 16;

/** Bugs of long runs and heavy load. */
export const SOAK: readonly Mutant[] = [
  {
    name: 'residue-leaks-once-in-500-cycles',
    breaks: 'B1104',
    says: `Every ${CYCLES}th Drain leaves the cluster on its machine.`,
    alter: everyDrain(CYCLES, (settled, before) => ({
      ...settled,
      binding: { cluster: before.binding?.cluster ?? '', metadata: new Map() },
    })),
  },
  {
    name: 'map-leaks-from-worn-machine',
    breaks: 'B1104',
    says: `A machine that was drained ${WORN_AFTER} times keeps its map.`,
    alter: settling('Drain', (settled, before) =>
      before.accepted.Drain < WORN_AFTER
        ? settled
        : { ...settled, binding: { cluster: '', metadata: before.binding?.metadata ?? new Map() } },
    ),
  },
  {
    name: 'machine-vanishes-in-soak',
    breaks: 'B1105',
    says: `Every ${CYCLES}th Drain makes the machine disappear that has not changed for longest.`,
    alter(base) {
      const gone = new Set<string>();
      return {
        ...everyDrain(CYCLES, (settled, _before, provider) => {
          for (const machine of provider.fleet.all()) {
            if (gone.has(machine.id)) continue;
            gone.add(machine.id);
            break;
          }
          return settled;
        })(base),
        get: (id, provider) => base.get(gone.has(id) ? `${id} is gone` : id, provider),
        matches: (query, machine) => base.matches(query, machine) && !gone.has(machine.id),
      };
    },
  },
  {
    name: 'machine-appears-in-soak',
    breaks: 'B1105',
    says: `Every ${CYCLES}th Drain adds a machine that nobody asked for.`,
    alter: everyDrain(CYCLES, (settled, _before, provider) => {
      provider.put(seed(provider.fleet.size + 1));
      return settled;
    }),
  },
  {
    name: 'operation-id-collides-under-load',
    breaks: 'B1108',
    says: `In a large fleet and under load, every ${ACCIDENT_EVERY}th operation has the id of the one before.`,
    alter: underLoad((base, accident) => {
      let latest: string | undefined;
      return {
        mint(call, machine, provider) {
          latest = (accident(provider) ? latest : undefined) ?? base.mint(call, machine, provider);
          return latest;
        },
      };
    }),
  },
  {
    name: 'create-lost-under-load',
    breaks: 'B1108',
    says: `In a large fleet and under load, every ${ACCIDENT_EVERY}th machine that is created never gets Idle.`,
    alter: underLoad((base, accident) => ({
      settle: (machine, provider) =>
        machine.state === 'CREATING' && accident(provider) ? machine : base.settle(machine, provider),
    })),
  },
  {
    name: 'idle-machine-drifts',
    breaks: 'B1109',
    says: `Every ${MUTATIONS}th mutation sends the machine on its way that has been at rest for longest.`,
    alter: drifting((machine) => ({
      ...machine,
      state: machine.state === 'IDLE' ? 'DELETING' : 'DRAINING',
    })),
  },
  {
    name: 'idle-machine-fails-in-soak',
    breaks: 'B1109',
    says: `Every ${MUTATIONS}th mutation fails the machine that has been at rest for longest.`,
    alter: drifting((machine) => ({ ...machine, state: 'FAILED', lastError: 'heartbeat lost' })),
  },
];

/** Changes what a machine is after every n-th Drain of the whole fleet. */
function everyDrain(
  n: number,
  change: (settled: Machine, before: Machine, provider: Provider) => Machine,
): Alter {
  return (base) => {
    let drains = 0;
    return settling('Drain', (settled, before, provider) => {
      drains += 1;
      return drains % n === 0 ? change(settled, before, provider) : settled;
    })(base);
  };
}

/** Makes an accident of some decisions while several machines are on their way at once. */
function underLoad(
  change: (base: Parameters<Alter>[0], accident: (provider: Provider) => boolean) => ReturnType<Alter>,
): Alter {
  return (base) => {
    const moving = new Set<string>();
    let decisions = 0;
    const accident = (provider: Provider) => {
      if (!isLarge(provider) || moving.size < LOAD) return false;
      decisions += 1;
      return decisions % ACCIDENT_EVERY === 0;
    };
    const changed = change(base, accident);
    const settle = changed.settle ?? base.settle;
    return {
      ...changed,
      enter(call, machine, operation, provider) {
        moving.add(machine.id);
        return base.enter(call, machine, operation, provider);
      },
      settle(machine, provider) {
        const settled = settle(machine, provider);
        moving.delete(machine.id);
        return settled;
      },
    };
  };
}

const AT_REST: ReadonlySet<State> = new Set(['IDLE', 'CONFIGURED']);

/** Changes a machine at rest with every n-th mutation of others. */
function drifting(change: (machine: Machine) => Machine): Alter {
  return (base) => {
    let mutations = 0;
    return {
      accept(call, machine, provider) {
        const ack = base.accept(call, machine, provider);
        mutations += 1;
        if (mutations % MUTATIONS !== 0) return ack;
        for (const other of provider.fleet.all()) {
          if (!AT_REST.has(other.state)) continue;
          provider.put(change(other));
          break;
        }
        return ack;
      },
    };
  };
}
