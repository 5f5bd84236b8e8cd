/** A correct provider on many seeds, and the mutants of fencing and concurrency, through a broken network. */
import { afterAll, describe, expect, it } from 'vitest';
import { MUTANTS } from '../../src/provider/index.js';
import { accusations, type BrokenResult, checkThrough } from './check.js';
import { checkLate, type LateResult } from './late.js';

const SEEDS = Number(process.env.CHAOS_SEEDS ?? 50);
/** A mutant that shows itself rarely is given as many runs as this before it counts as missed. */
const CHANCES = 3;
const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
const mutants = MUTANTS.filter(({ breaks }) => /^B[34]/.test(breaks));
/** Seeds in virtual time cost a second each: of each of these shares of lost calls, so many. */
const LATE_SEEDS = Number(process.env.CHAOS_LATE_SEEDS ?? 60);
const LOSSES = [0.03, 0.1, 0.3];
/** Seeds on which nearly everything is lost. */
const HOPELESS_SEEDS = 36;
const correct: BrokenResult[] = [];
const late: LateResult[] = [];
const caught: string[] = [];
const LATE = { runs: 100, loss: 0.03 };

const sum = (of: (result: BrokenResult) => number): number =>
  correct.reduce((total, result) => total + of(result), 0);

afterAll(() => {
  const accused = correct.filter((result) => accusations(result).length > 0).length;
  process.stdout.write(
    `\nseeds: ${correct.length}, with a false accusation: ${accused}\ncalls: ${sum(({ calls }) => calls)}, lost: ${sum(({ lost }) => lost)}\nresets: ${sum(({ stats }) => stats.resets)}, stalls: ${sum(({ stats }) => stats.stalls)}, partitions: ${sum(({ stats }) => stats.partitions)}\nprograms concluded: ${sum(({ completed }) => completed)}, not concluded: ${sum(({ inconclusive }) => inconclusive)}\nin virtual time: ${late.length} seeds, ${late.reduce((total, { lost }) => total + lost, 0)} of ${late.reduce((total, { calls }) => total + calls, 0)} calls lost, with a false accusation: ${late.filter((result) => accusations(result).length > 0).length}\nmutants caught: ${caught.length} of ${mutants.length}\n`,
  );
});

describe('a check through a broken network', { timeout: 600_000 }, () => {
  it.each(seeds)('accuses a correct provider of nothing (seed %i)', async (seed) => {
    const result = await checkThrough({ seed, runs: 20 });
    correct.push(result);
    expect(accusations(result)).toEqual([]);
  });

  it.each(Array.from({ length: HOPELESS_SEEDS }, (_, index) => index + 1))(
    'accuses nobody where nearly everything is lost (seed %i)',
    async (seed) => {
      const selected = (id: string): boolean => id === 'B310' || id === 'B402';
      const result = await checkThrough({ seed, runs: 5, chaos: 'reset=0.15', selected });
      expect(accusations(result)).toEqual([]);
      expect(result.lost).toBeGreaterThan(result.calls / 4);
    },
  );

  describe.each(LOSSES)('of which %d of all calls are lost or late, in virtual time', (loss) => {
    it.each(Array.from({ length: LATE_SEEDS }, (_, index) => index + 1))(
      'accuses a correct provider of nothing (seed %i)',
      async (seed) => {
        const result = await checkLate({ seed, runs: 120, loss });
        late.push(result);
        expect(accusations(result)).toEqual([]);
      },
    );
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
        // Over TCP nobody knows how long a transition may take; in virtual time one that does not end is a bug.
        const stuck =
          result.findings.violations.length === 0 && (await checkLate({ ...LATE, seed: chance, mutant }));
        if (stuck && stuck.findings.violations.length === 0) continue;
        caught.push(mutant);
        return;
      }
      expect.unreachable(`${mutant}, which breaks ${breaks}, was not caught`);
    },
  );
});
