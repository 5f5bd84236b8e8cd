/** The tables of a self-test, for the terminal and for `docs/self-test.md`: the same text in both. */

import type { CoverageTable } from './coverage.js';
import type { AlarmRow } from './false-alarms.js';
import type { MinimalityRow } from './minimality.js';
import type { MutantRow } from './mutant-row.js';
import type { SelfTestRecord } from './record.js';

type Row = readonly (string | number)[];

/** A table with its columns padded, in the syntax of Markdown. */
function table(head: Row, rows: readonly Row[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => String(cell).replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [first = [], ...rest] = cells;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

/** One row for each mutant: caught, how soon, named, and how small its counterexample became. */
export function sensitivityTable(rows: readonly MutantRow[]): string {
  return table(
    ['mutant', 'breaks', 'caught', 'sequences', 'runs', 'named', 'steps', 're-runs', 'reproduced'],
    rows.map(({ mutant, breaks, caught, seeds, named, shrunk, ...after }) => [
      mutant,
      breaks,
      `${caught}/${seeds}`,
      `${after.median ?? '-'} / ${after.worst ?? '-'}`,
      `${after.medianRuns ?? '-'} / ${after.worstRuns ?? '-'}`,
      named,
      shrunk ? `${shrunk.from} to ${shrunk.to}` : '-',
      shrunk ? `${shrunk.executions}${shrunk.complete ? '' : ' (budget spent)'}` : '-',
      shrunk ? shrunk.reproduced : '-',
    ]),
  );
}

/** One row for each mutant: every behavior that turned red. */
export function killMatrix(rows: readonly MutantRow[]): string {
  return table(
    ['mutant', 'breaks', 'red'],
    rows.map(({ mutant, breaks, red }) => [mutant, breaks, red.join(' ') || 'none']),
  );
}

/** One row for each provider and circumstance. */
export function alarmTable(rows: readonly AlarmRow[]): string {
  return table(
    ['provider', 'circumstances', 'seeds', 'sequences', 'certified', 'violations'],
    rows.map(({ provider, circumstances, seeds, sequences, certified, violations }) => [
      provider,
      circumstances,
      seeds,
      sequences,
      certified,
      violations.length === 0 ? 'none' : violations.map(({ behaviors }) => behaviors[0]).join(' '),
    ]),
  );
}

/** Runs of a program after which shrinking is called long. */
const LONG_SHRINK = 300;

/** One sentence: which counterexamples took long to shrink. */
export function longShrinks(rows: readonly MutantRow[]): string {
  const long = rows.filter(({ shrunk }) => (shrunk?.executions ?? 0) > LONG_SHRINK);
  return long.length === 0
    ? `Shrinking took at most ${LONG_SHRINK} runs of a program for every mutant.`
    : `Shrinking took more than ${LONG_SHRINK} runs of a program for ${long.map(({ mutant, shrunk }) => `${mutant} (${shrunk?.executions})`).join(', ')}.`;
}

/** One row for each mutant whose shortest counterexample is known, where the shrunk one is longer. */
export function minimalityTable(rows: readonly MinimalityRow[]): string {
  return table(
    ['mutant', 'shrunk', 'optimal', 'note'],
    rows.map(({ mutant, shrunk, optimal, note }) => [mutant, shrunk, optimal ?? '-', note]),
  );
}

/** What was met of the model. */
export function coverageText(coverage: CoverageTable): string {
  const { squares, visited, reachable, exercised, missed, unreachable } = coverage;
  const share = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)}%`;
  const lines = [
    `${visited} of ${squares} squares (state x call x token) were visited, ${share(visited, squares)}.`,
    `${exercised} of ${reachable} reachable cells (squares x answers that the contract allows) were exercised, ${share(exercised, reachable)}.`,
    ...(missed.length === 0 ? [] : ['', 'Never exercised:', ...missed.map((cell) => `- ${cell}`)]),
    '',
    'Allowed by the model, and out of reach:',
    '',
    table(
      ['cell', 'reason'],
      unreachable.map(({ cell, reason }) => [cell, reason]),
    ),
  ];
  return lines.join('\n');
}

/** A few lines: what the whole came to. */
export function summary({ mutants, false_alarms, coverage, minimality, missed }: SelfTestRecord): string {
  const caught = mutants.filter((row) => row.caught === row.seeds).length;
  const named = mutants.filter(({ named }) => named === 'first' || named === 'later').length;
  const examined = mutants.filter(({ named }) => named !== 'not examined').length;
  const seeds = false_alarms.reduce((sum, row) => sum + row.seeds, 0);
  const certified = false_alarms.reduce((sum, row) => sum + row.certified, 0);
  const known = minimality?.filter(({ optimal }) => optimal !== null) ?? [];
  const optimal = known.filter((row) => row.shrunk === row.optimal).length;
  return [
    `${caught} of ${mutants.length} mutants caught with every seed`,
    ...(examined > 0 ? [`${named} of ${examined} mutants blamed on the behavior that they break`] : []),
    `${certified} of ${seeds} runs against correct providers certified`,
    ...(coverage
      ? [`${coverage.exercised} of ${coverage.reachable} reachable cells of the model exercised`]
      : []),
    ...(minimality ? [`${optimal} of ${known.length} counterexamples as short as can be`] : []),
    missed.length === 0 ? 'the checker holds' : `${missed.length} goals missed`,
  ].join('\n');
}
