/** What a verdict does not speak of: behaviors that were not selected, and what was seen of them all the same. */
import { behaviorsOf } from '../../model/registry.js';
import type { Report } from './report.js';
import { asidesIn, primaryOf } from './told.js';

/** Sentences with a label each; none where the verdict speaks of all that the profiles require. */
export function scopeOf(report: Report): readonly (readonly [label: string, text: string])[] {
  const { decided, required } = selectionOf(report);
  const profiles = report.profiles.join(', ');
  const seen = [...new Set(asidesIn(report).map(primaryOf))].join(', ');
  const sentences: (readonly [string, string])[] = [];
  if (decided < required) {
    sentences.push([
      'Selected',
      `${decided} of the ${required} behaviors that ${profiles} require (--only, --skip)`,
    ]);
  }
  if (seen !== '') {
    sentences.push(['Not counted', `${seen}: seen broken, but not among what this run was asked to decide`]);
  }
  return sentences;
}

/** How many behaviors decide the verdict, and how many the profiles require. */
export function selectionOf({ behaviors, profiles }: Pick<Report, 'behaviors' | 'profiles'>): {
  readonly decided: number;
  readonly required: number;
} {
  return {
    decided: behaviors.filter(({ required }) => required).length,
    required: behaviorsOf(profiles).length,
  };
}
