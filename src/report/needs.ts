/** What stands between a provider and CERTIFIED, in the reading that decides. */
import type { BehaviorReport, Report } from './report.js';

/** Required behaviors that share one reason for not being decided. */
export interface Undecided {
  readonly reason: string;
  readonly behaviors: readonly BehaviorReport[];
}

/** Required behaviors that failed and were not known to. */
export function requiredFailures({ behaviors }: Report): readonly BehaviorReport[] {
  return behaviors.filter(({ required, status, known }) => required && status === 'failed' && known === null);
}

/** Required behaviors that passed although the known-failing list names them. */
export function unexpectedPasses({ behaviors }: Report): readonly BehaviorReport[] {
  return behaviors.filter(
    ({ required, status, known }) => required && status === 'passed' && known === 'failing',
  );
}

/** Required behaviors that were not decided, gathered by reason, in the order of the registry. */
export function requiredUndecided({ behaviors }: Report): readonly Undecided[] {
  const groups = new Map<string, BehaviorReport[]>();
  for (const behavior of behaviors) {
    const { required, status, reason } = behavior;
    if (!required || (status !== 'inconclusive' && status !== 'not_implemented')) continue;
    groups.set(reason, [...(groups.get(reason) ?? []), behavior]);
  }
  return [...groups].map(([reason, members]) => ({ reason, behaviors: members }));
}

/** Behaviors that one reading passes and the other does not. */
export function readingDifferences({ behaviors }: Report): readonly BehaviorReport[] {
  return behaviors.filter(({ readings }) => readings.literal !== readings.reference);
}

/** What would be needed for CERTIFIED, one sentence each; empty where nothing is. */
export function needsOf(report: Report): readonly string[] {
  if (report.verdict === 'CERTIFIED') return [];
  const failed = requiredFailures(report);
  const unexpected = unexpectedPasses(report);
  const undecided = requiredUndecided(report).flatMap((group) => group.behaviors);
  const required = report.behaviors.some((behavior) => behavior.required);
  return [
    ...(failed.length > 0 ? [`fix ${idList(failed)}`] : []),
    ...(unexpected.length > 0 ? [`take ${idList(unexpected)} off the known-failing list`] : []),
    ...(undecided.length > 0 ? [`have ${idList(undecided)} decided`] : []),
    ...(required ? [] : ['select at least one behavior that the claimed profiles require']),
  ];
}

/** Ids in a row, a long list cut. */
export function idList(behaviors: readonly { readonly id: string }[], most = 10): string {
  const ids = behaviors.slice(0, most).map(({ id }) => id);
  const more = behaviors.length - ids.length;
  return more > 0 ? `${ids.join(', ')} and ${more} more` : ids.join(', ');
}
