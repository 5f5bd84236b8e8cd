/** The scale lane: the contract at 10,000 to 100,000 machines (B1101 to B1109, contract section 7). */

import { probe } from '../engine/probe.js';
import { EnvironmentError } from '../wire/index.js';
import { SCALE_CASES } from './scale/cases.js';
import { Driver } from './scale/driver.js';
import { checkCompleteness, type FirstLook, firstLook } from './scale/full-list.js';
import { exponentOf, growthSizes, measureGrowth } from './scale/growth.js';
import { checkGrowth } from './scale/growth-verdict.js';
import { Latencies, timed } from './scale/latency.js';
import { checkBudgets } from './scale/latency-budget.js';
import type {
  GrowthPoint,
  LatencySummary,
  ScaleClient,
  ScaleOptions,
  ScaleProvider,
  ScaleResult,
  ScaleTools,
} from './scale/options.js';
import { runCase, type ScaleRun } from './scale/run.js';
import { prepare, soak } from './scale/stages.js';
import { CaseStopped } from './scale/stopped.js';

export { SCALE_CASES } from './scale/cases.js';
export {
  type GrowthPoint,
  type LatencySummary,
  SCALE_DEFAULTS,
  type ScaleBudgets,
  type ScaleClient,
  type ScaleOptions,
  type ScaleProvider,
  type ScaleResult,
  type ScaleTools,
} from './scale/options.js';

/**
 * Runs the whole lane on providers that it boots itself and always stops. What it finds goes to `tools.lane`; a
 * provider that does not come up, or ends by itself, leaves the behaviors undecided with that reason.
 */
export function runScale(options: ScaleOptions, tools: ScaleTools): Promise<ScaleResult> {
  return new ScaleLane(options, tools).run();
}

const SHARD_DIGITS = 8;
const MILLISECONDS = 1_000;
const MEMORY_EVERY_MS = 100;

