/** How a case of the scale lane ends early. */
import type { BehaviorId } from '../../../model/registry.js';
import type { LaneBreach } from '../lane.js';

/** Thrown inside a case when the rest of it would mean nothing: it broke the contract, or nothing can be concluded. */
export class CaseStopped extends Error {
  private constructor(
    message: string,
    readonly breach: LaneBreach | null,
    /** A machine did not come to rest in time. */
    readonly unsettled = false,
  ) {
    super(message);
  }

  static broken(breach: LaneBreach): CaseStopped {
    return new CaseStopped(breach.observed, breach);
  }

  /** @param reason one sentence for people */
  static inconclusive(reason: string): CaseStopped {
    return new CaseStopped(reason, null);
  }

  /** @param reason one sentence for people */
  static unsettled(reason: string): CaseStopped {
    return new CaseStopped(reason, null, true);
  }
}

/** `breach` with the behaviors it breaks at scale before those it breaks anywhere. */
export function atScale<B extends Omit<LaneBreach, 'behaviors'> & { behaviors: readonly BehaviorId[] }>(
  breach: B,
  ...behaviors: readonly BehaviorId[]
): LaneBreach {
  const { rule, aspect, expected, observed } = breach;
  return {
    behaviors: [...new Set([...behaviors, ...breach.behaviors])],
    rule,
    aspect,
    expected,
    observed,
  };
}
