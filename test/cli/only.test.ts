/** What a run says of behaviors that it was not asked about, and of counterexamples that were saved before. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { certify } from '../../src/library/certify.js';
import { type RunningProvider, startProvider } from '../../src/provider/index.js';

const A_RUN_MS = 120_000;

let provider: RunningProvider;
let corpus = '';
beforeAll(async () => {
  provider = await startProvider({ addr: '127.0.0.1:0', seedCount: 64, mutant: 'fence-after-idempotency' });
});
afterAll(() => provider.stop());
beforeEach(async () => {
  corpus = await mkdtemp(join(tmpdir(), 'bfcheck-only-'));
});
afterEach(() => rm(corpus, { recursive: true, force: true }));

function run(only: readonly string[]) {
  return certify({ target: provider.address, corpus, only, runs: 20, stabilityWindow: 20 });
}

describe('--only', () => {
  it(
    'decides by what it names, and tells what its programs saw besides',
    async () => {
      const report = await run(['B309', 'B305']);
      expect(report.verdict).toBe('CERTIFIED');
      expect(report.summary).toMatchObject({ passed: 2, failed: 0, skipped: 91 });
      expect(report.counterexamples.flatMap(({ behaviors }) => behaviors)).toContain('B303');
      expect(report.behaviors.find(({ id }) => id === 'B303')?.reason).toContain('seen broken all the same');
      expect(report.digest).toBe('');
    },
    A_RUN_MS,
  );
});

describe('a saved counterexample that still fails', () => {
  it(
    'is a violation, although nothing else in the run would have found it',
    async () => {
      await run(['B306']);
      const [file = ''] = (await readdir(corpus)).filter((name) => name.startsWith('B306-'));
      const report = await run(['B101']);
      const saved = report.counterexamples.find(({ corpus_file }) => corpus_file === join(corpus, file));
      expect(saved?.behaviors[0]).toBe('B306');
      expect(report.corpus).toContainEqual(
        expect.objectContaining({ file: join(corpus, file), result: 'STILL FAILS' }),
      );
      const again = await run(['B101', 'B306']);
      expect(again.verdict).toBe('FAILED');
    },
    A_RUN_MS,
  );
});
