/** Behaviors of the known-failing and known-flaky lists: what a report says of them. */
import type { BehaviorReport, Report } from './report.js';

/** Behaviors that a list names and the run required, with what came of them. */
export function knownBehaviors({ behaviors }: Pick<Report, 'behaviors'>): readonly BehaviorReport[] {
  return behaviors.filter(({ known, required }) => known !== null && required);
}

/** What a list says of a behavior, held against its status. */
export function knownText({ known, status }: Pick<BehaviorReport, 'known' | 'status'>): string {
  if (known === 'flaky') return `known to be flaky, ${status} this time`;
  if (status === 'passed') return 'known to fail, and passed: take it off the list';
  return `known to fail, ${status}`;
}
