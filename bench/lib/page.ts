/** Puts the figures of bench/results.json into docs/performance.md, between its markers. */
import type { Plot } from './plot.js';
import { rounded } from './plot.js';
import type { MeasuredGroup, Results } from './results.js';
import type { Row } from './row.js';

/** From the root of the repository. */
export const PAGE = 'docs/performance.md';
/** Where the drawings are, beside the page. */
export const DRAWINGS = 'performance';

/**
 * `page` with everything between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->` written anew. Names are `machine`, and
 * for each group `NAME:figures`, `NAME:plots` and `NAME:notes`.
 *
 * @throws RangeError for a marker that names nothing
 */
export function filled(page: string, results: Results): string {
  return page.replace(
    /(<!-- bench:([\w:]+) -->\n)[\s\S]*?(<!-- \/bench:\2 -->)/g,
    (_, open: string, name: string, close: string) => [open, sectionOf(name, results), close].join('\n'),
  );
}

function sectionOf(name: string, results: Results): string {
  if (name === 'machine') return machineText(results);
  const [groupName, part] = name.split(':');
  const group = results.groups.find((one) => one.name === groupName);
  if (group === undefined) throw new RangeError(`no group ${name} was measured`);
  switch (part) {
    case 'figures':
      return figuresTable(group);
    case 'plots':
      return `${group.plots.map(picture).join('\n')}\n`;
    case 'notes':
      return ['```text', ...group.notes, '```', ''].join('\n');
    default:
      throw new RangeError(`a group has no ${name}`);
  }
}

function machineText({ machine, node, groups }: Results): string {
  const gib = Math.round(machine.memoryBytes / 1024 ** 3);
  const measured = groups.map(
    ({ name, commit, load: [before, after], full }) =>
      `| ${name} | \`${commit.slice(0, 10)}\` | ${full ? 'full' : 'short'} | ${before} | ${after} |`,
  );
  return [
    `${machine.cores} cores of ${machine.cpu}, ${gib} GiB, ${machine.platform}, Node ${node}.`,
    '',
    '| group | commit | form | load before | load after |',
    '|---|---|---|---|---|',
    ...measured,
    '',
  ].join('\n');
}

function figuresTable({ rows }: MeasuredGroup): string {
  return [
    '| what | target | median | lowest to highest | samples | |',
    '|---|---|---|---|---|---|',
    ...rows.map(figureLine),
    '',
  ].join('\n');
}

function figureLine({ name, unit, target, median, spread: [low, high], samples, met }: Row): string {
  const goal = target === null ? '' : `${target.relation} ${rounded(target.value)}`;
  const state = met === null ? '' : met ? 'met' : '**missed**';
  return `| ${name} | ${goal} | ${rounded(median)} ${unit} | ${rounded(low)} to ${rounded(high)} | ${samples} | ${state} |`;
}

function picture({ name, title }: Plot): string {
  return `![${title}](${DRAWINGS}/${name}.svg)`;
}
