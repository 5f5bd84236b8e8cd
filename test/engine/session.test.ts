import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BehaviorId } from '../../model/registry.js';
import { readCorpus } from '../../src/engine/corpus.js';
import type { EngineEvent } from '../../src/engine/events.js';
import type { Findings } from '../../src/engine/findings.js';
import { BATCH_SIZE } from '../../src/engine/session.js';
import { withLane } from './check-provider.js';

describe('a healthy provider', () => {
  it('is accused of nothing, and the same seed does the same at any concurrency', {
    timeout: 120_000,
  }, async () => {
    const digests: string[] = [];
    for (const concurrency of [1, 16]) {
      await withLane({}, { runs: 80, seed: 3, concurrency }, ({ findings, digest }) => {
        expect(findings.violations).toEqual([]);
        digests.push(digest);
      });
    }
    expect(digests[0]).toBe(digests[1]);
  });

  it('gives evidence for every black-box behavior', { timeout: 60_000 }, async () => {
    await withLane({}, { runs: 60 }, ({ findings }) => {
      const wanted: BehaviorId[] = [
        'B101',
        'B108',
        'B206',
        'B213',
        'B302',
        'B311',
        'B401',
        'B405',
        'B501',
        'B804',
        'B905',
        'B1205',
      ];
      const missing = wanted.filter((id) => (findings.recorder.evidence(id).cases ?? 0) === 0);
      expect(missing).toEqual([]);
    });
  });
});

describe('the machines of a run', () => {
  it('are all back where a program can start, however many ways a race may have gone', {
    timeout: 120_000,
  }, async () => {
    await withLane({}, { runs: 600 }, ({ findings, left }) => {
      expect(findings.violations).toEqual([]);
      expect(left).toEqual(new Map([['SPECULATIVE', 256]]));
    });
  });
});

describe('a run that is cut short', () => {
  it('generates nothing more, and says of all the rest why it was not run', {
    timeout: 120_000,
  }, async () => {
    const runs = 50_000;
    let planned = 0;
    const listen = (event: EngineEvent, findings: Findings): void => {
      if (event.type === 'lane-started') planned += event.planned;
      else if (event.type === 'sequence-done' && planned > runs) findings.stop('enough');
    };
    await withLane({}, { runs, listen }, ({ findings, digests }) => {
      const tallies = [...findings.tallies.values()];
      const left = tallies.reduce((sum, { inconclusive }) => sum + (inconclusive.get('enough') ?? 0), 0);
      const ran = tallies.reduce((sum, { sequences }) => sum + sequences, 0);
      expect(left + ran).toBe(planned);
      expect(digests.size * BATCH_SIZE).toBeLessThan(runs / 100);
    });
  });
});

/** One bug of each area that a run without luck finds. */
const BUGS: readonly [mutant: string, behavior: BehaviorId][] = [
  ['cluster-survives-drain', 'B106'],
  ['fresh-operation-id-on-retry', 'B206'],
  ['mark-per-shard', 'B302'],
  ['fence-after-not-found', 'B301'],
  ['double-effect', 'B401'],
  ['nan-price', 'B802'],
];

describe('a provider with a bug', () => {
  it.each(BUGS)(
    '%s is found, blamed on %s, made small and saved',
    { timeout: 120_000 },
    async (mutant, behavior) => {
      await withLane({ mutant }, { runs: 60 }, async ({ findings, corpus }) => {
        const found = findings.violations.find(({ behaviors }) => behaviors[0] === behavior);
        expect(findings.violations.map(({ behaviors }) => behaviors[0])).toContain(behavior);
        expect(found?.program.steps.length).toBeLessThanOrEqual(6);
        const files = (await readdir(corpus)).filter((name) => name.startsWith(`${behavior}-`));
        expect(files.length).toBeGreaterThan(0);
        const entry = await readCorpus(join(corpus, files[0] ?? ''));
        expect(entry).toMatchObject({ behavior, schema_version: 1 });
      });
    },
  );
});
