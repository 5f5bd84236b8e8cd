/** The shapes most bugs have: one decision, changed in one case. */
import type { Alteration } from '../alteration.js';
import type { Code, Mutation, Reply } from '../call.js';
import { reject } from '../call.js';
import type { Kind, Machine, State } from '../machine.js';
import { begin, check, type Policies } from '../policies.js';
import type { Provider } from '../provider.js';
import type { Seen } from '../record.js';

/** How an alteration makes its decisions. */
export type Alter = Alteration['alter'];

type MachineRecord = ReturnType<Policies['view']>;

/** Changes what a machine is once a call of a kind has succeeded. */
export function settling(
  kind: Kind,
  change: (settled: Machine, before: Machine, provider: Provider) => Machine,
): Alter {
  return (base) => ({
    settle(machine, provider) {
      const settled = base.settle(machine, provider);
      return machine.carriedBy?.kind === kind ? change(settled, machine, provider) : settled;
    },
  });
}

/** Changes how a record is shown, not what the provider believes. */
export function showing(
  change: (record: MachineRecord, machine: Machine, seen: Seen) => MachineRecord,
): Alter {
  return (base) => ({
    view: (machine, seen, provider) => change(base.view(machine, seen, provider), machine, seen),
  });
}

/** Changes the map that a Configure stores. */
export function storing(
  change: (map: ReadonlyMap<string, string>, machine: Machine) => Iterable<readonly [string, string]>,
): Alter {
  return (base) => ({
    bind(call, machine) {
      const bound = base.bind(call, machine);
      return { ...bound, metadata: new Map(change(bound.metadata, machine)) };
    },
  });
}

/** Lets a kind of call start from a place where it may not. */
export function startingFrom(kind: Kind, state: State): Alter {
  return (base) => ({
    starts: (call, machine, provider) =>
      base.starts(call, machine, provider) || (call.kind === kind && machine.state === state),
  });
}

/** Gives the refusal of a call from the wrong place another code in one case. */
export function refusing(code: Code, when: (call: Mutation, machine: Machine) => boolean): Alter {
  return (base) => ({
    wrongPosition(call, machine) {
      const refused = base.wrongPosition(call, machine);
      return when(call, machine) ? reject(code, refused.message) : refused;
    },
  });
}

/** Answers some retries with an operation id of their own. */
export function mintingAgain(when: (call: Mutation, machine: Machine) => boolean): Alter {
  return (base) => ({
    replay(call, machine, provider) {
      const operationId = base.replay(call, machine, provider);
      return operationId !== undefined && when(call, machine)
        ? base.mint(call, machine, provider)
        : operationId;
    },
  });
}

/** A mutating call as it should run, for a bug that happens before or after it. */
export function run(call: Mutation, provider: Provider): Reply {
  return check(call, provider) ?? begin(call, provider);
}

/** Changes a machine a while later, unless another operation has taken it over by then. */
export function later(
  ms: number,
  machine: Machine,
  provider: Provider,
  change: (now: Machine) => Machine,
  then: () => void = () => undefined,
): void {
  provider.scheduler.after(ms, () => {
    const now = provider.fleet.get(machine.id);
    if (now === undefined || now.carriedBy !== machine.carriedBy) return;
    provider.put(change(now));
    then();
  });
}
