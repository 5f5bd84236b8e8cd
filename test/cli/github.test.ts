/** What GitHub Actions is told, and that nobody else is. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tellGitHub } from '../../src/report/github-run.js';
import { buildReport } from '../../src/report/json-report.js';
import { runOf, staleCreate } from '../report/runs.js';

let folder = '';
let written: string[] = [];
const write = (text: string): void => {
  written.push(text);
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bfcheck-github-'));
  written = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const report = buildReport(runOf({ violations: [staleCreate()] }));

describe('in GitHub Actions', () => {
  it('annotates, and adds the report to the summary of the step', async () => {
    const summary = join(folder, 'summary.md');
    await writeFile(summary, 'from an earlier command\n');
    await tellGitHub(report, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }, write);
    expect(written[0]).toMatch(/^::error title=B303/);
    expect(await readFile(summary, 'utf8')).toMatch(/^from an earlier command\n# ❌ bfcheck: FAILED/);
  });

  it('only warns where the summary cannot be written', async () => {
    await tellGitHub(report, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'no/such') }, write);
    expect(written.at(-1)).toBe('::warning::the step summary could not be written (ENOENT)\n');
  });

  it('annotates where there is no summary', async () => {
    await tellGitHub(report, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '' }, write);
    expect(written.length).toBeGreaterThan(0);
  });
});

it('says nothing anywhere else', async () => {
  await tellGitHub(report, { GITHUB_STEP_SUMMARY: join(folder, 'summary.md') }, write);
  expect(written).toEqual([]);
});
