/** Bugs in what becomes of a transition that goes wrong (contract section 7, fault lane). */
import type { Mutant } from '../alteration.js';
import type { Fault } from '../fault-actuator.js';
import { EDGES, type Kind, type Machine } from '../machine.js';
import type { Provider } from '../provider.js';
import { type Alter, later } from './support.js';

/** Milliseconds for which a node shows as Configured before it is Ready. */
const PHANTOM_MS = 8;

/** Bugs at the moment of failure. */
export const FAULTS: readonly Mutant[] = [
  {
    name: 'stuck-configuring',
    breaks: 'B701',
    says: 'A machine whose Configure errors stays CONFIGURING.',
    alter: stuckAfterError('Configure'),
  },
  {
    name: 'configure-error-unexplained',
    breaks: 'B701',
    says: 'A machine whose Configure errors is FAILED without a last_error.',
    alter: failing('Configure', (failed) => ({ ...failed, lastError: '' })),
  },
  {
    name: 'configure-error-falls-back',
    breaks: 'B701',
    says: 'A machine whose Configure errors is Idle again, as if nothing had happened.',
    alter: failing('Configure', (_failed, before) => reverted(before)),
  },
  {
    name: 'create-error-ignored',
    breaks: 'B702',
    says: 'A machine whose Create errors is Idle.',
    alter: overlooking('errors', 'Create'),
  },
  {
    name: 'create-error-unexplained',
    breaks: 'B702',
    says: 'A machine whose Create errors is FAILED without a last_error.',
    alter: failing('Create', (failed) => ({ ...failed, lastError: '' })),
  },
  {
    name: 'create-error-falls-back',
    breaks: 'B702',
    says: 'A machine whose Create errors is Speculative again, with the error in last_error.',
    alter: failing('Create', (failed) => ({ ...failed, state: 'SPECULATIVE' })),
  },
  {
    name: 'timeout-reverts-silently',
    breaks: 'B703',
    says: 'A transition that takes too long is undone without a word.',
    alter: expiring((_failed, before) => reverted(before)),
  },
  {
    name: 'timeout-never-comes',
    breaks: 'B703',
    says: 'A transition may take for ever.',
    alter: () => ({ expire: (machine) => machine }),
  },
  {
    name: 'timeout-unexplained',
    breaks: 'B703',
    says: 'A transition that takes too long fails without a last_error.',
    alter: expiring((failed) => ({ ...failed, lastError: '' })),
  },
  {
    name: 'timeout-without-saying-so',
    breaks: 'B703',
    says: 'The last_error of a transition that took too long does not say that it was the time.',
    reading: 'literal',
    alter: () => ({ timeoutError: (operation) => `${operation.kind} failed` }),
  },
  {
    name: 'drain-error-stuck-draining',
    breaks: 'B706',
    says: 'A machine whose Drain errors stays DRAINING.',
    alter: stuckAfterError('Drain'),
  },
  {
    name: 'drain-error-reverts',
    breaks: 'B706',
    says: 'A machine whose Drain errors is Configured again, as if nothing had happened.',
    alter: failing('Drain', (_failed, before) => reverted(before)),
  },
  {
    name: 'drain-error-unexplained',
    breaks: 'B706',
    says: 'A machine whose Drain errors is FAILED without a last_error.',
    alter: failing('Drain', (failed) => ({ ...failed, lastError: '' })),
  },
  {
    name: 'phantom-configured',
    breaks: 'B708',
    says: 'A machine is Configured although its node never becomes Ready.',
    alter: overlooking('never-ready', 'Configure'),
  },
  {
    name: 'phantom-configured-for-a-moment',
    breaks: 'B708',
    says: 'A machine is Configured for a moment before anybody looks whether its node is Ready.',
    alter: (base) => ({
      enter(call, machine, operation, provider) {
        const entered = base.enter(call, machine, operation, provider);
        if (entered.state === 'CONFIGURING' && neverReady(entered)) phantom(entered, provider);
        return entered;
      },
    }),
  },
  {
    name: 'readiness-timeout-configures',
    breaks: 'B708',
    says: 'A machine whose node does not become Ready in time is taken for Configured.',
    alter: expiring((failed, before) => (neverReady(before) ? { ...before, state: 'CONFIGURED' } : failed)),
  },
  {
    name: 'readiness-never-given-up',
    breaks: 'B708',
    says: 'A machine whose node does not become Ready stays CONFIGURING.',
    alter: expiring((failed, before) => (neverReady(before) ? before : failed)),
  },
  {
    name: 'late-completion-applied',
    breaks: 'B704',
    says: 'Work that succeeds after its transition was given up makes the machine Configured after all.',
    alter: completingLate((settled) => ({ ...settled, lastError: '' })),
  },
  {
    name: 'late-completion-frees-machine',
    breaks: 'B704',
    says: 'Work that succeeds after its transition was given up makes the machine Idle.',
    alter: completingLate((settled) => ({ ...settled, state: 'IDLE', binding: null, lastError: '' })),
  },
  {
    name: 'late-completion-noted',
    breaks: 'B707',
    says: 'Work that succeeds after its transition was given up leaves a note in last_error.',
    alter: completingLate((_settled, before) => ({
      ...before,
      lastError: `${before.lastError}; succeeded late`,
    })),
  },
];

