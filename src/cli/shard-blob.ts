/**
 * The blob report of one part of a run: everything that merging needs, as one JSON file. It is read by the version
 * of bfcheck that wrote it and by no other, and carries a checksum, so that what it holds is trusted as it is.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Part } from '../engine/part.js';
import { type FindingsSnapshot, snapshotOf } from '../engine/snapshot.js';
import type { RunQuestion, RunRecord } from '../report/run-record.js';
import { UsageError } from './failure.js';
import { packed, unpacked } from './packed-json.js';

const KIND = 'bfcheck-blob';
const LARGEST_BYTES = 512 * 1024 * 1024;

/** One part of a run. */
export interface ShardBlob {
  readonly part: Part;
  readonly run: Omit<RunRecord, 'results' | 'verdict' | 'findings' | 'question' | 'digests'>;
  readonly question: RunQuestion;
  readonly digests: ReadonlyMap<number, string>;
  readonly findings: FindingsSnapshot;
}

/** `blob-3-of-8.json`. */
export function blobName({ index, of }: Part): string {
  return `blob-${index}-of-${of}.json`;
}

/** Whether a file name is that of a blob report. */
export function isBlobName(name: string): boolean {
  return /(^|[\\/])blob-\d+-of-\d+\.json$/.test(name);
}

/** The blob of a finished part. */
export function blobOf(record: RunRecord, part: Part): ShardBlob {
  const { results: _, verdict: __, findings, question, digests, ...run } = record;
  if (question === undefined || digests === undefined)
    throw new RangeError('only a run of the check command can be merged');
  return { part, run, question, digests, findings: snapshotOf(findings) };
}

/** The blob as the text of its file. */
export function blobText(blob: ShardBlob): string {
  const data = packed(blob);
  return `${JSON.stringify({ kind: KIND, version: blob.run.tool.version, sha256: checksum(data), data })}\n`;
}

function checksum(data: unknown): string {
  return createHash('sha256').update(JSON.stringify(data)).digest('hex');
}

/**
 * Reads a blob report.
 * @throws UsageError in one line where it is none, is damaged, or was written by another version than `version`
 */
export async function readBlob(file: string, version: string): Promise<ShardBlob> {
  const fail = (what: string): never => {
    throw new UsageError(`${file}: ${what}`);
  };
  const text = await readFile(file, 'utf8').catch((error: Error) =>
    fail(`cannot be read (${error.message})`),
  );
  if (text.length > LARGEST_BYTES) return fail('larger than any blob report');
  const found = parsed(text);
  if (found === null || found.kind !== KIND)
    return fail('not a blob report of bfcheck (--shard writes them)');
  if (found.version !== version)
    return fail(`written by bfcheck ${String(found.version).slice(0, 40)}, and this is ${version}`);
  if (found.sha256 !== checksum(found.data))
    return fail('damaged: its checksum is wrong; run that part again');
  return unpacked(found.data) as ShardBlob;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
