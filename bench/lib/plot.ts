/** One figure against another, as it is saved, printed and drawn. */

/** A plot. `name` is a file name without its ending. */
export interface Plot {
  readonly name: string;
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** How both axes are divided. */
  readonly scale: 'log' | 'linear';
  readonly points: readonly (readonly [x: number, y: number])[];
}

const BAR = 40;

/** Lines of text, the longest bar for the highest value. */
export function bars({ x, y, points }: Plot): readonly string[] {
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

/** Three significant figures, and all the digits before the point. */
export function rounded(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}
