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
  /** Whether the median reaches the target; null where there is none. */
  readonly met: boolean | null;
}

/** A row over samples of one figure. */
export function row(
  name: string,
  unit: string,
  samples: readonly number[],
  target: Target | null = null,
): Row {
  const middle = median(samples);
  return {
    name,
    unit,
    median: middle,
    spread: [Math.min(...samples), Math.max(...samples)],
    samples: samples.length,
    target,
    met: target && reaches(middle, target),
  };
}

export const atLeast = (value: number): Target => ({ relation: 'at least', value });
export const atMost = (value: number): Target => ({ relation: 'at most', value });

function reaches(reached: number, { relation, value }: Target): boolean {
  return relation === 'at least' ? reached >= value : reached <= value;
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
