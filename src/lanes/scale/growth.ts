/** How the latency of a full List grows with the fleet (B1107). */
import { listing, walkFleet } from './fleet-walk.js';
import type { GrowthPoint, ScaleClient } from './options.js';

/** Fleets are this much larger than the next smaller one, and so many sizes are measured. */
const RATIO = 2.5;
const SIZES = 4;
const FEWEST_MACHINES = 16;
/** A new process answers its first calls slower than the rest; these are not measured. */
const WARM_UP_LISTS = 4;
const FEWEST_LISTS = 5;
const MOST_LISTS = 40;
const LONGEST_MS = 1_500;
const GETS = 40;

/** Growth clearly worse than linear, by the exponent and by the largest fleet on its own. */
const WORST_EXPONENT = 1.5;
const WORST_FACTOR = 3;

/** The sizes to measure, from the smallest to `largest`. */
export function growthSizes(largest: number): readonly number[] {
  const sizes = Array.from({ length: SIZES }, (_, i) => Math.round(largest / RATIO ** (SIZES - 1 - i)));
  return [...new Set(sizes.map((size) => Math.max(size, Math.min(largest, FEWEST_MACHINES))))];
}

/** Full Lists of one fleet, the median of several, after a warm-up. */
export async function measureGrowth(
  client: ScaleClient,
  clock: () => number,
  sleep: (ms: number) => Promise<void>,
): Promise<GrowthPoint> {
  let machineId = '';
  for (let i = 0; i < WARM_UP_LISTS; i++) {
    await walkFleet(client, listing(), sleep, ({ id }) => {
      machineId = id;
    });
  }
  const gets: number[] = [];
  for (let i = 0; i < GETS; i++) {
    const { invokedAt, returnedAt } = await client.call({ kind: 'Get', machineId } as const);
    gets.push(returnedAt - invokedAt);
  }
  const samples: number[] = [];
  const from = clock();
  let [machines, bytes] = [0, 0];
  while (samples.length < FEWEST_LISTS || (samples.length < MOST_LISTS && clock() - from < LONGEST_MS)) {
    const walked = await walkFleet(client, listing(), sleep);
    samples.push(walked.latencyMs);
    [machines, bytes] = [walked.count, walked.bytes];
  }
  return {
    machines,
    ms: median(samples),
    fastestMs: Math.min(...samples),
    samples,
    fixedMs: Math.min(...gets),
    bytes,
  };
}

/**
 * The exponent of `latency ~ machines ^ exponent`, by least squares between the logarithms of the fastest samples: on
 * a busy machine every other statistic is mostly noise. What a call costs whatever it asks for is taken off first: it
 * would flatten the growth of small fleets. Null for fewer than two sizes.
 */
export function exponentOf(points: readonly GrowthPoint[]): number | null {
  return slope(points, growing(points));
}

/**
 * Whether the growth is clearly worse than linear: the exponent says so, and so does the largest fleet alone, held
 * against what the smallest one would make it. A slow sample moves neither.
 */
export function isWorseThanLinear(points: readonly GrowthPoint[]): boolean {
  const [smallest] = points;
  const largest = points.at(-1);
  if (smallest === undefined || largest === undefined) return false;
  const cost = growing(points);
  const linear = cost(smallest) * (largest.machines / smallest.machines);
  return (slope(points, cost) ?? 0) > WORST_EXPONENT && cost(largest) > WORST_FACTOR * linear;
}

type Cost = (point: GrowthPoint) => number;

/**
 * The fastest sample less what any call costs, but never less than half of what the smallest fleet takes: noise in a
 * small difference would look like growth, and a fixed part that is taken off too little only makes growth look flatter.
 */
function growing(points: readonly GrowthPoint[]): Cost {
  const [smallest] = points;
  const fixed = smallest === undefined ? 0 : Math.min(smallest.fixedMs, smallest.fastestMs / 2);
  return ({ fastestMs }) => Math.max(fastestMs - fixed, fastestMs / 2);
}

function slope(points: readonly GrowthPoint[], cost: Cost): number | null {
  const logs = points.map((point) => ({ x: Math.log(point.machines), y: Math.log(cost(point)) }));
  const meanX = mean(logs.map(({ x }) => x));
  const meanY = mean(logs.map(({ y }) => y));
  const spread = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (!(spread > 0)) return null;
  return logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The middle of `values`; NaN where there are none. */
export function median(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b);
  const half = Math.floor(ordered.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [ordered[Math.ceil(ordered.length / 2) - 1], ordered[half]];
  return (low + high) / 2;
}
