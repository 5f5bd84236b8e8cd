/** What the scale lane is asked to do, what it needs, and what it reports. Durations in milliseconds. */
import type { Call, ListCall } from '../../../model/call.js';
import type { MachineRecord } from '../../../model/record.js';
import type { Listener } from '../../engine/events.js';
import type { Recorder } from '../../engine/recorder.js';
import type { Exchanged } from '../../engine/world.js';
import type { Timed } from '../../wire/index.js';
import type { LaneFindings } from '../lane.js';

/** The declared budgets (B1106, B1107): generous, and the user's to change. */
export interface ScaleBudgets {
  /** p99 of Get. */
  readonly getMs: number;
  /** p99 of Create. */
  readonly createMs: number;
  /** p99 of List, whatever was asked for. */
  readonly listMs: number;
  /** The median of a full List of the largest fleet. */
  readonly fullListMs: number;
}

export interface ScaleOptions {
  /** Machines of the largest fleet, 10,000 to 100,000 in earnest. */
  readonly scaleSeed: number;
  /** How long the fleet is churned. */
  readonly soakMs: number;
  /** Ways around that a soak should see; on a busy machine it lasts longer to get there. */
  readonly soakCycles: number;
  /** How many times `soakMs` it may last for that. */
  readonly soakOvertime: number;
  readonly budgets: ScaleBudgets;
  /** Machines walked to Idle at the same time (B1108). */
  readonly parallel: number;
  /** Machines in transition at the same time during the soak. */
  readonly workers: number;
  /** How long a machine may take to come to rest. */
  readonly settleTimeoutMs: number;
}

export const SCALE_DEFAULTS: ScaleOptions = {
  scaleSeed: 10_000,
  soakMs: 10_000,
  soakCycles: 1_500,
  soakOvertime: 3,
  budgets: { getMs: 250, createMs: 250, listMs: 2_000, fullListMs: 3_000 },
  parallel: 320,
  workers: 16,
  settleTimeoutMs: 10_000,
};

/** The reply to a List, its machines to be taken one by one. */
export interface Walkable {
  readonly revision: Uint8Array;
  /** Bytes on the wire. */
  readonly size: number;
  machines(): Iterable<MachineRecord>;
}

/** The calls that the lane makes. `ProviderClient` is one. */
export interface ScaleClient {
  call<C extends Call>(call: C): Promise<Exchanged<C>>;
  walk(call: ListCall): Promise<Timed<Walkable>>;
}

/** A provider of our own. `BootedProvider` is one. */
export interface ScaleProvider {
  readonly client: ScaleClient;
  /** The process behind it, where there is one: what it wrote last, and how it ended. */
  readonly process?: { readonly log: readonly string[]; readonly ended: Promise<string> };
  stop(): Promise<void>;
}

/** Everything the lane needs of the outside. */
export interface ScaleTools {
  /**
   * Starts a provider with that many machines, which nobody else calls.
   * @throws EnvironmentError when it does not come up
   */
  readonly boot: (seedCount: number) => Promise<ScaleProvider>;
  readonly lane: LaneFindings;
  readonly recorder: Recorder;
  readonly listen: Listener;
  /** Monotonic. */
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** A number in [0, 1), the same for the same seed. */
  readonly random: () => number;
  /** Resident memory of this process in bytes. */
  readonly rss: () => number;
}

/** One RPC's latencies, less the time that bfcheck's own event loop stood still while a call was under way. */
export interface LatencySummary {
  /** `Get`, `Create`, …, `List` for all of its kinds, and `List (full)`, `List (delta)`, `List (page)`; `(burst)`: sent all at once. */
  readonly rpc: string;
  readonly count: number;
  /** Samples that something was taken off. */
  readonly adjusted: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  /** p99 with nothing taken off. */
  readonly rawP99: number;
  /** The p99 that was declared, or null where none was. */
  readonly budgetMs: number | null;
  /** For a plot of the distribution: the share of samples, in percent, that took at most so long. */
  readonly percentiles: readonly { readonly percentile: number; readonly ms: number }[];
  /** For a plot of the density: samples per bucket; each bucket is twice as wide as the one before. */
  readonly buckets: readonly { readonly fromMs: number; readonly toMs: number; readonly count: number }[];
}

/** Full Lists of a fleet of one size. */
export interface GrowthPoint {
  readonly machines: number;
  /** Median latency. */
  readonly ms: number;
  /** The fastest of the samples; the exponent is fitted to these. */
  readonly fastestMs: number;
  readonly samples: readonly number[];
  /** The fastest Get at this size: what any call costs, taken off before the growth is fitted. */
  readonly fixedMs: number;
  /** Bytes of one reply. */
  readonly bytes: number;
}

/** What the reports show of the lane beside the behaviors. */
export interface ScaleResult {
  readonly machines: number;
  readonly latencies: readonly LatencySummary[];
  readonly growth: readonly GrowthPoint[];
  /** `latency ~ machines ^ exponent`; null where it was not measured. */
  readonly exponent: number | null;
  readonly counts: Readonly<Record<string, number>>;
  /** Highest resident memory of bfcheck itself during the lane, in bytes. */
  readonly peakRssBytes: number;
  readonly durationMs: number;
  /** The last lines the provider wrote, where the lane found something; data of a stranger. */
  readonly log: readonly string[];
}
