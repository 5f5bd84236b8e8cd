/** The scale lane against the reference provider: what it passes, what it catches, and what it leaves undecided. */
import { describe, expect, it } from 'vitest';
import { EnvironmentError } from '../../src/wire/index.js';
import { booting, runLane, SMALL } from './scale-provider.js';

const TEST_MS = 180_000;
/** Above it the mutants of large fleets show their bugs. */
const LARGE = 4_100;
const ALL = ['B1101', 'B1102', 'B1103', 'B1104', 'B1105', 'B1106', 'B1107', 'B1108', 'B1109'];
/** A machine that stands still itself leaves the latencies undecided, which is right and no part of these tests. */
const unhurried = (statuses: Readonly<Record<string, string>>) =>
  statuses.B1106 === 'inconclusive' ? { ...statuses, B1106: 'passed' } : statuses;
const allAre = (status: string) => Object.fromEntries(ALL.map((id) => [id, status]));

describe('a provider that keeps the contract', () => {
  it(
    'passes all nine, and the reports get their numbers',
    async () => {
      const { statuses, result, findings } = await runLane(booting());
      expect(findings.violations).toEqual([]);
      expect(unhurried(statuses)).toEqual(allAre('passed'));
      const { created = 0, deleted = 0, live = 0, liveBefore = 0, cycles = 0 } = result.counts;
      expect(liveBefore + created).toBe(deleted + live);
      expect(cycles).toBeGreaterThanOrEqual(SMALL.soakCycles);
      expect(result.machines).toBe(SMALL.scaleSeed);
      expect(result.growth.map(({ machines }) => machines)).toEqual([26, 64, 160, 400]);
      expect(result.exponent).not.toBeNull();
      expect(result.peakRssBytes).toBeGreaterThan(0);
      for (const rpc of [
        'Create',
        'Configure',
        'Drain',
        'Delete',
        'Get',
        'List',
        'List (delta)',
        'List (page)',
      ]) {
        const found = result.latencies.find((latency) => latency.rpc === rpc);
        expect(found?.count, rpc).toBeGreaterThan(0);
        expect(found?.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(found?.count);
      }
    },
    TEST_MS,
  );

  it.each([
    ['without Delete', { deletes: false }],
    ['that settles before it answers', { variant: 'synchronous' }],
    ['that refreshes prices by itself', { variant: 'refreshing-prices' }],
  ])(
    'passes all nine %s',
    async (_name, options) => {
      const { statuses, findings } = await runLane(booting(options));
      expect(findings.violations).toEqual([]);
      expect(unhurried(statuses)).toEqual(allAre('passed'));
    },
    TEST_MS,
  );

  it(
    'skips deltas and paging where it has no cursors',
    async () => {
      const { statuses, findings } = await runLane(booting({ variant: 'no-cursors' }));
      expect(findings.violations).toEqual([]);
      expect(unhurried(statuses)).toEqual({ ...allAre('passed'), B1102: 'skipped', B1103: 'skipped' });
    },
    TEST_MS,
  );

  it(
    'departs from the literal reading only where a capped page has the head as its cursor',
    async () => {
      const { statuses, results } = await runLane(booting({ variant: 'head-cursor' }));
      expect(unhurried(statuses)).toEqual({ ...allAre('passed'), B1103: 'failed' });
      const paging = results.find(({ behavior }) => behavior.id === 'B1103');
      expect(paging?.readings).toEqual({ literal: 'failed', reference: 'passed' });
    },
    TEST_MS,
  );
});

describe('a provider that breaks it', () => {
  it.each([
    ['record-broken-at-scale', 'B1101'],
    ['list-cut-at-scale', 'B1101'],
    ['delta-wrong-above-4096-machines', 'B1102'],
    ['page-skips-at-scale', 'B1103'],
    ['map-leaks-from-worn-machine', 'B1104'],
    ['operation-id-collides-under-load', 'B1108'],
    ['create-lost-under-load', 'B1108'],
    ['idle-machine-fails-in-soak', 'B1109'],
  ])(
    '%s is caught and blamed on %s first',
    async (mutant, behavior) => {
      const { findings, statuses } = await runLane(booting({ mutant }), {
        scaleSeed: LARGE,
        settleTimeoutMs: 1_500,
      });
      expect(findings.violations.map(({ behaviors }) => behaviors[0])).toContain(behavior);
      expect(statuses[behavior]).toBe('failed');
    },
    TEST_MS,
  );

  it(
    'is caught when it loses a machine once in 500 cycles',
    async () => {
      const { findings, statuses } = await runLane(booting({ mutant: 'machine-vanishes-in-soak' }), {
        soakCycles: 600,
      });
      expect(findings.violations.map(({ behaviors }) => behaviors[0])).toContain('B1105');
      expect(statuses.B1105).toBe('failed');
    },
    TEST_MS,
  );
});

describe('where nothing can be concluded', () => {
  it('is told of a provider that does not come up', async () => {
    const { statuses, results } = await runLane(() =>
      Promise.reject(new EnvironmentError('the provider did not come up: out of luck')),
    );
    expect(statuses).toEqual(allAre('inconclusive'));
    expect(results[0]?.reason).toContain('out of luck');
  });

  it(
    'is told of a provider that ends by itself, and every provider is stopped',
    async () => {
      let running = 0;
      const boot = booting();
      const { statuses, results } = await runLane(
        async (machines) => {
          const provider = await boot(machines);
          running += 1;
          const isLast = machines === SMALL.scaleSeed;
          const ended = isLast ? endsSoon(provider.stop) : new Promise<string>(() => undefined);
          return {
            ...provider,
            process: { log: ['bye'], ended },
            stop: async () => {
              running -= 1;
              await provider.stop();
            },
          };
        },
        { settleTimeoutMs: 500 },
      );
      expect(running).toBe(0);
      expect(Object.values(statuses)).not.toContain('failed');
      expect(results.find(({ behavior }) => behavior.id === 'B1105')?.reason).not.toBe('');
    },
    TEST_MS,
  );
});

/** The provider goes away as soon as somebody looks at it. */
async function endsSoon(stop: () => Promise<void>): Promise<string> {
  await stop();
  return 'exited with code 3';
}
