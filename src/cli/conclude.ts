/** From what was found to the results and the verdict: the same for one process and for the parts of a shared run. */
import type { Findings } from '../engine/findings.js';
import { type BehaviorResult, resultsOf, type Verdict, verdictOf } from '../engine/status.js';
import type { BaselineResult } from '../lanes/baseline.js';
import type { RunQuestion } from '../report/run-record.js';
import { DECIDERS } from './deciders.js';

/** The results of every behavior, and what they add up to. */
export interface Conclusion {
  readonly results: readonly BehaviorResult[];
  readonly verdict: Verdict;
}

/** Concludes; a failed upstream suite fails the run, and an interrupted run is never CERTIFIED. */
export function conclude(
  findings: Findings,
  question: RunQuestion,
  {
    baseline,
    interrupted,
  }: { readonly baseline: BaselineResult | null; readonly interrupted: string | null },
): Conclusion {
  const results = resultsOf(findings, { ...question, deciders: DECIDERS });
  const found = baseline?.status === 'failed' ? 'FAILED' : verdictOf(results);
  return { results, verdict: interrupted !== null && found === 'CERTIFIED' ? 'INCOMPLETE' : found };
}
