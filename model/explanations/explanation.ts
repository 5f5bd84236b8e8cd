import type { IdsOf, RegisteredBehavior } from '../registry/behavior.js';

/** What a provider author needs to know about a behavior beyond its assertion; plain text, no markup. */
export interface Explanation {
  /** What goes wrong for the people who run BigFleet on a provider that breaks the behavior. */
  readonly why: string;
  /** The section of the contract, the rule in it, and what the rule says. */
  readonly rule: string;
  /** How providers usually get it right. */
  readonly fix: string;
}

/** An explanation for each behavior of an area: one that is missing does not compile. */
export type ExplanationsOf<List extends readonly RegisteredBehavior[]> = Readonly<
  Record<IdsOf<List>, Explanation>
>;
