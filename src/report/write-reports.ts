/** Writes the reports of a run into a folder. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TextFile, writeTogether } from '../engine/write-atomically.js';
import { EnvironmentError } from '../wire/environment-error.js';
import { visible } from './escape.js';
import { buildReport, reportJson } from './json-report.js';
import type { Report } from './report.js';
import type { RunRecord } from './run-record.js';

/** File names and what makes their text; loaded when they are written, so that other commands start quickly. */
const FILES: readonly (readonly [name: string, render: (report: Report) => Promise<string>])[] = [
  ['report.json', async (report) => reportJson(report)],
  ['report.html', async (report) => (await import('./html.js')).htmlReport(report)],
  ['report.md', async (report) => (await import('./markdown.js')).reportMarkdown(report)],
  ['badge.json', async (report) => (await import('./badge.js')).badgeJson(report)],
  ['junit.xml', async (report) => (await import('./junit.js')).junitXml(report)],
];

/**
 * Writes every report of `run` into `folder`, which is made where it does not exist. Each file appears whole or not
 * at all, and none before all could be written. Returns their paths.
 * @throws EnvironmentError in one line where the folder cannot be written or the disk is full
 */
export async function writeReports(folder: string, run: RunRecord): Promise<string[]> {
  const files = await renderReports(folder, run);
  await inFolder(folder, files);
  return files.map(({ file }) => file);
}

/** Every report of `run` as it would stand in `folder`; nothing is written. */
export async function renderReports(folder: string, run: RunRecord): Promise<readonly TextFile[]> {
  const report = buildReport(run);
  const files: TextFile[] = [];
  for (const [name, render] of FILES) files.push({ file: join(folder, name), text: await render(report) });
  return files;
}

/**
 * Writes one report into `folder`, which is made where it does not exist. Returns its path.
 * @throws EnvironmentError in one line where it cannot be written
 */
export async function writeReport(folder: string, name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await inFolder(folder, [{ file, text }]);
  return file;
}

/**
 * Makes sure, before a run begins, that its reports will have a place.
 * @throws EnvironmentError in one line where files cannot be written into `folder`
 */
export async function requireWritable(folder: string): Promise<void> {
  const probe = join(folder, `.bfcheck-${process.pid}.tmp`);
  await writing(folder, () => mkdir(folder, { recursive: true }));
  await writing(folder, () => writeFile(probe, ''));
  await writing(folder, () => rm(probe));
}

async function inFolder(folder: string, files: readonly TextFile[]): Promise<void> {
  await writing(folder, () => mkdir(folder, { recursive: true }));
  await writeTogether(files, writing);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a file of that name is in the way',
  EISDIR: 'a folder of that name is in the way',
  ENAMETOOLONG: 'the path is too long',
};

async function writing(path: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    throw writeFailure(path, error);
  }
}

/** The one-line error for a report that could not be written. */
export function writeFailure(path: string, error: unknown): EnvironmentError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = REASONS[code] ?? visible(error instanceof Error ? error.message : String(error));
  const suffix = REASONS[code] === undefined ? '' : ` (${code})`;
  return new EnvironmentError(
    `cannot write the report ${visible(path)}: ${reason}${suffix}; choose another folder with --out DIR`,
  );
}
