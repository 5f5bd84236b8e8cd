/** Bugs of every kind, through the whole checker: caught, blamed on what they break, and shrunk. */
import { describe, expect, it } from 'vitest';
import { runTrial } from '../../src/cli/self-test/run-trial.js';
import { laneOf, type Trial } from '../../src/cli/self-test/trial.js';
import { findMutant } from '../../src/provider/index.js';

function trialOf(mutant: string | undefined, more: Partial<Trial> = {}): Trial {
  return {
    lane: mutant === undefined ? 'black-box' : laneOf(findMutant(mutant).breaks),
    ...(mutant === undefined ? {} : { mutant }),
    seed: 1,
    runs: 100,
    concurrency: 16,
    transport: 'virtual',
    firstOnly: true,
    examine: true,
    ...more,
  };
}

/** Far beyond what a trial takes, in milliseconds: other work may keep the machine busy. */
const DEADLINE_MS = 120_000;

describe('a mutant', { timeout: DEADLINE_MS }, () => {
  it.each([
    // The mutant, and the steps of its shortest counterexample.
    ['equal-token-passes', 2],
    ['fence-after-not-found', 2],
    ['mark-not-advanced-when-op-fails', 2],
    ['marks-forgotten-when-shards-alternate', 3],
    ['old-epoch-passes-with-high-sequence', 2],
    ['far-ahead-is-refused', 2],
    ['configure-retry-skips-fence', 3],
    ['operation-id-per-connection', 2],
    ['map-merged-with-old', 4],
    ['map-truncated-at-50-keys', 2],
    ['keys-trimmed', 2],
    ['oversized-blob-rejected-half-way', 2],
    ['host-before-create', 1],
    ['refusal-rewrites-last-error', 3],
    ['first-binding-restored', 5],
  ])('%s is blamed on what it breaks, in %d steps', async (mutant, steps) => {
    const { violations } = await runTrial(trialOf(mutant));
    const own = violations.find(({ behaviors }) => behaviors[0] === findMutant(mutant).breaks);
    expect(
      own,
      JSON.stringify(violations.map(({ behaviors, observed }) => [behaviors, observed])),
    ).toBeDefined();
    expect(own?.shrunk.to).toBe(steps);
    expect(own?.reproduced.failed).toBeGreaterThan(0);
  });

  it("that shows only in a later life of a machine is run again with the machine's past", async () => {
    const { violations } = await runTrial(trialOf('reborn-machine-refuses-configure'));
    const [found] = violations;
    expect(found?.behaviors[0]).toBe('B1203');
    expect(found?.reproduced).toEqual({ failed: 3, of: 3 });
    expect(found?.program.steps.map(({ call }) => call)).toContain('Delete');
  });
});

describe('a trial', { timeout: DEADLINE_MS }, () => {
  it('gives the same result every time, whatever the machine is busy with', async () => {
    const trial = trialOf('double-effect', { runs: 50 });
    const [one, other] = [await runTrial(trial), await runTrial(trial)];
    expect(one.caughtAfter).toBe(other.caughtAfter);
    expect(one.violations.map(({ behaviors, shrunk }) => [behaviors, shrunk])).toEqual(
      other.violations.map(({ behaviors, shrunk }) => [behaviors, shrunk]),
    );
  });

  it.each([1, 10])('of the healthy provider certifies it, its clock %d times as slow', async (timeScale) => {
    const { verdicts, violations } = await runTrial(trialOf(undefined, { firstOnly: false, timeScale }));
    expect(violations).toEqual([]);
    expect(verdicts.literal).toBe('CERTIFIED');
  });

  it('can do without examining what it found', async () => {
    const { violations } = await runTrial(trialOf('equal-token-passes', { examine: false }));
    expect(violations[0]?.reproduced).toEqual({ failed: 0, of: 0 });
  });
});
