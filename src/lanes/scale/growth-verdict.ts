/** Whether a full List costs too much, or grows worse than the fleet does (B1107). */
import { exponentOf, isWorseThanLinear } from './growth.js';
import type { GrowthPoint } from './options.js';
import { CaseStopped } from './stopped.js';

/** Measures the two sizes that decide once more, the smaller one on a provider of its own. */
export type MeasureAgain = (
  smallest: number,
) => Promise<{ readonly smallest: GrowthPoint; readonly largest: GrowthPoint }>;

/**
 * Judges the latencies of full Lists. A busy moment is not a pattern: growth that looks bad is measured again.
 * @param points from the smallest fleet to the largest
 * @throws CaseStopped where the largest fleet exceeds its budget, or the growth is clearly worse than linear
 */
export async function checkGrowth(
  points: readonly GrowthPoint[],
  budgetMs: number,
  again: MeasureAgain,
): Promise<void> {
  const smallest = points[0];
  const largest = points.at(-1);
  if (smallest === undefined || largest === undefined)
    throw CaseStopped.inconclusive('no full List was measured');
  if (largest.ms > budgetMs) {
    throw tooSlow(
      'budget',
      `a full List of ${largest.machines} machines within ${budgetMs} ms`,
      `${largest.ms.toFixed(0)} ms (median of ${largest.samples.length})`,
    );
  }
  if (!isWorseThanLinear(points)) return;
  const second = await again(smallest.machines);
  if (!isWorseThanLinear([second.smallest, ...points.slice(1, -1), second.largest])) return;
  const table = points.map(({ machines, fastestMs }) => `${machines}: ${fastestMs.toFixed(1)} ms`);
  throw tooSlow(
    'growth',
    'the latency of a full List to grow with the number of machines, not with a higher power of it',
    `latency ~ machines^${exponentOf(points)?.toFixed(2)} (fastest of several: ${table.join(', ')})`,
  );
}

function tooSlow(aspect: string, expected: string, observed: string): CaseStopped {
  return CaseStopped.broken({
    behaviors: ['B1107'],
    rule: 'list',
    aspect: `full List ${aspect}`,
    expected: [expected],
    observed,
  });
}
