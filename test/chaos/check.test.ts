/** The quick form of the checks through a broken network; `npm run test:chaos` runs many seeds and mutants. */
import { describe, expect, it } from 'vitest';
import { accusations, checkThrough } from './check.js';

/** Fencing and concurrency: where a lost reply does the most harm. */
const CORE = (id: string): boolean => /^B[34]/.test(id);

describe('a check through a broken network', { timeout: 120_000 }, () => {
  it.each([1, 2])('accuses a correct provider of nothing (seed %i)', async (seed) => {
    const result = await checkThrough({ seed, runs: 6, selected: CORE });
    expect(accusations(result)).toEqual([]);
    expect(result.lost).toBeGreaterThan(0);
    expect(result.completed).toBeGreaterThan(result.inconclusive);
  });

  it.each([
    ['equal-token-passes', 'B303'],
    ['mark-not-advanced-when-op-fails', 'B301'],
    ['double-effect', 'B401'],
  ] as const)('still catches %s', async (mutant, behavior) => {
    const result = await checkThrough({ seed: 3, runs: 10, selected: CORE, provider: { mutant } });
    expect(result.findings.violations.flatMap(({ behaviors }) => behaviors)).toContain(behavior);
  });

  it('concludes nothing where nearly everything is lost', async () => {
    const result = await checkThrough({
      seed: 4,
      runs: 5,
      chaos: 'reset=0.15',
      selected: (id) => id === 'B310' || id === 'B402',
    });
    expect(accusations(result)).toEqual([]);
    expect(result.lost).toBeGreaterThan(result.calls / 4);
  });
});
