/** The library as a test suite uses it. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConformanceError, certify, conformanceCases } from '../../src/library/index.js';
import { type ProviderOptions, type RunningProvider, startProvider } from '../../src/provider/index.js';

const running: RunningProvider[] = [];
afterAll(() => Promise.all(running.map((provider) => provider.stop())));

async function address(options: Partial<ProviderOptions> = {}): Promise<string> {
  const provider = await startProvider({ addr: '127.0.0.1:0', seedCount: 64, ...options });
  running.push(provider);
  return provider.address;
}

const quick = { runs: 10, stabilityWindow: 20 } as const;

describe('conformanceCases', () => {
  it('makes a case of every property without calling anybody', () => {
    const cases = conformanceCases({ target: 'localhost:1' });
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
    expect(new Set(cases.flatMap(({ behaviors }) => behaviors)).size).toBeGreaterThan(60);
  });

  it('leaves out what is not asked for', () => {
    const cases = conformanceCases({ target: 'localhost:1', only: ['B3*'], skip: ['B312'] });
    expect(cases.flatMap(({ behaviors }) => behaviors)).toContain('B303');
    expect(
      cases.flatMap(({ behaviors }) => behaviors).filter((id) => !/^B3/.test(id) || id === 'B312'),
    ).toEqual([]);
    expect(() => conformanceCases({ target: 'localhost:1', only: ['B999'] })).toThrow(
      'no behavior matches "B999"',
    );
  });

  it('pass on a correct provider, whose address may be known late', async () => {
    const target = () => address();
    for (const { name, run } of conformanceCases({ target, only: ['B3*', 'B107'], ...quick }))
      expect([name, await run()]).toEqual([name, { status: 'passed' }]);
  }, 60_000);

  it('fail with the whole story on a wrong one', async () => {
    const target = await address({ mutant: 'equal-token-passes' });
    const [token] = conformanceCases({ target, only: ['B303'], ...quick });
    const failure = await token?.run().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConformanceError);
    expect(String(failure)).toContain('Contract allows    FAILED_PRECONDITION');
    expect(String(failure)).toContain('<- wrong');
  }, 60_000);

  it('say what the provider lacks', async () => {
    const target = await address({ deletes: false });
    const [remove] = conformanceCases({ target, only: ['B109'], ...quick });
    expect(await remove?.run()).toEqual({
      status: 'skipped',
      reason: 'the provider answers Delete with UNIMPLEMENTED',
    });
  }, 60_000);

  it('never pass where nobody answers', async () => {
    const [one] = conformanceCases({ target: '127.0.0.1:1', only: ['B101'], bootTimeout: 200 });
    await expect(one?.run()).rejects.toThrow('127.0.0.1:1');
  });
});

describe('certify', () => {
  it('resolves to the report, whatever the verdict, and writes nothing it was not told to', async () => {
    const events: string[] = [];
    const corpus = await mkdtemp(join(tmpdir(), 'bfcheck-certify-'));
    try {
      const report = await certify({
        target: await address({ mutant: 'cluster-survives-drain' }),
        only: ['B106'],
        runs: 0,
        stabilityWindow: 20,
        corpus,
        onEvent: ({ type }) => events.push(type),
      });
      expect([report.verdict, report.behaviors.find(({ id }) => id === 'B106')?.status]).toEqual([
        'FAILED',
        'failed',
      ]);
      expect(events).toContain('violation-seen');
      expect((await readdir(corpus)).every((name) => /^B\d+-[0-9a-f]+\.json$/.test(name))).toBe(true);
    } finally {
      await rm(corpus, { recursive: true, force: true });
    }
  }, 60_000);
});
