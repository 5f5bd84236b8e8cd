/** `bfcheck merge DIR...`: one verdict and one set of reports from the parts of a shared run. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isBehaviorId } from '../../model/registry.js';
import { saveToCorpus } from '../engine/corpus.js';
import { printSummary } from '../report/terminal.js';
import { renderReports } from '../report/write-reports.js';
import type { CheckOptions } from './check-options.js';
import { UsageError } from './failure.js';
import { exitCodeOf, report } from './finish.js';
import { lookOf } from './look.js';
import { mergeParts, partsOf } from './merge.js';
import { isBlobName, readBlob, type ShardBlob } from './shard-blob.js';
import { version } from './version.js';

/** Options of `merge` as commander hands them over. */
export type MergeOptions = Pick<CheckOptions, 'out' | 'corpus' | 'quiet' | 'verbose'>;

/**
 * Merges the blob reports in `paths`, files or folders that are searched through. Returns the exit code of the run.
 * @throws UsageError in one line where they are not all the parts of one run
 */
export async function merge(
  paths: readonly string[],
  options: MergeOptions,
  write: (text: string) => void,
): Promise<number> {
  const files = (await Promise.all(paths.map(blobsIn))).flat();
  const mine = await version();
  const blobs = await Promise.all(files.map(async (file) => ({ file, blob: await readBlob(file, mine) })));
  const parts = partsOf(blobs);
  await requireSense(parts);
  const run = mergeParts(await Promise.all(parts.map((part) => kept(part, options.corpus))));
  await report(run, options, write);
  return exitCodeOf(run);
}

/**
 * Makes every report of them before anything is written.
 * @throws UsageError where nothing can be made of what they hold
 */
async function requireSense(parts: readonly ShardBlob[]): Promise<void> {
  try {
    const run = mergeParts(parts);
    await renderReports('', run);
    printSummary(
      run,
      lookOf({}, () => undefined),
    );
    if (run.findings.violations.every(({ behaviors: [first = ''] }) => isBehaviorId(first))) return;
  } catch {
    // Said below: what exactly is wrong inside a file that no bfcheck wrote helps nobody.
  }
  throw new UsageError('the blob reports hold what bfcheck does not write: run the parts again');
}

async function blobsIn(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new UsageError(`${path}: no such file or folder`);
  if (found.isFile()) return [path];
  const names = await readdir(path, { recursive: true });
  const blobs = names.filter(isBlobName).sort();
  if (blobs.length === 0) throw new UsageError(`${path}: no blob report in it (bfcheck --shard writes them)`);
  return blobs.map((name) => join(path, name));
}

/** The parts saved theirs on machines that may be gone: here they are saved again, so that they can be replayed. */
async function kept(blob: ShardBlob, corpus: string): Promise<ShardBlob> {
  const violations = await Promise.all(
    blob.findings.violations.map(async (violation) =>
      violation.corpusFile === null
        ? violation
        : { ...violation, corpusFile: await saveToCorpus(corpus, violation) },
    ),
  );
  return { ...blob, findings: { ...blob.findings, violations } };
}
