/** The other files that bfcheck reads: config, lists of known behaviors, and the blob reports of parts of a run. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BEHAVIORS } from '../../model/registry.js';
import { CONFIG_OPTION_TABLE, settingsIn } from '../../src/cli/config.js';
import { EXIT, explainFailure, UsageError } from '../../src/cli/failure.js';
import { knownList } from '../../src/cli/known-list.js';
import { merge } from '../../src/cli/merge-command.js';
import { keyOf } from '../../src/cli/option-spec.js';
import { blobOf, blobText } from '../../src/cli/shard-blob.js';
import { version } from '../../src/cli/version.js';
import { runOf, staleCreate } from '../report/runs.js';
import { expectUnpolluted, nasty, places, textWith } from './nasty.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bfcheck-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What a user sees of a refusal: lines that are clear and harmless, and the exit code of a mistake in what was asked. */
function expectRefusal(error: unknown, lines: number): void {
  expect(error).toBeInstanceOf(UsageError);
  const { text, code } = explainFailure(error, false);
  expect(code).toBe(EXIT.usage);
  expect(text).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
  expect(text.split('\n').length).toBeLessThanOrEqual(lines);
  expect(text).not.toMatch(/undefined|TypeError|is not a function|is not iterable/);
}

const CONFIG = {
  target: 'localhost:1',
  seed: 7,
  runs: 12,
  profile: ['core', 'spot'],
  only: ['B3*'],
  callTimeout: '2s',
  tls: true,
  quiet: false,
};

describe('a config file', { timeout: 60_000 }, () => {
  const read = (text: string): ReadonlyMap<string, unknown> | null => {
    try {
      return settingsIn(text, 'c.json');
    } catch (error) {
      expectRefusal(error, 1 + text.split(/[{,]/).length);
      return null;
    }
  };

  it('of any text gives known options or clear lines', () => {
    const known = new Set(CONFIG_OPTION_TABLE.map(keyOf));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), nasty), (text) => {
        for (const key of read(text)?.keys() ?? []) expect(known.has(key)).toBe(true);
      }),
      { numRuns: 400 },
    );
    expectUnpolluted();
  });

  it('with any one value replaced gives options or clear lines', () => {
    expect(read(JSON.stringify(CONFIG))?.size).toBe(Object.keys(CONFIG).length);
    fc.assert(
      fc.property(fc.constantFrom(...places(CONFIG)), nasty, (path, text) => {
        read(textWith(CONFIG, path, text));
      }),
      { numRuns: 400 },
    );
    expectUnpolluted();
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])('knows no key %s', (key) => {
    expect(read(`{"${key}":{"polluted":true}}`)).toBeNull();
    expectUnpolluted();
  });
});

describe('a list of known behaviors', { timeout: 60_000 }, () => {
  it('of any text names registered behaviors or is refused in one line', async () => {
    const file = join(folder, 'known');
    const registered = new Set<string>(BEHAVIORS.map(({ id }) => id));
    const line = fc.oneof(
      fc.constantFrom(
        'B3*',
        'B101 # why',
        '#',
        '',
        '*',
        '__proto__',
        `B${'*'.repeat(5_000)}`,
        '../../etc/passwd',
      ),
      fc.string({ unit: 'binary' }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array(),
          fc.array(line).map((lines) => lines.join('\n')),
        ),
        async (content) => {
          await writeFile(file, content);
          try {
            for (const id of await knownList(file)) expect(registered.has(id)).toBe(true);
          } catch (error) {
            expectRefusal(error, 1);
          }
        },
      ),
      { numRuns: 200 },
    );
    expectUnpolluted();
  });

  it('that cannot be read is refused in one line', async () => {
    for (const file of [folder, join(folder, 'missing')]) {
      expectRefusal(await knownList(file).catch((error: unknown) => error), 1);
    }
  });
});

describe('a blob report', { timeout: 120_000 }, () => {
  const run = runOf({ violations: [staleCreate()] });
  const selected = new Set(BEHAVIORS.map(({ id }) => id));
  const nothing = new Set<never>();

  /** The text of the only part of a run, and its data. */
  async function part(): Promise<{ readonly text: string; readonly data: unknown }> {
    const question = {
      profiles: run.profiles,
      reading: run.reading,
      selected,
      knownFailing: nothing,
      knownFlaky: nothing,
    };
    const tool = { ...run.tool, version: await version() };
    const text = blobText(
      blobOf({ ...run, tool, question, digests: new Map([[0, 'ab'.repeat(32)]]) }, { index: 1, of: 1 }),
    );
    return { text, data: JSON.parse(text).data };
  }

  /** A blob of this data whose checksum is right, as anybody can make one. */
  async function forged(data: string): Promise<string> {
    let canonical = data;
    try {
      canonical = JSON.stringify(JSON.parse(data));
    } catch {
      // What is too deep to be read has no checksum that anybody could look at.
    }
    const sha256 = createHash('sha256').update(canonical).digest('hex');
    return `{"kind":"bfcheck-blob","version":"${await version()}","sha256":"${sha256}","data":${data}}`;
  }

  /** Merges a file of this content in a folder of its own; gives back what it wrote, or null where it was refused. */
  async function merged(content: string | Uint8Array): Promise<readonly string[] | null> {
    const home = await mkdtemp(join(folder, 'merge-'));
    const file = join(home, 'blob-1-of-1.json');
    await writeFile(file, content);
    const place = join(home, 'a', 'b');
    await mkdir(place, { recursive: true });
    const options = { out: join(place, 'out'), corpus: join(place, 'corpus') };
    let refused = false;
    try {
      await merge([file], options, () => undefined);
    } catch (error) {
      expectRefusal(error, 1);
      refused = true;
    }
    const left = (await readdir(home, { recursive: true })).filter((name) => /\.\w+$/.test(name)).sort();
    await rm(home, { recursive: true });
    expect(
      left.filter((name) => !/^(blob-1-of-1\.json|a\/b\/(out|corpus)\/[\w.-]+\.\w+)$/.test(name)),
    ).toEqual([]);
    expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    if (refused) expect(left).toEqual(['blob-1-of-1.json']);
    return refused ? null : left;
  }

  it('is merged as it was written', async () => {
    const { text, data } = await part();
    expect(await merged(text)).toHaveLength(1 + 5 + 1);
    expect(await merged(await forged(JSON.stringify(data)))).not.toBeNull();
  });

  it('of any bytes is refused in one line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array(), fc.json(), nasty), async (content) => {
        expect(await merged(content)).toBeNull();
      }),
      { numRuns: 60 },
    );
    expectUnpolluted();
  });

  it('with any one value replaced, and a checksum to it, is merged or refused in one line, and writes nowhere else', async () => {
    const { data } = await part();
    const all = places(data);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), nasty, async (path, text) => {
        await merged(await forged(textWith(data, path, text)));
      }),
      { numRuns: 150 },
    );
    expectUnpolluted();
  });

  it('cannot name a file outside of the corpus', async () => {
    const { data } = await part();
    const text = JSON.stringify(data).replaceAll(/"behaviors":\["B\d+"/g, '"behaviors":["../../../escaped"');
    expect(text).toContain('escaped');
    expect(await merged(await forged(text))).toBeNull();
  });
});