/** Changes what a machine is once a call of a kind has errored. */
function failing(kind: Kind, change: (failed: Machine, before: Machine) => Machine): Alter {
  return (base) => ({
    fail(machine, error) {
      const failed = base.fail(machine, error);
      return machine.carriedBy?.kind === kind ? change(failed, machine) : failed;
    },
  });
}

/** Leaves a machine on its way once a call of a kind has errored, whatever the clock says later. */
function stuckAfterError(kind: Kind): Alter {
  return (base) => {
    const stuck = new Set<string>();
    return {
      fail(machine, error) {
        if (machine.carriedBy?.kind !== kind) return base.fail(machine, error);
        stuck.add(machine.carriedBy.id);
        return machine;
      },
      expire: (machine, error, provider) =>
        stuck.has(machine.carriedBy?.id ?? '') ? machine : base.expire(machine, error, provider),
    };
  };
}

/** Changes what a machine is once its transition has taken too long. */
function expiring(change: (failed: Machine, before: Machine) => Machine): Alter {
  return (base) => ({
    expire: (machine, error, provider) => change(base.expire(machine, error, provider), machine),
  });
}

/** Does not notice a fault of one kind of call. */
function overlooking(fault: Fault, kind: Kind): Alter {
  return (base) => ({
    faultOf(work) {
      const found = base.faultOf(work);
      return found === fault && work.call.kind === kind ? undefined : found;
    },
  });
}

/** Lets work that ends after its transition was given up still have an effect. */
function completingLate(change: (settled: Machine, before: Machine) => Machine): Alter {
  return (base) => ({
    awaits: (machine, operation) =>
      base.awaits(machine, operation) || (machine.state === 'FAILED' && machine.carriedBy === operation),
    settle(machine, provider) {
      const settled = base.settle(machine, provider);
      return machine.state === 'FAILED' ? change(settled, machine) : settled;
    },
  });
}

/** The machine where its transition began. */
function reverted(machine: Machine): Machine {
  const kind = machine.carriedBy?.kind;
  if (kind === undefined) return machine;
  const binding = kind === 'Configure' ? null : machine.binding;
  return { ...machine, state: EDGES[kind].from, binding };
}

function neverReady(machine: Machine): boolean {
  return machine.binding?.cluster === 'fault-readiness-block';
}

function phantom(machine: Machine, provider: Provider): void {
  later(
    PHANTOM_MS,
    machine,
    provider,
    (now) => ({ ...now, state: 'CONFIGURED' }),
    () => later(PHANTOM_MS, machine, provider, (now) => ({ ...now, state: 'CONFIGURING' })),
  );
}
