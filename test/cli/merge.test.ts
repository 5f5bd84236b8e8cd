/** A run in parts: together they are the run that one process would have done. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { check } from '../../src/cli/check.js';
import { mergeParts, partsOf } from '../../src/cli/merge.js';
import { merge } from '../../src/cli/merge-command.js';
import { packed, unpacked } from '../../src/cli/packed-json.js';
import { blobName, blobOf, blobText, readBlob, type ShardBlob } from '../../src/cli/shard-blob.js';
import { Supply } from '../../src/cli/supply.js';
import { version } from '../../src/cli/version.js';
import { Findings } from '../../src/engine/findings.js';
import { absorb, snapshotOf } from '../../src/engine/snapshot.js';
import { withDefaults } from '../../src/library/certify.js';
import { type RunningProvider, startProvider } from '../../src/provider/index.js';
import { buildReport } from '../../src/report/json-report.js';
import type { RunRecord } from '../../src/report/run-record.js';
import { staleCreate } from '../report/runs.js';

const PARTS = 8;
const RUNS = 120;
const A_RUN_MS = 300_000;

let folder = '';
const running: RunningProvider[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bfcheck-merge-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => Promise.all(running.map((provider) => provider.stop())));

async function addressOf(mutant?: string): Promise<string> {
  const provider = await startProvider({
    addr: '127.0.0.1:0',
    seedCount: 96,
    ...(mutant === undefined ? {} : { mutant }),
  });
  running.push(provider);
  return provider.address;
}

async function runPart(target: string, part: { index: number; of: number } | null): Promise<RunRecord> {
  const options = withDefaults({
    target,
    seed: 11,
    runs: RUNS,
    stabilityWindow: 20,
    corpus: join(folder, 'seeds'),
    ...(part === null ? {} : { shard: part }),
  });
  return check(new Supply(options), options, {
    clock: () => performance.now(),
    sleep: (ms) => sleep(ms),
    timestamp: '2026-01-02T03:04:05.678Z',
    listen: () => {},
    interrupted: new Promise(() => {}),
  });
}

/** Every part through its file, as it would come from another machine. */
async function inParts(target: string, of: number): Promise<{ file: string; blob: ShardBlob }[]> {
  const named: { file: string; blob: ShardBlob }[] = [];
  for (let index = 1; index <= of; index++) {
    const part = { index, of };
    const file = join(folder, blobName(part));
    await writeFile(file, blobText(blobOf(await runPart(target, part), part)));
    named.push({ file, blob: await readBlob(file, await version()) });
  }
  return named;
}

