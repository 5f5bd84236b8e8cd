import type { Mutation } from './call.js';
import type { Machine, Operation } from './machine.js';
import type { Policies } from './policies.js';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';
import type { Outcome } from './transitions.js';

/** One transition to carry out. */
export interface Work {
  readonly call: Mutation;
  /** The machine as accepted: already in its transitional state, and bound if this is a Configure. */
  readonly machine: Machine;
  readonly operation: Operation;
}

/**
 * Does the work of a transition on the substrate. Faults are injected by another actuator, which chooses by the
 * cluster id or the labels in {@link Work}.
 */
export interface Actuator {
  /** Begins the work; calls `done` when it has ended, before returning or at any later time. */
  begin(work: Work, done: (outcome: Outcome) => void): void;
}

/** An actuator that always succeeds, after the time the provider's policies give it. */
export function timedActuator(policies: Policies, random: Random, scheduler: Scheduler): Actuator {
  return {
    begin(work, done) {
      const ms = policies.transitionTime(work, random);
      if (ms === 'instant') done({ ok: true });
      else scheduler.after(ms, () => done({ ok: true }));
    },
  };
}
