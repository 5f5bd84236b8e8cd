/**
 * The blob report of one part of a run: everything that merging needs, as one JSON file. It is read by the version
 * of bfcheck that wrote it and by no other, and carries a checksum against accidents. Anybody can make a checksum, so
 * what everything else hangs on is looked at as well.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { jsonText } from '../engine/json-text.js';
import type { Part } from '../engine/part.js';
import { type FindingsSnapshot, snapshotOf } from '../engine/snapshot.js';
import type { RunQuestion, RunRecord } from '../report/run-record.js';
import { UsageError } from './failure.js';
import { packed, unpacked } from './packed-json.js';
import { MOST_SHARDS } from './shard-value.js';

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
  return `${jsonText({ kind: KIND, version: blob.run.tool.version, sha256: checksum(data), data })}\n`;
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
  if (found.sha256 !== orNull(() => checksum(found.data)))
    return fail('damaged: its checksum is wrong; run that part again');
  return blobIn(found.data) ?? fail('damaged: something is missing in it; run that part again');
}

/** The blob, or null where what is read of it first has another shape. */
function blobIn(data: unknown): ShardBlob | null {
  const blob = orNull(() => unpacked(data));
  if (!isRecord(blob)) return null;
  const { part, run, question, digests, findings } = blob;
  if (![part, run, question, findings].every(isRecord) || !(digests instanceof Map)) return null;
  const { index, of } = part as Record<string, unknown>;
  if (!isCount(of) || of > MOST_SHARDS || !isCount(index) || index > of) return null;
  const { selected, knownFailing, knownFlaky } = question as Record<string, unknown>;
  if (![selected, knownFailing, knownFlaky].every((set) => set instanceof Set)) return null;
  return blob as unknown as ShardBlob;
}

/** Null for data that is nested too deeply, or holds what was never packed. */
function orNull<T>(made: () => T): T | null {
  try {
    return made();
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
