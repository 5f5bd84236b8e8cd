/** What the benchmarks print and save: one row for each figure. */

/** What a figure must reach. */
export interface Target {
  readonly relation: 'at least' | 'at most';
  readonly value: number;
}

/** A measured figure. `target` is null for figures that only inform. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  /** The lowest and the highest of the samples. */
  readonly spread: readonly [low: number, high: number];
  readonly samples: number;
  readonly target: Target | null;
}

/** A group of figures under the heading of what they are about. */
export interface Group {
  readonly number: number;
  readonly title: string;
  readonly rows: readonly Row[];
  /** Lines to print under the figures: plots, profiles, what a bound was computed from. */
  readonly notes: readonly string[];
}

/** A row over samples of one figure. */
export function row(
  name: string,
  unit: string,
  samples: readonly number[],
  target: Target | null = null,
): Row {
  return {
    name,
    unit,
    median: median(samples),
    spread: [Math.min(...samples), Math.max(...samples)],
    samples: samples.length,
    target,
  };
}

export const atLeast = (value: number): Target => ({ relation: 'at least', value });
export const atMost = (value: number): Target => ({ relation: 'at most', value });

/** Whether the median reaches the target; true where there is none. */
export function isMet({ median: reached, target }: Row): boolean {
  if (target === null) return true;
  return target.relation === 'at least' ? reached >= target.value : reached <= target.value;
}

/** @throws RangeError without samples */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted[sorted.length >> 1];
  if (middle === undefined) throw new RangeError('a median needs a sample');
  return middle;
}

/** The exponent k of y = c * x^k that fits best: 1 is linear growth. */
export function growthExponent(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const meanX = logs.reduce((sum, [x]) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, [, y]) => sum + y, 0) / logs.length;
  const over = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const under = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return over / under;
}
