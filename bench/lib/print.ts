/** The figures as text. */
import { type Group, isMet, type Row } from './row.js';

const BAR = 40;

export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** A group with its rows and notes. */
export function printGroup({ number, title, rows, notes }: Group): void {
  print(`\n${number}. ${title}`);
  for (const row of rows) print(`   ${mark(row)} ${figure(row)}`);
  for (const note of notes) print(`     ${note}`);
}

function mark(row: Row): string {
  if (row.target === null) return '    ';
  return isMet(row) ? 'ok  ' : 'MISS';
}

function figure({ name, unit, median, spread: [low, high], samples, target }: Row): string {
  const goal = target === null ? '' : `, target ${target.relation} ${rounded(target.value)}`;
  return `${name}: ${rounded(median)} ${unit} (${rounded(low)} to ${rounded(high)}, n=${samples}${goal})`;
}

/** Three significant figures, and all the digits before the point. */
export function rounded(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}

/** A plot of points as lines of text, the longest bar for the highest value. */
export function plot(
  x: string,
  y: string,
  points: readonly (readonly [x: number, y: number])[],
): readonly string[] {
  const highest = Math.max(...points.map(([, value]) => value));
  const wide = Math.max(x.length, ...points.map(([at]) => rounded(at).length));
  return [
    `${x.padStart(wide)} | ${y}`,
    ...points.map(([at, value]) => {
      const bar = '#'.repeat(Math.max(1, Math.round((BAR * value) / highest)));
      return `${rounded(at).padStart(wide)} | ${bar} ${rounded(value)}`;
    }),
  ];
}