/** Programs that were run, concluded or not: which races overlap is up to the moment. */
function programsOf({ findings }: RunRecord): Record<string, number> {
  return Object.fromEntries(
    [...findings.tallies]
      .map(([name, { sequences, inconclusive }]): [string, number] => [
        name,
        sequences + [...inconclusive.values()].reduce((sum, count) => sum + count, 0),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

describe('the parts of a run of a correct provider', () => {
  it(
    'add up to the run of one process: sequences, digest, statuses and verdict',
    async () => {
      const target = await addressOf();
      const whole = await runPart(target, null);
      const merged = mergeParts(partsOf((await inParts(target, PARTS)).toReversed()));
      expect(merged.digest).toBe(whole.digest);
      expect(programsOf(merged)).toEqual(programsOf(whole));
      expect([merged.verdict, whole.verdict]).toEqual(['CERTIFIED', 'CERTIFIED']);
      const statuses = ({ results }: RunRecord) =>
        results.map(({ behavior, status }) => [behavior.id, status]);
      expect(statuses(merged)).toEqual(statuses(whole));
    },
    A_RUN_MS,
  );
});

describe('the parts of a run of a wrong provider', () => {
  it(
    'fail the same behaviors as one process',
    async () => {
      const target = await addressOf('empty-id-not-found');
      const failed = ({ results }: RunRecord) =>
        results.filter(({ status }) => status === 'failed').map(({ behavior }) => behavior.id);
      const whole = await runPart(target, null);
      const merged = mergeParts(partsOf(await inParts(target, PARTS)));
      expect(failed(merged)).toEqual(failed(whole));
      expect(failed(whole)).toContain('B208');
      expect([merged.verdict, merged.digest]).toEqual(['FAILED', whole.digest]);
    },
    A_RUN_MS,
  );

  it('keep what a bug breaks in any of them', () => {
    const [one, two] = [new Findings(), new Findings()];
    one.violations.push(staleCreate({ behaviors: ['B303', 'B312'] }));
    two.violations.push(staleCreate({ behaviors: ['B303', 'B1201'] }));
    const both = new Findings();
    for (const part of [one, two]) absorb(both, snapshotOf(part));
    expect(both.violations.map(({ behaviors }) => behaviors)).toEqual([['B303', 'B312', 'B1201']]);
  });

  it(
    'fail it together, each bug told once and saved where the parts are merged',
    async () => {
      const target = await addressOf('delta-misses-drained');
      const named = await inParts(target, 3);
      const lines: string[] = [];
      const out = join(folder, 'merged');
      const code = await merge([folder], { out, corpus: join(out, 'seeds') }, (text) => lines.push(text));
      expect(code).toBe(1);
      expect(lines.join('')).toContain('FAILED  B903');
      const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
      expect(report.counterexamples).toHaveLength(
        new Set(report.counterexamples.map(({ aspect }: { aspect: string }) => aspect)).size,
      );
      expect(report.counterexamples[0].corpus_file).toContain(join(out, 'seeds'));
      await readFile(report.counterexamples[0].corpus_file);
      expect(buildReport(mergeParts(partsOf(named))).verdicts).toEqual(report.verdicts);
    },
    A_RUN_MS,
  );
});

describe('parts that do not belong together', () => {
  let blob: ShardBlob;
  beforeAll(async () => {
    const target = await addressOf();
    const options = { index: 1, of: 2 };
    folder = await mkdtemp(join(tmpdir(), 'bfcheck-merge-'));
    blob = blobOf(await runPart(target, options), options);
  }, A_RUN_MS);

  const second = (parts: Partial<ShardBlob> = {}): { file: string; blob: ShardBlob } => ({
    file: 'b.json',
    blob: { ...blob, part: { index: 2, of: 2 }, ...parts },
  });
  const first = () => ({ file: 'a.json', blob });

  it.each([
    ['a part missing', () => [first()], 'part 2 of 2 missing: a verdict needs all of them'],
    ['a part twice', () => [first(), { file: 'b.json', blob }], 'part 1 is there twice: a.json and b.json'],
    ['no part at all', () => [], 'no blob report was found: bfcheck --shard K/N writes them'],
    [
      'another number of parts',
      () => [first(), second({ part: { index: 2, of: 3 } })],
      'a.json and b.json are not of the same run: another number of parts (2 and 3)',
    ],
    [
      'another seed',
      () => [first(), second({ run: { ...blob.run, seed: 12 } })],
      'a.json and b.json are not of the same run: another seed (11 and 12)',
    ],
    [
      'another target',
      () => [first(), second({ run: { ...blob.run, target: 'h:1' } })],
      /are not of the same run: another target/,
    ],
  ])('%s is one clear line', (_, parts, message) => {
    expect(() => partsOf(parts())).toThrow(message);
  });

  it('and files that are no blobs are told as such', async () => {
    const file = join(folder, 'blob-1-of-2.json');
    const read = async (text: string): Promise<unknown> => {
      await writeFile(file, text);
      return readBlob(file, await version());
    };
    await expect(read('{}')).rejects.toThrow('not a blob report of bfcheck');
    await expect(read('{"kind":')).rejects.toThrow('not a blob report of bfcheck');
    const text = blobText(blob);
    await expect(read(text.replace('"seed":11', '"seed":12'))).rejects.toThrow('damaged');
    await writeFile(file, text);
    await expect(readBlob(file, '9.9.9')).rejects.toThrow('and this is 9.9.9');
    await expect(merge([join(folder, 'none')], { out: folder, corpus: folder }, () => {})).rejects.toThrow(
      'no such file or folder',
    );
  });
});

describe('packed JSON', () => {
  it('gives back what it was given', () => {
    const value = {
      big: 2n ** 63n - 1n,
      numbers: [Number.NaN, Number.POSITIVE_INFINITY, -0, 1.5],
      map: new Map([
        ['__proto__', 1n],
        ['\ud800', 2n],
      ]),
      set: new Set(['B101']),
      bytes: new Uint8Array([0, 255]),
      nothing: null,
    };
    expect(unpacked(JSON.parse(JSON.stringify(packed(value))))).toEqual(value);
  });
});
