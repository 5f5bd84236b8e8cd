/** Lost and late calls in virtual time: what may still arrive is never forgotten, and silence is no evidence. */
import { describe, expect, it } from 'vitest';
import { accusations } from './check.js';
import { checkLate, idsOf } from './late.js';

describe('a check over a network whose lost calls arrive late', { timeout: 120_000 }, () => {
  // In seeds 1 and 3 a lost Create and a lost Configure arrive when another program has the machine.
  it.each([1, 2, 3])('accuses a correct provider of nothing, and certifies it (seed %i)', async (seed) => {
    const result = await checkLate({ seed, runs: 200, loss: 0.03 });
    expect(accusations(result)).toEqual([]);
    expect(result.lost).toBeGreaterThan(50);
    expect(idsOf(result, 'inconclusive')).toEqual([]);
  });

  it.each([0.25, 0.5, 0.8])('accuses nobody and ends where %d of all calls are lost', async (loss) => {
    const result = await checkLate({ seed: 301, runs: 50, loss });
    expect(accusations(result)).toEqual([]);
    expect(result.lost).toBeGreaterThan(500);
  });

  it('says so where more is lost on one machine than can be reckoned with', async () => {
    const { findings } = await checkLate({ seed: 300, runs: 50, loss: 0.5 });
    const reasons = [...findings.tallies.values()].flatMap(({ inconclusive }) => [...inconclusive.keys()]);
    expect(
      reasons.filter((reason) => /more than 6 replies to calls on one machine were lost/.test(reason)),
    ).not.toEqual([]);
  });

  it('takes silence for no evidence: where every call is lost, nothing is passed', async () => {
    const result = await checkLate({ seed: 1, runs: 50, loss: 1 });
    expect(accusations(result)).toEqual([]);
    expect(idsOf(result, 'passed')).toEqual([]);
    expect(idsOf(result, 'inconclusive').length).toBeGreaterThan(60);
  });

  it.each(['equal-token-passes', 'double-effect'])('still catches %s', async (mutant) => {
    const result = await checkLate({ seed: 1, runs: 50, loss: 0.03, mutant });
    expect(accusations(result)).not.toEqual([]);
  });
});
