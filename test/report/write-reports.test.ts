import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildReport } from '../../src/report/json-report.js';
import { requireWritable, writeFailure, writeReports } from '../../src/report/write-reports.js';
import { EnvironmentError } from '../../src/wire/environment-error.js';
import { HOSTILE, hostileViolation, runOf, staleCreate } from './runs.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bfcheck-reports-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('writeReports', () => {
  it('writes every report, into a folder that need not exist, and leaves nothing else', async () => {
    const run = runOf({ violations: [staleCreate()] });
    const out = join(folder, 'deep', 'er');
    const files = await writeReports(out, run);
    expect((await readdir(out)).map((name) => join(out, name)).sort()).toEqual([...files].sort());
    const text = await readFile(join(out, 'report.json'), 'utf8');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(buildReport(run))));
    expect(await readFile(join(out, 'junit.xml'), 'utf8')).toContain('<testsuites ');
  });

  it('replaces the reports of an earlier run', async () => {
    await writeReports(folder, runOf({ violations: [staleCreate()] }));
    await writeReports(folder, runOf());
    expect(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))).toMatchObject({
      verdict: 'CERTIFIED',
    });
  });

  it('says in one line what is in the way', async () => {
    await writeFile(join(folder, 'file'), '');
    const failure = await writeReports(join(folder, 'file', 'out'), runOf()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EnvironmentError);
    expect(String(failure)).toContain('a part of the path is a file, not a folder (ENOTDIR)');
    expect(String(failure)).not.toContain('\n');
  });

  it('leaves no temporary file behind when a report cannot be put in place', async () => {
    await mkdir(join(folder, 'report.json', 'taken'), { recursive: true });
    await expect(writeReports(folder, runOf())).rejects.toThrow(/a folder of that name is in the way/);
    expect(await readdir(folder)).toEqual(['report.json']);
  });

  it('names a full disk', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(writeFailure('reports/report.json', full).message).toBe(
      'cannot write the report reports/report.json: the disk is full (ENOSPC); choose another folder with --out DIR',
    );
  });

  it('writes nothing raw that acts on a terminal, and JSON that still says the same', async () => {
    const run = runOf({ violations: [hostileViolation()], provider: `${HOSTILE}\u2028\u{e0041}` });
    for (const file of await writeReports(folder, run)) {
      expect(await readFile(file, 'utf8')).not.toMatch(ACTIVE);
    }
    const report = buildReport(run);
    const json = await readFile(join(folder, 'report.json'), 'utf8');
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(report)));
    expect(JSON.parse(json).provider).toContain('\u009b');
    const page = await readFile(join(folder, 'report.html'), 'utf8');
    const [, embedded = ''] =
      /<script type="application\/json" id="report">(.*?)<\/script>/s.exec(page) ?? [];
    expect(JSON.parse(embedded)).toEqual(JSON.parse(json));
  });
});

/** Controls, but for the ends of lines; what turns text around, hides in it, or ends a line elsewhere. */
const ACTIVE =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}\ud800-\udfff]/u;

describe('a folder that cannot be written', () => {
  it('is told of before a run begins', async () => {
    await writeFile(join(folder, 'file'), '');
    const failure = await requireWritable(join(folder, 'file', 'out')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EnvironmentError);
    expect(String(failure)).toMatch(
      /cannot write the report [^\n]*\(ENOTDIR\); choose another folder with --out DIR$/,
    );
    await requireWritable(join(folder, 'new', 'out'));
    expect(await readdir(join(folder, 'new', 'out'))).toEqual([]);
  });
});

/** A file system of 4 MiB on `place`, or null where this user may mount none. */
function mounted(place: string): { end(): void } | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', place], { stdio: 'ignore' });
  } catch {
    return null;
  }
  return { end: () => execFileSync('umount', [place]) };
}

describe.skipIf(process.platform !== 'linux')('a full disk', () => {
  it('leaves the reports of the run before, all of them, and nothing else', async (context) => {
    const disk = mounted(folder);
    if (disk === null) return context.skip();
    try {
      const files = await writeReports(folder, runOf());
      const texts = (): Promise<string[]> => Promise.all(files.map((file) => readFile(file, 'utf8')));
      const before = await texts();
      const { bavail, bsize } = await statfs(folder);
      const { size } = await stat(files[0] ?? '');
      // Room for the first report and not for all of them.
      const room = Math.ceil((3 * size) / bsize);
      await writeFile(join(folder, 'filler'), Buffer.alloc((bavail - room) * bsize));
      const failure = await writeReports(folder, runOf({ violations: [hostileViolation()] })).catch(
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(EnvironmentError);
      expect(String(failure)).toMatch(
        /cannot write the report [^\n]*: the disk is full \(ENOSPC\); choose another/,
      );
      expect(await texts()).toEqual(before);
      expect((await readdir(folder)).length).toBe(files.length + 1);
    } finally {
      disk.end();
    }
  });
});
