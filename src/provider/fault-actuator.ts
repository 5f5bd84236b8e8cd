/** Faults on request, so that a client can see how a provider fails (contract section 7, fault lane). */
import type { Actuator, Work } from './actuator.js';
import type { Alteration } from './alteration.js';
import type { Machine } from './machine.js';
import type { Policies } from './policies.js';
import type { Scheduler } from './scheduler.js';

/**
 * What goes wrong with the work of a transition: it errors, it never ends, it ends well but only after the
 * provider has given it up, or it ends but the node never becomes Ready.
 */
export type Fault = 'errors' | 'hangs' | 'succeeds-late' | 'never-ready';

/** The label that makes a machine's Create error. */
export const CREATE_FAULT_LABEL = 'conformance.fault/create';

/** Milliseconds after its transition was given up at which late work succeeds. */
export const LATE_BY_MS = 150;

/** Transition timeout of a provider with faults unless it is told another, in milliseconds. */
export const FAULT_TIMEOUT_MS = 2_000;

/** Among how many machines of a new fleet one is made to fail its Create. */
const ONE_IN = 8;

const CONFIGURE_FAULTS: ReadonlyMap<string, Fault> = new Map([
  ['fault-error', 'errors'],
  ['fault-timeout', 'hangs'],
  ['fault-slow-ok', 'succeeds-late'],
  ['fault-readiness-block', 'never-ready'],
]);

/** The fault that a client has asked for with this work, if any. */
export function faultOf({ call, machine }: Work): Fault | undefined {
  switch (call.kind) {
    case 'Create':
      return machine.spec.labels.get(CREATE_FAULT_LABEL) === 'error' ? 'errors' : undefined;
    case 'Configure':
      return CONFIGURE_FAULTS.get(call.cluster);
    case 'Drain':
      return machine.binding?.cluster === 'fault-drain-error' ? 'errors' : undefined;
    case 'Delete':
      return undefined;
  }
}

/** A new fleet in which some machines fail their Create. */
export const FAULTY_FLEET: Alteration = {
  name: 'faulty-fleet',
  says: `One machine in ${ONE_IN} fails its Create.`,
  alter: (base) => ({
    seed(n, provider) {
      const machine = base.seed(n, provider);
      return n % ONE_IN === 0 ? doomed(machine) : machine;
    },
  }),
};

function doomed(machine: Machine): Machine {
  const labels = new Map([...machine.spec.labels, [CREATE_FAULT_LABEL, 'error']]);
  return { ...machine, spec: { ...machine.spec, labels } };
}

/**
 * An actuator with the faults of {@link faultOf}; everything else is left to `healthy`.
 * @param timeoutMs the transition timeout, so that late work knows when it is late
 */
export function faultActuator(
  policies: Policies,
  healthy: Actuator,
  scheduler: Scheduler,
  timeoutMs: number,
): Actuator {
  return {
    begin(work, done) {
      switch (policies.faultOf(work)) {
        case undefined:
          return healthy.begin(work, done);
        case 'errors':
          // It takes its time like any work, so that the ack still shows the transition.
          return healthy.begin(work, () => done({ ok: false, error: `${work.call.kind}: injected error` }));
        case 'succeeds-late':
          return scheduler.after(timeoutMs + LATE_BY_MS, () => done({ ok: true }));
        case 'hangs':
        case 'never-ready':
          return;
      }
    },
  };
}
