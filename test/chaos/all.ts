/** A correct provider on many seeds, and the mutants of fencing and concurrency, through a broken network. */
import { afterAll, describe, expect, it } from 'vitest';
import { MUTANTS } from '../../src/provider/index.js';
import { accusations, type BrokenResult, checkThrough } from './check.js';

const SEEDS = Number(process.env.CHAOS_SEEDS ?? 50);
/** A mutant that shows itself rarely is given as many runs as this before it counts as missed. */
const CHANCES = 3;
const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
const mutants = MUTANTS.filter(({ breaks }) => /^B[34]/.test(breaks));
const correct: BrokenResult[] = [];
const caught: string[] = [];

const sum = (of: (result: BrokenResult) => number): number =>
  correct.reduce((total, result) => total + of(result), 0);

afterAll(() => {
  const accused = correct.filter((result) => accusations(result).length > 0).length;
  process.stdout.write(
    `\nseeds: ${correct.length}, with a false accusation: ${accused}\ncalls: ${sum(({ calls }) => calls)}, lost: ${sum(({ lost }) => lost)}\nresets: ${sum(({ stats }) => stats.resets)}, stalls: ${sum(({ stats }) => stats.stalls)}, partitions: ${sum(({ stats }) => stats.partitions)}\nprograms concluded: ${sum(({ completed }) => completed)}, not concluded: ${sum(({ inconclusive }) => inconclusive)}\nmutants caught: ${caught.length} of ${mutants.length}\n`,
  );
});

describe('a check through a broken network', { timeout: 600_000 }, () => {
  it.each(seeds)('accuses a correct provider of nothing (seed %i)', async (seed) => {
    const result = await checkThrough({ seed, runs: 20 });
    correct.push(result);
    expect(accusations(result)).toEqual([]);
  });

  it.each(mutants.map(({ name, breaks }) => [name, breaks] as const))(
    'catches %s',
    async (mutant, breaks) => {
      for (let chance = 1; chance <= CHANCES; chance++) {
        const provider = { mutant };
        const runs = 40 * chance;
        const result = await checkThrough({
          seed: chance,
          runs,
          selected: (id) => /^B[34]|^B12/.test(id),
          provider,
        });
        if (result.findings.violations.length === 0) continue;
        caught.push(mutant);
        return;
      }
      expect.unreachable(`${mutant}, which breaks ${breaks}, was not caught`);
    },
  );
});
