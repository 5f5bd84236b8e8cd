/** `bfcheck`: checks one provider over the six RPCs and writes the reports. */
import { randomBytes } from 'node:crypto';
import type { Listing } from '../../model/call.js';
import type { BehaviorId, Profile } from '../../model/registry.js';
import { DIRECTED_PROPERTIES, GENERATIVE_PROPERTIES } from '../../properties/index.js';
import type { Property } from '../../properties/program.js';
import { corpusFiles, saveToCorpus } from '../engine/corpus.js';
import type { CorpusResult, Listener } from '../engine/events.js';
import { Findings } from '../engine/findings.js';
import { Investigator } from '../engine/investigate.js';
import { OperationLedger } from '../engine/ledger.js';
import { MachinePool } from '../engine/pool.js';
import { probe } from '../engine/probe.js';
import { replayFile } from '../engine/replay.js';
import { Session } from '../engine/session.js';
import { type Question, resultsOf, verdictOf } from '../engine/status.js';
import type { World } from '../engine/world.js';
import type { RunRecord } from '../report/run-record.js';
import type { ProviderClient } from '../wire/index.js';
import { type CheckOptions, claimedProfiles, selection } from './check-options.js';
import { UsageError } from './failure.js';
import { version } from './version.js';

/** A provider that answers, and its first List. */
export interface Subject {
  readonly client: ProviderClient;
  readonly listing: Listing;
  readonly target: string;
}

/** Machines that the largest program needs. */
const FEWEST_MACHINES = 3;

export interface Tools {
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly listen: Listener;
}

/** Runs the whole check and returns what the reports need. */
export async function check(subject: Subject, options: CheckOptions, tools: Tools): Promise<RunRecord> {
  const startedAt = tools.clock();
  const chosen = selection(options);
  const claimed = claimedProfiles(options.profile);
  const findings = new Findings();
  const { world, pool, shards } = await enter(subject, options, tools);
  const plan = {
    ...options,
    directed: DIRECTED_PROPERTIES.filter((property) => isChosen(property, chosen)),
    generative: GENERATIVE_PROPERTIES.filter((property) => isChosen(property, chosen)),
  };
  const { capabilities } = world.model;
  skipWithout(capabilities, findings);
  tools.listen({ type: 'run-started', seed: options.seed, target: subject.target, sequences: options.runs });
  tools.listen({ type: 'provider-found', machines: subject.listing.machines.length, capabilities });
  const corpus = await replayCorpus(options.corpus, world, pool, shards, tools.listen);
  const session = new Session(world, pool, findings, shards, tools.listen, (found) =>
    saveToCorpus(options.corpus, found),
  );
  const digest = await session.run(plan);
  const question: Question = {
    profiles: claimed ?? supportedProfiles(subject.listing, capabilities),
    reading: options.reading,
    selected: chosen,
    deciders: decidersOf([...DIRECTED_PROPERTIES, ...GENERATIVE_PROPERTIES]),
  };
  const results = resultsOf(findings, question);
  return {
    tool: { name: 'bfcheck', version: await version() },
    provider: subject.listing.machines.find(({ host }) => host !== null)?.host?.provider ?? '',
    target: subject.target,
    profiles: question.profiles,
    reading: options.reading,
    seed: options.seed,
    runs: options.runs,
    digest,
    timestamp: tools.timestamp,
    durationMs: tools.clock() - startedAt,
    capabilities,
    results,
    verdict: verdictOf(results),
    findings,
    corpus,
    stats: {
      rpcs: subject.client.calls,
      steps: findings.recorder.steps,
      sequences: [...findings.tallies.values()].reduce((sum, { sequences }) => sum + sequences, 0),
    },
  };
}

/** Everything a program runs against, for a provider that was just met. */
export async function enter(
  { client, listing }: Subject,
  options: Pick<CheckOptions, 'settleTimeout' | 'stabilityWindow'>,
  { clock, sleep }: Pick<Tools, 'clock' | 'sleep'>,
): Promise<{ world: World; pool: MachinePool; shards: string }> {
  const shards = `bfcheck-${randomBytes(5).toString('hex')}`;
  const capabilities = await probe(client, listing, `${shards}-no-machine`);
  const world: World = {
    provider: client,
    connections: client.connections,
    model: { capabilities, faults: false },
    limits: {
      settleTimeoutMs: options.settleTimeout,
      stabilityWindowMs: options.stabilityWindow,
      stuckIsBreach: false,
    },
    ledger: new OperationLedger(),
    touched: new Set(),
    clock,
    sleep,
  };
  const pool = new MachinePool(listing.machines, world);
  if (pool.size < FEWEST_MACHINES) {
    throw new UsageError(
      `bfcheck needs at least ${FEWEST_MACHINES} machines that are Speculative or Idle and the provider lists ${pool.size}: boot it with a larger inventory`,
    );
  }
  return { world, pool, shards };
}

async function replayCorpus(
  folder: string,
  world: World,
  pool: MachinePool,
  shards: string,
  listen: Listener,
): Promise<CorpusResult[]> {
  const results: CorpusResult[] = [];
  let count = 0;
  const names = () => {
    count += 1;
    return { shards: `${shards}-c${count}`, unknownMachine: `${shards}-no-machine-c${count}` };
  };
  const investigator = new Investigator(world, pool, names, { maxExecutions: 0, maxMs: 0 });
  for (const file of await corpusFiles(folder)) {
    const { result } = await replayFile(file, investigator);
    results.push(result);
    listen({ type: 'corpus-replayed', result });
  }
  return results;
}

function isChosen({ decides }: Property, chosen: ReadonlySet<BehaviorId>): boolean {
  return decides.some((id) => chosen.has(id));
}

function skipWithout(capabilities: World['model']['capabilities'], findings: Findings): void {
  if (!capabilities.delete) {
    for (const id of ['B109', 'B409', 'B807'] as const) {
      findings.skipped.set(id, 'the provider answers Delete with UNIMPLEMENTED');
    }
  }
  if (!capabilities.sinceRevision) {
    for (const id of ['B903', 'B904', 'B905', 'B907', 'B908', 'B909'] as const) {
      findings.skipped.set(id, 'the provider sends no revision, so it has no cursors');
    }
  }
}

function supportedProfiles(
  listing: Listing,
  capabilities: World['model']['capabilities'],
): readonly Profile[] {
  const spot = listing.machines.some(({ capacityType }) => capacityType === 'SPOT');
  return ['core', ...(capabilities.delete ? (['cloud'] as const) : []), ...(spot ? (['spot'] as const) : [])];
}

/** Which properties decide each behavior. */
export function decidersOf(properties: readonly Property[]): ReadonlyMap<BehaviorId, readonly string[]> {
  const deciders = new Map<BehaviorId, string[]>();
  for (const { name, decides } of properties) {
    for (const id of decides) deciders.set(id, [...(deciders.get(id) ?? []), name]);
  }
  return deciders;
}
