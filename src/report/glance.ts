/** Violations in short, by kind: what somebody who has five minutes reads. */
import { callText, replyText } from './call-text.js';
import type { Counterexample } from './counterexample.js';
import { visible } from './escape.js';
import { type Kind, kindsOf, primaryOf } from './told.js';

/** One kind of violation in short; every text is escaped and on one line. */
export interface Glance {
  /** `4.2 fence`. */
  readonly rule: string;
  readonly says: string;
  /** The example that explains the kind. */
  readonly first: {
    readonly counterexample: Counterexample;
    readonly behavior: string;
    /** The call that was answered wrongly; null where the violation is in no single reply. */
    readonly call: string | null;
    readonly answered: string;
    readonly allowed: string;
  };
  /** Further counterexamples of the kind. */
  readonly others: readonly Counterexample[];
}

/** Longest observed or expected text, in UTF-16 units. */
const QUOTE_LENGTH = 200;

/** The kinds among `counterexamples`, each with one example. */
export function glancesOf(counterexamples: readonly Counterexample[]): readonly Glance[] {
  return kindsOf(counterexamples).flatMap(glanceOf);
}

function glanceOf({ rule, counterexamples }: Kind): readonly Glance[] {
  const [first, ...others] = counterexamples;
  if (first === undefined) return [];
  const wrong = first.calls.find((call) => call.wrong);
  // A rejection says more in its own short words; of an acceptance the observation names the part that is wrong.
  const rejected = wrong?.reply.determinate === true && wrong.reply.code !== 'OK';
  return [
    {
      rule: `${rule.section} ${rule.name}`,
      says: rule.says,
      first: {
        counterexample: first,
        behavior: primaryOf(first),
        call: wrong ? callText(wrong).replace(/ {2,}/g, ' ') : null,
        answered: rejected ? replyText(wrong.reply) : visible(first.observed, QUOTE_LENGTH),
        allowed: first.expected.map((text) => visible(text, QUOTE_LENGTH)).join(', or '),
      },
      others,
    },
  ];
}
