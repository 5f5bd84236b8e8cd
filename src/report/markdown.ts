/** `report.md`, also fit for the step summary of GitHub Actions. */
import type { Status, Verdict } from '../engine/status.js';
import { areaRows, STATUSES, statusName } from './area-table.js';
import { plural } from './call-text.js';
import type { Counterexample } from './counterexample.js';
import { grouped, visible } from './escape.js';
import { glancesOf } from './glance.js';
import { knownBehaviors, knownText } from './known.js';
import { idList, needsOf, readingDifferences, requiredUndecided } from './needs.js';
import type { Report } from './report.js';
import { scopeOf } from './scope.js';
import { storyLines } from './story.js';
import { asidesIn, primaryOf, toldIn } from './told.js';

/** A step summary may have 1 MiB; so many stories stay well below. */
const MOST_STORIES = 20;
const SIGNS: Readonly<Record<Verdict, string>> = { CERTIFIED: '✅', FAILED: '❌', INCOMPLETE: '⚠️' };

/** The report as Markdown. Foreign words stand in code only, so that they are neither markup nor mentions. */
export function reportMarkdown(report: Report): string {
  const told = toldIn(report);
  const asides = new Set(asidesIn(report));
  const sections = [
    headLines(report),
    tableLines(report),
    told.length === 0 ? [] : ['## Violations'],
    told.length < 2 ? [] : glanceLines(told),
    ...told
      .slice(0, MOST_STORIES)
      .map((counterexample) => storySection(counterexample, asides.has(counterexample))),
    told.length > MOST_STORIES
      ? [`${plural(told.length - MOST_STORIES, 'more violation')}: see report.json.`]
      : [],
    undecidedLines(report),
    knownLines(report),
    laneLines(report),
    readingLines(report),
    runLines(report),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function headLines(report: Report): string[] {
  const { verdict, verdicts, reading, profiles, interrupted } = report;
  const other = reading === 'literal' ? 'reference' : 'literal';
  const needs = needsOf(report);
  return [
    `# ${SIGNS[verdict]} bfcheck: ${verdict}`,
    '',
    `Profiles ${profiles.join(', ')}. ${verdict} in the ${reading} reading, which decides; ${verdicts[other]} in the ${other} reading.`,
    ...(interrupted === null ? [] : ['', `Cut short: ${codeSpan(visible(interrupted))}.`]),
    ...scopeOf(report).flatMap(([label, text]) => ['', `${label}: ${text}.`]),
    ...(needs.length === 0 ? [] : ['', `For CERTIFIED: ${needs.join('; ')}.`]),
  ];
}

function tableLines(report: Report): string[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const count = (status: Status, value: number): string =>
    status === 'failed' && value > 0 ? `**${value}**` : String(value);
  return [
    row(['area', ...STATUSES.map(statusName)]),
    `|---|${STATUSES.map(() => '---:|').join('')}`,
    ...areaRows(report).map(({ name, counts }) =>
      row([name, ...STATUSES.map((status) => count(status, counts[status]))]),
    ),
  ];
}

/** One line a kind: the rule, the call that shows it, and which behaviors it breaks. */
function glanceLines(told: readonly Counterexample[]): string[] {
  return glancesOf(told).flatMap(({ rule, says, first, others }) => {
    const { call, answered, allowed, counterexample } = first;
    const behaviors = new Set([counterexample, ...others].map(primaryOf));
    return [
      `- **Rule ${rule}**: ${prose(says)}.  `,
      `  ${call === null ? 'Answered' : `${codeSpan(call)} was answered`} ${codeSpan(answered)}; allowed: ${codeSpan(allowed)}.  `,
      `  Breaks ${[...behaviors].join(', ')}.`,
    ];
  });
}

function storySection(counterexample: Counterexample, aside: boolean): string[] {
  const [heading = '', , ...lines] = storyLines(counterexample);
  return [`### ${prose(heading)}${aside ? ' (not counted)' : ''}`, '', ...codeBlock(lines)];
}

function undecidedLines(report: Report): string[] {
  const groups = requiredUndecided(report);
  if (groups.length === 0) return [];
  return [
    '## Required, but not decided',
    '',
    ...groups.map(({ reason, behaviors }) => `- ${idList(behaviors, 100)}: ${codeSpan(visible(reason))}`),
  ];
}

function knownLines(report: Report): string[] {
  const known = knownBehaviors(report);
  if (known.length === 0) return [];
  return ['## Known beforehand', '', ...known.map((behavior) => `- ${behavior.id}: ${knownText(behavior)}`)];
}

function laneLines({ lanes }: Report): string[] {
  const told = lanes.filter(({ skipped, log }) => skipped !== null || log.length > 0);
  if (told.length === 0) return [];
  return [
    '## Lanes',
    '',
    ...told.flatMap(({ lane, skipped, log }) =>
      skipped === null
        ? [`The provider of the ${lane} lane wrote last:`, '', ...codeBlock(log.map((line) => visible(line)))]
        : [`- ${lane}: not run, ${codeSpan(visible(skipped))}`],
    ),
  ];
}

function readingLines(report: Report): string[] {
  const differing = readingDifferences(report);
  if (differing.length === 0) return [];
  return [
    '## Decided by the reading',
    '',
    ...differing.map(
      ({ id, readings }) => `- ${id}: literal ${readings.literal}, reference ${readings.reference}`,
    ),
  ];
}

function runLines({
  tool,
  provider,
  target,
  seed,
  runs,
  digest,
  stats,
  duration_ms,
  timestamp,
}: Report): string[] {
  const name = provider === '' ? '' : `${codeSpan(visible(provider, 80))} at `;
  return [
    '## Run',
    '',
    `- ${tool.name} ${tool.version} checked ${name}${codeSpan(visible(target))}`,
    `- ${plural(stats.sequences, 'sequence')}, ${plural(stats.rpcs, 'call')} in ${(duration_ms / 1000).toFixed(1)} s, begun ${timestamp}`,
    `- seed ${seed}${digest === '' ? '' : `, ${grouped(runs)} runs, digest \`${digest}\``}`,
  ];
}

/** Escapes what Markdown and HTML would read as markup in words of ours. */
function prose(text: string): string {
  return text.replace(/[\\`*_<>[\]|]/g, '\\$&');
}

/** A code span whose fence is longer than any run of backticks in it. */
export function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

function codeBlock(lines: readonly string[]): string[] {
  const fence = '`'.repeat(Math.max(3, ...lines.map((line) => longestRun(line) + 1)));
  return [`${fence}text`, ...lines, fence];
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
