/** The violations in short, as the last thing on the terminal before the verdict. */
import type pc from 'picocolors';
import { plural } from './call-text.js';
import { visible } from './escape.js';
import { type Glance, glancesOf } from './glance.js';
import { hanging } from './layout.js';
import type { Report } from './report.js';
import { asidesIn, primaryOf, toldIn } from './told.js';

type Colors = ReturnType<typeof pc.createColors>;

/** Kinds of violation in the list, and violations of a kind beside its example. */
const MOST_GLANCES = 6;
const MOST_OTHERS = 3;

/** After several stories the reader has scrolled far, and asides have no story: what is wrong in short, with what runs it. */
export function glanceLines(report: Report, columns: number, colors: Colors): string[] {
  const told = toldIn(report);
  if (told.length < 2 && asidesIn(report).length === 0) return [];
  const glances = glancesOf(told);
  const most = glances.slice(0, MOST_GLANCES);
  return [
    'What is wrong, by the rule that is broken:',
    ...most.flatMap((glance) => ['', ...glanceSection(glance, columns, colors)]),
    ...(glances.length > most.length
      ? ['', `and ${plural(glances.length - most.length, 'more kind')} of violation: see the reports`]
      : []),
  ];
}

function glanceSection({ rule, says, first, others }: Glance, columns: number, colors: Colors): string[] {
  const { behavior, call, answered, allowed, counterexample } = first;
  const shown = others.slice(0, MOST_OTHERS).filter(({ replay }) => replay !== null);
  const rest = [...new Set(others.filter((other) => !shown.includes(other)).map(primaryOf))];
  const id = `  ${behavior.padEnd(5)}  `;
  const indent = ' '.repeat(id.length);
  const answer = clipped(hanging(`${indent}answered  `, answered, columns)).map((line) => colors.red(line));
  return [
    ...hanging(`Rule ${rule}: `, says, columns),
    ...(call === null ? [] : clipped(hanging(id, call, columns))),
    ...answer.map((line, index) => (call === null && index === 0 ? line.replace(indent, () => id) : line)),
    ...clipped(hanging(`${indent}allowed   `, allowed, columns)),
    ...(counterexample.replay === null ? [] : [`${indent}${visible(counterexample.replay)}`]),
    ...shown.map((other) => `  ${primaryOf(other).padEnd(5)}  ${visible(other.replay ?? '')}`),
    ...(rest.length === 0 ? [] : hanging('  ', `and ${rest.join(', ')}: see the reports`, columns)),
  ];
}

/** At most two lines. */
function clipped(lines: readonly string[]): string[] {
  const [first = '', second] = lines;
  if (second === undefined) return [first];
  return [first, lines.length > 2 ? `${second}…` : second];
}
