/** The black-box lane: saved counterexamples, scenarios and generated programs over the six RPCs. */
import type { Listing } from '../../model/call.js';
import type { ModelConfig } from '../../model/possibilities.js';
import type { BehaviorId } from '../../model/registry.js';
import { DIRECTED_PROPERTIES, GENERATIVE_PROPERTIES } from '../../properties/index.js';
import type { Property } from '../../properties/program.js';
import { type Arena, arena } from '../engine/arena.js';
import { corpusFiles } from '../engine/corpus.js';
import type { CorpusResult, Listener, ReportedViolation } from '../engine/events.js';
import type { Findings } from '../engine/findings.js';
import { Investigator } from '../engine/investigate.js';
import { laneOfFile, type Replayed, replayFile } from '../engine/replay.js';
import { Session } from '../engine/session.js';
import { mergeInto } from '../engine/snapshot.js';
import type { ConnectedProvider, Limits } from '../engine/world.js';
import type { LiveLaneOptions } from './lane.js';

/** What the lane is told. */
export interface BlackBoxOptions extends LiveLaneOptions {
  /** Folder of saved counterexamples, or null where none are to be replayed; they fall to the first part. */
  readonly corpus: string | null;
  readonly limits: Limits;
}

/** What the lane learned beside its findings. */
export interface BlackBoxResult {
  readonly capabilities: ModelConfig['capabilities'];
  /** sha256 of all generated sequences. */
  readonly digest: string;
  /** sha256 of each batch that was run, by its place among all. */
  readonly digests: ReadonlyMap<number, string>;
  readonly corpus: readonly CorpusResult[];
}

/** Runs the lane on a provider that answers. */
export async function runBlackBoxLane(
  client: ConnectedProvider,
  listing: Listing,
  findings: Findings,
  options: BlackBoxOptions,
): Promise<BlackBoxResult> {
  const { listen } = options;
  const stage = await arena(client, listing, { ...options, connections: client.connections, faults: false });
  const { capabilities } = stage.world.model;
  listen({ type: 'provider-found', machines: listing.machines.length, capabilities });
  skipWithout(capabilities, findings);
  const replays = options.part === undefined || options.part.index === 1;
  const folder = replays ? options.corpus : null;
  const corpus = folder === null ? [] : await replayAll(folder, stage, findings, listen);
  const session = new Session(stage, findings, listen, options.save);
  const digest = await session.run({
    ...options,
    lane: 'black-box',
    directed: [
      ...DIRECTED_PROPERTIES.filter((property) => isChosen(property, options.selected)),
      ...(options.beside ?? []),
    ],
    generative: GENERATIVE_PROPERTIES.filter((property) => isChosen(property, options.selected)),
  });
  return { capabilities, digest, digests: session.digests, corpus };
}

/**
 * What still fails is a violation like any other, whether or not this run comes upon it again. Counterexamples of the
 * other lanes stay as they are: without faults or kills they would seem to be fixed.
 */
async function replayAll(
  folder: string,
  stage: Arena,
  findings: Findings,
  listen: Listener,
): Promise<CorpusResult[]> {
  const results: CorpusResult[] = [];
  const investigator = new Investigator(stage, { maxExecutions: 0, maxMs: 0 });
  for (const file of await corpusFiles(folder)) {
    if ((await laneOfFile(file)) !== 'black-box') continue;
    const replayed = await replayFile(file, investigator);
    const { result } = replayed;
    results.push(result);
    const found = stillBroken(replayed, investigator);
    if (found !== null && !mergeInto(findings.violations, found)) findings.violations.push(found);
    listen({ type: 'corpus-replayed', result });
  }
  return results;
}

/** The violation that a saved counterexample still shows, blamed as when it was saved; null where it shows none. */
function stillBroken(
  { result, entry, execution, violation }: Replayed,
  investigator: Investigator,
): ReportedViolation | null {
  if (entry === null || execution === null || violation === null) return null;
  const { breach } = violation;
  const same = breach.rule === entry.rule && breach.aspect === entry.aspect;
  const found = investigator.unexamined(execution, violation, entry.property);
  return {
    ...found,
    behaviors: same ? [entry.behavior, ...entry.also] : found.behaviors,
    reproduced: { failed: 1, of: 1 },
    corpusFile: result.file,
  };
}

/** Whether any of the chosen behaviors has programs generated for it. */
export function generatesFor(chosen: ReadonlySet<BehaviorId>): boolean {
  return GENERATIVE_PROPERTIES.some((property) => isChosen(property, chosen));
}

function isChosen({ decides }: Property, chosen: ReadonlySet<BehaviorId>): boolean {
  return decides.some((id) => chosen.has(id));
}

function skipWithout(capabilities: ModelConfig['capabilities'], findings: Findings): void {
  const skip = (ids: readonly BehaviorId[], reason: string): void => {
    for (const id of ids) findings.skipped.set(id, reason);
  };
  if (!capabilities.delete) skip(['B109', 'B409', 'B807'], 'the provider answers Delete with UNIMPLEMENTED');
  if (!capabilities.sinceRevision) {
    skip(
      ['B903', 'B904', 'B905', 'B907', 'B908', 'B909'],
      'the provider sends no revision, so it has no cursors',
    );
  }
}
