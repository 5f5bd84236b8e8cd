/** The figures as text. */
import { bars, rounded } from './plot.js';
import type { Group } from './results.js';
import type { Row } from './row.js';

export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** A group with its rows, plots and notes. */
export function printGroup({ name, title, rows, plots, notes }: Group): void {
  print(`\n${name}: ${title}`);
  for (const row of rows) print(`   ${mark(row)} ${figure(row)}`);
  for (const line of [...plots.flatMap((plot) => ['', ...bars(plot)]), '', ...notes]) print(`     ${line}`);
}

function mark({ met }: Row): string {
  if (met === null) return '    ';
  return met ? 'ok  ' : 'MISS';
}

function figure({ name, unit, median, spread: [low, high], samples, target }: Row): string {
  const goal = target === null ? '' : `, target ${target.relation} ${rounded(target.value)}`;
  return `${name}: ${rounded(median)} ${unit} (${rounded(low)} to ${rounded(high)}, n=${samples}${goal})`;
}