class ScaleLane {
  private readonly points: GrowthPoint[] = [];
  private readonly counts: Record<string, number> = {};
  private latencies: readonly LatencySummary[] = [];
  private log: readonly string[] = [];
  private honored = true;
  private machines = 0;
  private peakRssBytes = 0;
  private memoryAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly options: ScaleOptions,
    private readonly tools: ScaleTools,
  ) {}

  async run(): Promise<ScaleResult> {
    const { clock, listen } = this.tools;
    const from = clock();
    const sizes = growthSizes(this.options.scaleSeed);
    const steps = sizes.length + Object.keys(SCALE_CASES).length;
    const planned = steps + Math.ceil(this.options.soakMs / MILLISECONDS);
    listen({ type: 'lane-started', lane: 'scale', planned });
    try {
      for (const size of sizes.slice(0, -1)) await this.small(size);
      await this.large();
    } catch (error) {
      this.undecided(error);
    } finally {
      listen({ type: 'lane-finished', lane: 'scale' });
    }
    return {
      machines: this.machines,
      latencies: this.latencies,
      growth: this.points,
      exponent: exponentOf(this.points),
      counts: this.counts,
      peakRssBytes: this.peakRssBytes,
      durationMs: clock() - from,
      log: this.log,
    };
  }

  /** The lane cannot go on: whatever is not decided by now stays so. */
  private undecided(error: unknown): void {
    const { lane } = this.tools;
    if (error instanceof CaseStopped && error.breach !== null)
      lane.breach(SCALE_CASES.fullList, error.breach);
    else if (!(error instanceof CaseStopped || error instanceof EnvironmentError)) throw error;
    for (const laneCase of Object.values(SCALE_CASES)) lane.inconclusive(laneCase, error.message);
  }

  /** Boots a provider for `body`, and stops it whatever comes. */
  private async with<T>(size: number, body: (provider: ScaleProvider) => Promise<T>): Promise<T> {
    const { client, process, stop } = await this.tools.boot(size);
    try {
      return await body({ client, ...(process === undefined ? {} : { process }), stop });
    } finally {
      this.log = process?.log.slice() ?? [];
      await stop();
    }
  }

  private async small(size: number): Promise<void> {
    const { clock, sleep, listen } = this.tools;
    await this.with(size, async ({ client }) => {
      const point = await measureGrowth(client, clock, sleep);
      this.points.push(point);
      this.honored &&= point.machines === size;
    });
    this.noteMemory();
    listen({ type: 'sequence-done', property: SCALE_CASES.growth.name, calls: 0 });
  }

  private async large(): Promise<void> {
    const { clock, sleep } = this.tools;
    await this.with(this.options.scaleSeed, async ({ client, process }) => {
      let ended: string | null = null;
      void process?.ended.then((how) => {
        ended = `the provider ended by itself during the scale lane: its process ${how}`;
      });
      const latencies = new Latencies(clock, sleep, () => this.noteMemory());
      const watching = latencies.run();
      try {
        await this.stages(timed(client, latencies), latencies, () => ended);
      } finally {
        latencies.stop();
        await watching;
        this.latencies = latencies.summaries(this.options.budgets);
      }
      await runCase({ tools: this.tools, obstacle: () => ended }, SCALE_CASES.latency, async () =>
        checkBudgets(this.latencies, latencies.standstill, this.tools),
      );
    });
  }

  private async stages(
    client: ScaleClient,
    latencies: Latencies,
    obstacle: () => string | null,
  ): Promise<void> {
    const { tools, options } = this;
    const { lane, sleep } = tools;
    const look = await firstLook(client, sleep);
    this.machines = look.fleet.size;
    for (const breach of look.breaches) lane.breach(SCALE_CASES.fullList, breach);
    const run = await this.enter(client, look, latencies, obstacle);
    await runCase(run, SCALE_CASES.fullList, async () => {
      await checkCompleteness(look, options.scaleSeed, this.honored, client, sleep);
      run.complete = true;
    });
    lane.evidence('B1101', 'machines', look.fleet.size);
    const live = [...look.fleet.values()].filter(({ state }) => state !== 'SPECULATIVE').length;
    await runCase(run, SCALE_CASES.growth, () => this.growth(client));
    await soak(run, await prepare(run), live);
  }

  private async enter(
    client: ScaleClient,
    { fleet, revision, free }: FirstLook,
    latencies: Latencies,
    obstacle: () => string | null,
  ): Promise<ScaleRun> {
    const { tools, options, counts } = this;
    const shard = `bfcheck-scale-${tools
      .random()
      .toString(36)
      .slice(2, 2 + SHARD_DIGITS)}`;
    const capabilities = await probe(client, { machines: [], revision }, `${shard}-no-machine`);
    const driver = new Driver({
      client,
      recorder: tools.recorder,
      capabilities,
      settleTimeoutMs: options.settleTimeoutMs,
      clock: tools.clock,
      sleep: tools.sleep,
      shard,
      obstacle,
    });
    return {
      options,
      tools,
      client,
      driver,
      fleet,
      revision,
      free: shuffled(free, tools.random),
      held: new Map(),
      lostSight: new Set(),
      counts,
      obstacle,
      complete: false,
      apart: (body) => latencies.apart(body),
    };
  }

  private async growth(client: ScaleClient): Promise<void> {
    const measure = (of: ScaleClient) => measureGrowth(of, this.tools.clock, this.tools.sleep);
    this.points.push(await measure(client));
    const { fullListMs } = this.options.budgets;
    await checkGrowth(this.points, fullListMs, async (smallest) => ({
      smallest: await this.with(smallest, ({ client: small }) => measure(small)),
      largest: await measure(client),
    }));
  }

  private noteMemory(): void {
    const now = this.tools.clock();
    if (now - this.memoryAt < MEMORY_EVERY_MS) return;
    this.memoryAt = now;
    this.peakRssBytes = Math.max(this.peakRssBytes, this.tools.rss());
  }
}

/** `items` in random order. */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
