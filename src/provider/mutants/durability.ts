/** Bugs in what a fleet is after a restart (contract section 7, durable lane). */
import type { Mutant } from '../alteration.js';
import { reject } from '../call.js';
import type { Binding, Machine, Operation } from '../machine.js';
import type { Remembered } from '../store.js';
import type { Alter } from './support.js';

/** Bugs of machines, bindings and operations after a restart. */
export const DURABILITY: readonly Mutant[] = [
  {
    name: 'operation-ids-forgotten',
    breaks: 'B1002',
    says: 'After a restart no call is known to have run.',
    alter: recallingMachines((machine) => ({ ...machine, carriedBy: null, led: {} })),
  },
  {
    name: 'operation-ids-of-configure-forgotten',
    breaks: 'B1002',
    says: 'After a restart no Configure is known to have run.',
    alter: recallingMachines((machine) =>
      machine.carriedBy?.kind === 'Configure' ? { ...machine, carriedBy: null } : machine,
    ),
  },
  {
    name: 'operation-ids-renamed',
    breaks: 'B1002',
    says: 'After a restart a retry is answered with another operation id than before.',
    alter: recallingMachines((machine) => ({
      ...machine,
      carriedBy: machine.carriedBy && renamed(machine.carriedBy),
      led: machine.led.Create ? { ...machine.led, Create: renamed(machine.led.Create) } : machine.led,
    })),
  },
  {
    name: 'operation-ids-start-again',
    breaks: 'B1005',
    says: 'Operation ids are numbers, counted from one in every process.',
    alter: () => ({ mint: (_call, _machine, provider) => `op-${provider.nextOperation()}` }),
  },
  {
    name: 'operation-ids-start-again-on-each-machine',
    breaks: 'B1005',
    says: 'Operation ids name machine and call, with a number counted from one in every process.',
    alter() {
      const counts = new Map<string, number>();
      return {
        mint(call, machine) {
          const name = `${machine.id}-${call.kind}`;
          const count = (counts.get(name) ?? 0) + 1;
          counts.set(name, count);
          return `${name}-${count}`;
        },
      };
    },
  },
  {
    name: 'old-cursor-gives-nothing',
    breaks: 'B1005',
    says: 'After a cursor from before the restart, nothing has changed.',
    alter: withOldCursors((base, older) => ({
      since(cursor, provider) {
        const after = base.since(cursor, provider);
        return after > 0 && older(after) ? provider.fleet.head : after;
      },
    })),
  },
  {
    name: 'old-cursor-refused',
    breaks: 'B1005',
    says: 'A cursor from before the restart is refused.',
    alter: withOldCursors((base, older) => ({
      list(query, provider) {
        const after = base.since(query.since, provider);
        return after > 0 && older(after)
          ? reject('OUT_OF_RANGE', 'the cursor is from another life')
          : base.list(query, provider);
      },
    })),
  },
  {
    name: 'binding-forgotten',
    breaks: 'B1003',
    says: 'After a restart a Configured machine belongs to no cluster.',
    alter: recallingBindings(() => null),
  },
  {
    name: 'metadata-forgotten',
    breaks: 'B1003',
    says: 'After a restart a Configured machine still has its cluster, but no map.',
    alter: recallingBindings(({ cluster }) => ({ cluster, metadata: new Map() })),
  },
  {
    name: 'metadata-restored-as-lines',
    breaks: 'B1003',
    says: 'After a restart every value of a map ends at its first control character.',
    alter: recallingBindings(({ cluster, metadata }) => ({
      cluster,
      metadata: new Map([...metadata].map(([key, value]) => [key, value.split(/\p{Cc}/u, 1)[0] ?? ''])),
    })),
  },
  {
    name: 'metadata-restored-without-empty-values',
    breaks: 'B1003',
    says: 'After a restart the entries of a map that have an empty value are gone.',
    alter: recallingBindings(({ cluster, metadata }) => ({
      cluster,
      metadata: new Map([...metadata].filter(([, value]) => value !== '')),
    })),
  },
  {
    name: 'first-binding-restored',
    breaks: 'B1003',
    says: 'After a restart a machine belongs to the first cluster it ever belonged to.',
    alter(base) {
      const first = new Map<string, Binding>();
      return {
        persist(change, write, provider) {
          if (!('machine' in change) || change.machine.binding === null) {
            return base.persist(change, write, provider);
          }
          const { machine } = change;
          const binding = first.get(machine.id) ?? change.machine.binding;
          first.set(machine.id, binding);
          base.persist({ machine: { ...machine, binding } }, write, provider);
        },
      };
    },
  },
  {
    name: 'binding-back-after-restart',
    breaks: 'B1003',
    says: 'After a restart a drained machine belongs to the cluster again that it was drained from.',
    alter(base) {
      const last = new Map<string, Binding>();
      return {
        persist(change, write, provider) {
          if (!('machine' in change)) return base.persist(change, write, provider);
          const { machine } = change;
          if (machine.binding !== null) last.set(machine.id, machine.binding);
          const binding = last.get(machine.id) ?? null;
          base.persist({ machine: { ...machine, binding } }, write, provider);
        },
      };
    },
  },
];

/** Changes what a provider takes up of what its store kept. */
export function recalling(change: (remembered: Remembered) => Remembered): Alter {
  return (base) => ({ recall: (remembered) => change(base.recall(remembered)) });
}

/** Changes what every machine is after a restart. */
export function recallingMachines(change: (machine: Machine) => Machine): Alter {
  return recalling((remembered) => ({ ...remembered, machines: remembered.machines.map(change) }));
}

/** Changes the bindings of Configured machines after a restart. */
function recallingBindings(change: (binding: Binding) => Binding | null): Alter {
  return recallingMachines((machine) =>
    machine.state === 'CONFIGURED' && machine.binding !== null
      ? { ...machine, binding: change(machine.binding) }
      : machine,
  );
}

/** Tells the revisions of an earlier process from those of this one. */
function withOldCursors(
  change: (base: Parameters<Alter>[0], older: (revision: number) => boolean) => ReturnType<Alter>,
): Alter {
  return (base) => {
    let last = -1;
    return {
      ...change(base, (revision) => revision <= last),
      recall(remembered) {
        last = remembered.machines.reduce((latest, { changedAt }) => Math.max(latest, changedAt), 0);
        return base.recall(remembered);
      },
    };
  };
}

function renamed(operation: Operation): Operation {
  return { ...operation, id: `${operation.id}-recovered` };
}
