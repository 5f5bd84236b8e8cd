/** The black-box lane: saved counterexamples, scenarios and generated programs over the six RPCs. */
import type { Listing } from '../../model/call.js';
import type { ModelConfig } from '../../model/possibilities.js';
import type { BehaviorId } from '../../model/registry.js';
import { DIRECTED_PROPERTIES, GENERATIVE_PROPERTIES } from '../../properties/index.js';
import type { Property } from '../../properties/program.js';
import { type Arena, arena } from '../engine/arena.js';
import { corpusFiles } from '../engine/corpus.js';
import type { CorpusResult, Listener } from '../engine/events.js';
import type { Findings } from '../engine/findings.js';
import { Investigator } from '../engine/investigate.js';
import { laneOfFile, replayFile } from '../engine/replay.js';
import { Session } from '../engine/session.js';
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
  const corpus = folder === null ? [] : await replayAll(folder, stage, listen);
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

/** Counterexamples of the other lanes stay as they are: without faults or kills they would seem to be fixed. */
async function replayAll(folder: string, stage: Arena, listen: Listener): Promise<CorpusResult[]> {
  const results: CorpusResult[] = [];
  const investigator = new Investigator(stage, { maxExecutions: 0, maxMs: 0 });
  for (const file of await corpusFiles(folder)) {
    if ((await laneOfFile(file)) !== 'black-box') continue;
    const { result } = await replayFile(file, investigator);
    results.push(result);
    listen({ type: 'corpus-replayed', result });
  }
  return results;
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
