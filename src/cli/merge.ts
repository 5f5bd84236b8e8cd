/** Merges the parts of a run into one: the same verdict, digest and counts as if one process had done it all. */

import { Findings } from '../engine/findings.js';
import { digestOfBatches } from '../engine/seed.js';
import { absorb } from '../engine/snapshot.js';
import type { LaneRecord, RunRecord } from '../report/run-record.js';
import { conclude } from './conclude.js';
import { UsageError } from './failure.js';
import type { ShardBlob } from './shard-blob.js';

/** A blob and where it was read from. */
export interface NamedBlob {
  readonly file: string;
  readonly blob: ShardBlob;
}

/** The whole run from all of its parts (see {@link partsOf}). */
export function mergeParts(blobs: readonly ShardBlob[]): RunRecord {
  const [first] = blobs;
  if (first === undefined) throw new RangeError('a run has one part at least');
  const findings = new Findings();
  for (const { findings: part } of blobs) absorb(findings, part);
  const runs = blobs.map(({ run }) => run);
  const interrupted = interruptionOf(blobs);
  const baseline = runs.find((run) => run.baseline)?.baseline ?? null;
  const sum = (of: (run: ShardBlob['run']) => number): number => runs.reduce((all, run) => all + of(run), 0);
  return {
    ...first.run,
    provider: runs.find(({ provider }) => provider !== '')?.provider ?? '',
    digest: digestOfBatches(new Map(blobs.flatMap(({ digests }) => [...digests]))),
    timestamp: runs.map(({ timestamp }) => timestamp).toSorted()[0] ?? first.run.timestamp,
    durationMs: Math.max(...runs.map(({ durationMs }) => durationMs)),
    ...conclude(findings, first.question, { baseline, interrupted }),
    question: first.question,
    interrupted,
    findings,
    corpus: runs.flatMap(({ corpus }) => corpus),
    lanes: lanesOf(blobs),
    scale: runs.find(({ scale }) => scale)?.scale ?? null,
    baseline,
    stats: {
      rpcs: sum(({ stats }) => stats.rpcs),
      steps: sum(({ stats }) => stats.steps),
      sequences: sum(({ stats }) => stats.sequences),
    },
  };
}

/**
 * The parts of one run in their order.
 * @throws UsageError in one line where one is missing or there twice, or where they are not of the same run
 */
export function partsOf(named: readonly NamedBlob[]): readonly ShardBlob[] {
  const [first] = named;
  if (first === undefined) throw new UsageError('no blob report was found: bfcheck --shard K/N writes them');
  const parts = new Map<number, NamedBlob>();
  for (const one of named) {
    mustAgree(first, one);
    const { index } = one.blob.part;
    const twin = parts.get(index);
    if (twin) throw new UsageError(`part ${index} is there twice: ${twin.file} and ${one.file}`);
    parts.set(index, one);
  }
  const { of } = first.blob.part;
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((index) => !parts.has(index));
  if (missing.length > 0)
    throw new UsageError(
      `${missing.length === 1 ? 'part' : 'parts'} ${missing.slice(0, 20).join(', ')}${missing.length > 20 ? ', …' : ''} of ${of} missing: a verdict needs all of them`,
    );
  return [...parts].sort(([a], [b]) => a - b).map(([, { blob }]) => blob);
}

/** What parts of one run have in common, by the name under which users know it. */
const COMMON: Readonly<Record<string, (blob: ShardBlob) => unknown>> = {
  'number of parts': ({ part }) => part.of,
  target: ({ run }) => run.target,
  seed: ({ run }) => run.seed,
  'number of runs': ({ run }) => run.runs,
  profiles: ({ question }) => question.profiles,
  reading: ({ question }) => question.reading,
  'selection of behaviors': ({ question }) => [...question.selected],
  'known-failing list': ({ question }) => [...question.knownFailing],
  'known-flaky list': ({ question }) => [...question.knownFlaky],
  capabilities: ({ run }) => run.capabilities,
};

function mustAgree(first: NamedBlob, other: NamedBlob): void {
  for (const [name, of] of Object.entries(COMMON)) {
    const [one, two] = [JSON.stringify(of(first.blob)), JSON.stringify(of(other.blob))];
    if (one === two) continue;
    const shown = one.length + two.length > 160 ? '' : ` (${one} and ${two})`;
    throw new UsageError(`${first.file} and ${other.file} are not of the same run: another ${name}${shown}`);
  }
}

function interruptionOf(blobs: readonly ShardBlob[]): string | null {
  const cut = blobs.find(({ run }) => run.interrupted);
  return cut ? `part ${cut.part.index} of ${cut.part.of}: ${cut.run.interrupted}` : null;
}

/** A lane once, with the logs of all parts; skipped only where no part ran it. */
function lanesOf(blobs: readonly ShardBlob[]): readonly LaneRecord[] {
  const lanes = new Map<string, LaneRecord>();
  for (const { lane, skipped, log } of blobs.flatMap(({ run }) => run.lanes ?? [])) {
    const known = lanes.get(lane);
    lanes.set(lane, {
      lane,
      skipped: known === undefined ? skipped : known.skipped === null ? null : skipped,
      log: [...(known?.log ?? []), ...log],
    });
  }
  return [...lanes.values()];
}
