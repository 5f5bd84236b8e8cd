/** The reference provider in this process, as the scale lane boots it; small fleets, so that a test takes seconds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Findings } from '../../src/engine/findings.js';
import { type BehaviorResult, resultsOf } from '../../src/engine/status.js';
import { LaneFindings } from '../../src/lanes/lane.js';
import {
  runScale,
  SCALE_CASES,
  SCALE_DEFAULTS,
  type ScaleOptions,
  type ScaleProvider,
  type ScaleResult,
  type ScaleTools,
} from '../../src/lanes/scale.js';
import { type ProviderOptions, startProvider } from '../../src/provider/index.js';
import { seededRandom } from '../../src/provider/random.js';
import { ProviderClient } from '../../src/wire/index.js';

export const clock = (): number => performance.now();

/** Small enough to be quick, large enough for every stage. */
export const SMALL: ScaleOptions = {
  ...SCALE_DEFAULTS,
  scaleSeed: 400,
  soakMs: 500,
  soakCycles: 100,
  soakOvertime: 200,
  parallel: 80,
  workers: 8,
  // Timing decides nothing in these tests unless they say so.
  budgets: { getMs: 60_000, createMs: 60_000, listMs: 60_000, fullListMs: 60_000 },
};

/** How to start a provider for the lane, and how to change what it is. */
export type Boot = ScaleTools['boot'];

export function booting(options: Partial<ProviderOptions> = {}): Boot {
  return async (seedCount): Promise<ScaleProvider> => {
    const running = await startProvider({ addr: '127.0.0.1:0', seedCount, ...options });
    const client = new ProviderClient({
      target: running.address,
      connections: 2,
      callTimeoutMs: 10_000,
      clock,
    });
    return {
      client,
      async stop() {
        client.close();
        await running.stop();
      },
    };
  };
}

export interface LaneRun {
  readonly result: ScaleResult;
  readonly findings: Findings;
  /** The nine behaviors, by id. */
  readonly statuses: Readonly<Record<string, string>>;
  readonly results: readonly BehaviorResult[];
}

/** Runs the lane and says what became of the nine behaviors. */
export async function runLane(boot: Boot, options: Partial<ScaleOptions> = {}): Promise<LaneRun> {
  const findings = new Findings();
  const random = seededRandom(11);
  const result = await runScale(
    { ...SMALL, ...options },
    {
      boot,
      lane: new LaneFindings(findings, () => undefined),
      recorder: findings.recorder,
      listen: () => undefined,
      clock,
      sleep: (ms) => sleep(ms),
      random: () => random.next(),
      rss: () => process.memoryUsage.rss(),
    },
  );
  const deciders = new Map(
    Object.values(SCALE_CASES).flatMap(({ name, decides }) => decides.map((id) => [id, [name]] as const)),
  );
  const results = resultsOf(findings, {
    profiles: ['scale'],
    reading: 'literal',
    selected: new Set(deciders.keys()),
    deciders,
    knownFailing: new Set(),
    knownFlaky: new Set(),
  }).filter(({ behavior }) => behavior.id.startsWith('B11'));
  const statuses = Object.fromEntries(results.map(({ behavior, status }) => [behavior.id, status]));
  return { result, findings, statuses, results };
}
