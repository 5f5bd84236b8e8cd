/** The end of a run on the terminal: table, stories, what is missing, verdict. */
import pc from 'picocolors';
import type { Verdict } from '../engine/status.js';
import { areaRows, STATUSES, statusName } from './area-table.js';
import { type AlignedRow, plural } from './call-text.js';
import type { Counterexample } from './counterexample.js';
import { grouped, visible } from './escape.js';
import { glanceLines } from './glance-text.js';
import { knownBehaviors, knownText } from './known.js';
import { hanging, table, wrap } from './layout.js';
import { idList, needsOf, readingDifferences, requiredUndecided } from './needs.js';
import type { Report } from './report.js';
import { scopeOf } from './scope.js';
import { labelWidth, storyOf } from './story.js';
import { asidesIn, toldIn } from './told.js';

/** How the summary is to look. */
export interface SummaryOptions {
  readonly color: boolean;
  readonly columns: number;
  readonly level: 'quiet' | 'normal' | 'verbose';
  /** Reports that were written. */
  readonly files?: readonly string[];
}

type Colors = ReturnType<typeof pc.createColors>;

/** Stories told in full unless `--verbose`; the reports have all of them. */
const MOST_STORIES = 5;
/** Prose is not set wider than this: longer lines are hard to read. */
const WIDEST = 110;
/** Lines of a provider's log; the reports have more. */
const LOG_LINES = 8;

