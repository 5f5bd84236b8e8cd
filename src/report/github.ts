/** Annotations for GitHub Actions: workflow commands, one a line, to be written to standard output. */
import { visible } from './escape.js';
import { idList, requiredUndecided } from './needs.js';
import type { Report } from './report.js';
import { storyLines } from './story.js';
import { asidesIn, toldIn } from './told.js';

/** GitHub shows ten annotations of a kind for a step and drops the rest. */
const MOST_ANNOTATIONS = 10;

/** An error for every violation (a warning where it does not count in this run), a warning for every reason why required behaviors were not decided. */
export function githubAnnotations(report: Report): readonly string[] {
  const told = toldIn(report);
  const asides = new Set(asidesIn(report));
  const errors = told.slice(0, MOST_ANNOTATIONS).map((counterexample) => {
    const [heading = '', , ...lines] = storyLines(counterexample);
    const aside = asides.has(counterexample);
    return command(
      aside ? 'warning' : 'error',
      `${heading}${aside ? ' (not counted)' : ''}`,
      lines.join('\n'),
    );
  });
  const dropped = told.length - errors.length;
  const warnings = requiredUndecided(report)
    .slice(0, MOST_ANNOTATIONS)
    .map(({ reason, behaviors }) =>
      command('warning', 'Required, but not decided', `${idList(behaviors, 100)}: ${visible(reason)}`),
    );
  return [
    ...errors,
    ...(dropped > 0 ? [command('notice', 'More violations', `${dropped} more are told in the reports`)] : []),
    ...warnings,
  ];
}

function command(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  return `::${kind} title=${property(title)}::${data(message)}`;
}

/** What the runner would take for the end of a message. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** In a property the separators of properties, too. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
