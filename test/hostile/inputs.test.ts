/** Files that users edit, or that come with a pull request, read as if they were written by an enemy. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CorpusEntry, CorpusError, corpusFiles, readCorpus } from '../../src/engine/corpus.js';
import { checkProgram } from '../../src/engine/program-schema.js';
import { expectUnpolluted, nasty, places, textWith } from './nasty.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bfcheck-inputs-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Reads a file of this content; a refusal becomes its message. */
async function read(content: string | Uint8Array): Promise<CorpusEntry | string> {
  const file = join(folder, 'entry.json');
  await writeFile(file, content);
  try {
    return await readCorpus(file);
  } catch (error) {
    expect(error).toBeInstanceOf(CorpusError);
    const message = error instanceof Error ? error.message : '';
    expect(message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    expect(message.length).toBeLessThan(folder.length + 600);
    return message;
  }
}

const VALID = {
  schema_version: 1,
  behavior: 'B303',
  also: ['B310'],
  rule: 'fence',
  aspect: 'code OK',
  expected: ['FAILED_PRECONDITION'],
  observed: 'OK',
  property: 'token-order',
  program: {
    machines: 2,
    steps: [
      { call: 'Create', machine: 0, token: { class: 'fresh', shard: 0 }, settle: true },
      {
        call: 'Configure',
        machine: 1,
        token: { shard: 0, epoch: '1', sequence: '9223372036854775807' },
        settle: false,
        cluster: 'c',
        metadata: [['k', 'v']],
        blobBytes: 3,
      },
      { call: 'Drain', machine: 'unknown', token: { class: 'none', shard: 0 }, settle: true, grace: '0' },
      { call: 'Watch', machine: 0 },
    ],
    branches: [[{ call: 'Delete', machine: 'empty', token: { class: 'replay', shard: 1 }, settle: true }]],
  },
};

describe('a corpus file', { timeout: 30_000 }, () => {
  it('is read as it was saved', async () => {
    expect(await read(JSON.stringify(VALID))).toMatchObject(VALID);
  });

  it('of any bytes is an entry or a refusal in one line', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' }), fc.json()),
        async (content) => {
          expect(await read(content)).toBeTypeOf('string');
        },
      ),
      { numRuns: 200 },
    );
    expectUnpolluted();
  });

  it('with any one value replaced is an entry whose program can be run, or a refusal in one line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places(VALID)), nasty, async (path, text) => {
        const entry = await read(textWith(VALID, path, text));
        if (typeof entry !== 'string') expect(checkProgram(entry.program)).toBeNull();
      }),
      { numRuns: 300 },
    );
    expectUnpolluted();
  });

  it('with a key of the prototype pollutes nothing', async () => {
    const text = JSON.stringify(VALID).replace(
      '{',
      '{"__proto__":{"polluted":true},"constructor":{"polluted":true},',
    );
    await read(text);
    expectUnpolluted();
  });

  it('that cannot be read is refused in one line', async () => {
    await mkdir(join(folder, 'a-folder.json'), { recursive: true });
    await expect(readCorpus(join(folder, 'a-folder.json'))).rejects.toThrow(CorpusError);
    await expect(readCorpus(join(folder, 'missing.json'))).rejects.toThrow(CorpusError);
  });
});

describe('a corpus folder', () => {
  it('names only its own JSON files', async () => {
    const corpus = join(folder, 'corpus');
    await mkdir(corpus);
    await writeFile(join(corpus, 'B101-x.json'), '{}');
    await writeFile(join(corpus, 'B101-x.json.123.tmp'), '{');
    expect(await corpusFiles(corpus)).toEqual([join(corpus, 'B101-x.json')]);
    expect(await corpusFiles(join(folder, 'missing'))).toEqual([]);
  });
});

describe('a program', () => {
  it('of any shape is judged without an exception', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true }), (value) => {
        const problem = checkProgram(value);
        expect(problem === null || typeof problem === 'string').toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