/** The summary as text that ends in a newline. `quiet` leaves the failed behaviors and the verdict. */
export function summaryText(report: Report, options: SummaryOptions): string {
  const colors = pc.createColors(options.color);
  const columns = Math.max(40, Math.min(options.columns, WIDEST));
  const sections =
    options.level === 'quiet'
      ? [failedLines(report, colors), verdictLines(report, columns, colors)]
      : [
          areaLines(report, colors),
          ...storySections(report, { ...options, columns }, colors),
          corpusLines(report, colors),
          undecidedLines(report, columns),
          knownLines(report),
          laneLines(report, columns),
          readingLines(report, columns),
          runLines(report, options.files ?? [], columns),
          glanceLines(report, columns, colors),
          verdictLines(report, columns, colors),
        ];
  const shown = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${options.level === 'quiet' ? '' : '\n'}${shown.join(options.level === 'quiet' ? '\n' : '\n\n')}\n`;
}

function areaLines(report: Report, colors: Colors): string[] {
  const header = ['area', ...STATUSES.map(statusName)];
  const rows = areaRows(report);
  const lines = table([
    header,
    ...rows.map(({ name, counts }) => [name, ...STATUSES.map((status) => String(counts[status]))]),
  ]);
  return lines.map((line, index) => {
    if (index === 0) return colors.bold(line);
    return (rows[index - 1]?.counts.failed ?? 0) > 0 ? colors.red(line) : line;
  });
}

function storySections(report: Report, options: SummaryOptions, colors: Colors): string[][] {
  const told = toldIn(report);
  const asides = new Set(asidesIn(report));
  const decided = told.filter((counterexample) => !asides.has(counterexample));
  const wanted = options.level === 'verbose' ? told : decided.slice(0, MOST_STORIES);
  const stories = wanted.map((counterexample) =>
    storySection(counterexample, asides.has(counterexample), options, colors),
  );
  const rest = told.length - stories.length;
  if (rest === 0) return stories;
  const more = stories.length > 0 ? 'more ' : '';
  const are = rest === 1 ? 'violation is' : 'violations are';
  return [...stories, [`${rest} ${more}${are} told in the reports, and here with --verbose.`]];
}

/** An aside is a violation of something that this run was not asked to decide. */
function storySection(
  counterexample: Counterexample,
  aside: boolean,
  { columns }: SummaryOptions,
  colors: Colors,
): string[] {
  const { heading, intro, steps, facts } = storyOf(counterexample);
  const width = labelWidth(facts);
  const title = hanging(`${aside ? 'ALSO SEEN' : 'FAILED'}  ${heading.id}  `, heading.title, columns);
  const color = aside ? colors.yellow : colors.red;
  return [
    ...title.map((line) => colors.bold(line.replace(/^(FAILED|ALSO SEEN)/, (word) => color(word)))),
    '',
    ...hanging('  ', intro, columns),
    ...steps.flatMap((step) => stepText(step, columns, colors)),
    '',
    ...facts.flatMap(({ label, text }) => factLines(label, text, width, columns, colors)),
  ];
}

/** One line, or two where the reply would run over the edge. */
function stepText({ call, reply, wrong }: AlignedRow, columns: number, colors: Colors): string[] {
  const mark = wrong ? '  > ' : '    ';
  const end = wrong ? `${reply}  <- wrong` : reply;
  const whole = `${mark}${call}  ${end}`;
  const lines =
    whole.length <= columns
      ? [whole]
      : [`${mark}${call.trimEnd()}`, ...hanging('         ', end, Math.max(columns, 80))];
  return wrong ? lines.map((line) => colors.red(line)) : lines;
}

/** Commands and files stay on one line, so that they can be copied. */
function factLines(label: string, text: string, width: number, columns: number, colors: Colors): string[] {
  const indent = `  ${label.padEnd(width)}  `;
  const lines =
    label === 'Replay' || label === 'Saved in' ? [`${indent}${text}`] : hanging(indent, text, columns);
  return lines.map((line, index) => (index === 0 ? line.replace(label, () => colors.dim(label)) : line));
}

function failedLines(report: Report, colors: Colors): string[] {
  return report.behaviors
    .filter(({ status }) => status === 'failed')
    .map(({ id, reason }) => `${colors.red('FAILED')}  ${id}  ${visible(reason, 200)}`);
}

function corpusLines({ corpus }: Report, colors: Colors): string[] {
  const broken = corpus.filter(({ result }) => result !== 'FIXED');
  if (corpus.length === 0) return [];
  const fixed = corpus.length - broken.length;
  return [
    `Saved counterexamples: ${fixed} fixed, ${broken.length} not`,
    ...broken.map(
      ({ file, result, detail }) => `  ${colors.red(result)}  ${visible(file)}  ${visible(detail, 120)}`,
    ),
  ];
}

function undecidedLines(report: Report, columns: number): string[] {
  const groups = requiredUndecided(report);
  if (groups.length === 0) return [];
  return [
    'Required, but not decided:',
    ...groups.flatMap(({ reason, behaviors }) =>
      hanging('  ', `${idList(behaviors, 100)}: ${visible(reason)}`, columns),
    ),
  ];
}

function knownLines(report: Report): string[] {
  const known = knownBehaviors(report);
  if (known.length === 0) return [];
  return ['Known beforehand:', ...known.map((behavior) => `  ${behavior.id}: ${knownText(behavior)}`)];
}

/** Lanes that were not run, and the last words of a provider that something is wrong with. */
function laneLines({ lanes }: Report, columns: number): string[] {
  return lanes.flatMap(({ lane, skipped, note, log }) => [
    ...(note === null ? [] : hanging('', `The ${lane} lane ${visible(note)}`, columns)),
    ...(skipped === null ? [] : hanging('', `The ${lane} lane was not run: ${visible(skipped)}`, columns)),
    ...(log.length === 0 ? [] : [`The provider of the ${lane} lane wrote last:`]),
    ...log.slice(-LOG_LINES).map((line) => `  ${visible(line, columns - 4)}`),
  ]);
}

function readingLines(report: Report, columns: number): string[] {
  const differing = readingDifferences(report);
  if (differing.length === 0) return [];
  return [
    'Decided by the reading:',
    ...differing.flatMap(({ id, readings }) =>
      hanging('  ', `${id}: literal ${readings.literal}, reference ${readings.reference}`, columns),
    ),
  ];
}

function runLines(report: Report, files: readonly string[], columns: number): string[] {
  const { tool, provider, target, profiles, stats, seed, runs, digest } = report;
  const name = provider === '' ? '' : `${visible(provider, 80)} at `;
  return [
    ...wrap(
      `${tool.name} ${tool.version} checked ${name}${visible(target)}: profiles ${profiles.join(', ')}`,
      columns,
    ),
    `${plural(stats.sequences, 'sequence')}, ${plural(stats.rpcs, 'call')} in ${(report.duration_ms / 1000).toFixed(1)} s`,
    `seed ${seed}${digest === '' ? '' : `, ${grouped(runs)} runs, digest ${digest}`}`,
    ...files.map((file) => `wrote ${visible(file)}`),
  ];
}

function verdictLines(report: Report, columns: number, colors: Colors): string[] {
  const { interrupted } = report;
  const other = report.reading === 'literal' ? 'reference' : 'literal';
  const needs = needsOf(report);
  return [
    ...(interrupted === null ? [] : hanging('Cut short: ', visible(interrupted), columns)),
    `${colors.bold(coloredVerdict(report.verdict, colors))} in the ${report.reading} reading, which decides; ${report.verdicts[other]} in the ${other} reading`,
    ...scopeOf(report).flatMap(([label, text]) => hanging(`${label}: `, text, columns)),
    ...(needs.length === 0 ? [] : hanging('For CERTIFIED: ', needs.join('; '), columns)),
  ];
}

function coloredVerdict(verdict: Verdict, colors: Colors): string {
  if (verdict === 'CERTIFIED') return colors.green(verdict);
  return verdict === 'FAILED' ? colors.red(verdict) : colors.yellow(verdict);
}
