import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildReport } from '../../src/report/json-report.js';
import { writeFailure, writeReports } from '../../src/report/write-reports.js';
import { EnvironmentError } from '../../src/wire/environment-error.js';
import { runOf, staleCreate } from './runs.js';

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
});
