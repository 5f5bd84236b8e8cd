/** How a program ends before its last step. */
import type { Breach } from '../../model/diagnosis.js';

/** Thrown inside a run when the rest of the program would mean nothing. */
export class Stop extends Error {
  private constructor(
    readonly reason: 'breach' | 'inconclusive',
    message: string,
  ) {
    super(message);
  }

  /** The contract was broken. */
  static breach({ behaviors, expected, observed }: Breach): Stop {
    return new Stop('breach', `${behaviors[0]}: expected ${expected.join(', or ')}; observed ${observed}`);
  }

  /** Nothing can be concluded; `reason` is one sentence for people. */
  static inconclusive(reason: string): Stop {
    return new Stop('inconclusive', reason);
  }
}
