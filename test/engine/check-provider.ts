/** Runs the black-box lane against the reference provider, in this process. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BEHAVIORS } from '../../model/registry.js';
import { saveToCorpus } from '../../src/engine/corpus.js';
import type { EngineEvent } from '../../src/engine/events.js';
import { Findings } from '../../src/engine/findings.js';
import { listCall } from '../../src/engine/requests.js';
import { runBlackBoxLane } from '../../src/lanes/black-box.js';
import { type ProviderOptions, startProvider } from '../../src/provider/index.js';
import { awaitReady, ProviderClient } from '../../src/wire/index.js';

const clock = (): number => performance.now();
const wait = (ms: number): Promise<void> => sleep(ms);

export interface LaneRun {
  readonly findings: Findings;
  readonly digest: string;
  /** sha256 of each batch that was generated. */
  readonly digests: ReadonlyMap<number, string>;
  /** How many machines the provider has in each state when the run is over. */
  readonly left: ReadonlyMap<string, number>;
  /** Folder of the counterexamples that were saved. */
  readonly corpus: string;
}

/** Runs the lane and hands its result to `use`; provider, client and corpus are gone afterwards. */
export async function withLane(
  provider: Partial<ProviderOptions>,
  lane: {
    readonly runs: number;
    readonly seed?: number;
    readonly concurrency?: number;
    /** Given every event, with what the run has found so far. */
    readonly listen?: (event: EngineEvent, findings: Findings) => void;
  },
  use: (run: LaneRun) => Promise<void> | void,
): Promise<void> {
  const corpus = await mkdtemp(join(tmpdir(), 'bfcheck-test-'));
  const running = await startProvider({ addr: '127.0.0.1:0', ...provider });
  const client = new ProviderClient({
    target: running.address,
    connections: 4,
    callTimeoutMs: 10_000,
    clock,
  });
  try {
    const listing = await awaitReady(client, { deadlineMs: 10_000, clock, sleep: wait });
    const findings = new Findings();
    const { digest, digests } = await runBlackBoxLane(client, listing, findings, {
      seed: lane.seed ?? 1,
      runs: lane.runs,
      concurrency: lane.concurrency ?? 16,
      selected: new Set(BEHAVIORS.map(({ id }) => id)),
      corpus,
      limits: { settleTimeoutMs: 20_000, stabilityWindowMs: 100, stuckIsBreach: false },
      prefix: `test-${running.port}`,
      clock,
      sleep: wait,
      listen: (event) => lane.listen?.(event, findings),
      save: (found) => saveToCorpus(corpus, found),
    });
    const { outcome } = await client.call(listCall());
    const left = new Map<string, number>();
    if (outcome.kind !== 'ok') throw new Error('the last List was not answered');
    for (const { state } of outcome.reply.machines) left.set(state, (left.get(state) ?? 0) + 1);
    await use({ findings, digest, digests, left, corpus });
  } finally {
    client.close();
    await running.stop();
    await rm(corpus, { recursive: true, force: true });
  }
}
