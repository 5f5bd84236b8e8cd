/** Latencies of every RPC, in histograms of bounded size (B1106). */
import { build, type Histogram } from 'hdr-histogram-js';
import type { Call, ListCall } from '../../../model/call.js';
import type { Exchanged } from '../../engine/world.js';
import type { Timed } from '../../wire/index.js';
import { LoopWatch } from './loop-watch.js';
import type { LatencySummary, ScaleBudgets, ScaleClient, Walkable } from './options.js';

const MICROSECONDS = 1_000;
const HIGHEST_US = 3_600_000_000;
const PERCENTILES = [0, 10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.9, 99.99, 100] as const;

interface Book {
  /** Less the time that bfcheck's own event loop stood still. */
  readonly histogram: Histogram;
  /** As it was. */
  readonly raw: Histogram;
  adjusted: number;
}
interface Sample {
  readonly rpcs: readonly string[];
  readonly invokedAt: number;
  readonly returnedAt: number;
}

export class Latencies {
  private readonly books = new Map<string, Book>();
  private open: Sample[] = [];
  private burst = false;
  private readonly watch: LoopWatch;

  /** @param onTick called every few milliseconds while the loop is watched */
  constructor(clock: () => number, sleep: (ms: number) => Promise<void>, onTick: () => void) {
    this.watch = new LoopWatch(clock, sleep, () => {
      this.settle();
      onTick();
    });
  }

  /** Watches bfcheck's own event loop until {@link stop}; samples are booked as it goes. */
  run(): Promise<void> {
    return this.watch.run();
  }

  stop(): void {
    this.watch.stop();
    this.settle();
  }

  /** The part of the time, from 0 to 1, in which bfcheck's own event loop stood still. */
  get standstill(): number {
    return this.watch.share;
  }

  /**
   * Books the calls of `body` apart: hundreds sent at the same moment wait for each other on bfcheck's side, which no
   * budget of the provider speaks of.
   */
  async apart<T>(body: () => Promise<T>): Promise<T> {
    this.burst = true;
    try {
      return await body();
    } finally {
      this.burst = false;
    }
  }

  /** A call that was answered. What is lost has no latency. */
  take(rpcs: readonly string[], invokedAt: number, returnedAt: number): void {
    this.open.push({ rpcs: this.burst ? rpcs.map((rpc) => `${rpc} (burst)`) : rpcs, invokedAt, returnedAt });
  }

  /** A stall shows only once it is over, so samples wait for the next look at the loop. */
  private settle(): void {
    for (const { rpcs, invokedAt, returnedAt } of this.open) {
      const stalled = this.watch.stalledBetween(invokedAt, returnedAt);
      for (const rpc of rpcs) this.book(rpc, returnedAt - invokedAt, stalled);
    }
    this.open = [];
  }

  private book(rpc: string, ms: number, stalledMs: number): void {
    const book = this.books.get(rpc) ?? { histogram: emptyHistogram(), raw: emptyHistogram(), adjusted: 0 };
    this.books.set(rpc, book);
    if (stalledMs > 0) book.adjusted += 1;
    book.histogram.recordValue(microseconds(ms - stalledMs));
    book.raw.recordValue(microseconds(ms));
  }

  /** Every RPC that was called, by name. */
  summaries(budgets: ScaleBudgets): readonly LatencySummary[] {
    const budget: Readonly<Record<string, number>> = {
      Get: budgets.getMs,
      Create: budgets.createMs,
      List: budgets.listMs,
    };
    return [...this.books]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([rpc, book]) => summaryOf(rpc, book, budget[rpc] ?? null));
  }
}

function microseconds(ms: number): number {
  return Math.min(HIGHEST_US, Math.max(1, Math.round(ms * MICROSECONDS)));
}

function emptyHistogram(): Histogram {
  return build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST_US,
    numberOfSignificantValueDigits: 3,
    bitBucketSize: 32,
  });
}

function summaryOf(rpc: string, { histogram, raw, adjusted }: Book, budgetMs: number | null): LatencySummary {
  const max = histogram.maxValue / MICROSECONDS;
  // The library answers with the upper end of a bucket, which for the last one is above everything measured.
  const at = (percentile: number): number =>
    Math.min(max, histogram.getValueAtPercentile(percentile) / MICROSECONDS);
  return {
    rpc,
    count: histogram.totalCount,
    adjusted,
    p50: at(50),
    p90: at(90),
    p99: at(99),
    max,
    rawP99: raw.getValueAtPercentile(99) / MICROSECONDS,
    budgetMs,
    percentiles: PERCENTILES.map((percentile) => ({ percentile, ms: at(percentile) })),
    buckets: bucketsOf(histogram),
  };
}

/** Buckets from an eighth of a millisecond, each twice as wide as the one before. */
function bucketsOf(histogram: Histogram): LatencySummary['buckets'] {
  const buckets: { fromMs: number; toMs: number; count: number }[] = [];
  let [fromMs, toMs, below] = [0, 0.125, 0];
  while (below < histogram.totalCount) {
    const upTo = countUpTo(histogram, toMs * MICROSECONDS);
    if (upTo > 0) buckets.push({ fromMs, toMs, count: upTo - below });
    [fromMs, toMs, below] = [toMs, toMs * 2, upTo];
  }
  return buckets;
}

/** The library offers percentiles of values, not counts below values: a bisection over the ranks finds them. */
function countUpTo(histogram: Histogram, value: number): number {
  let [low, high] = [0, histogram.totalCount];
  while (low < high) {
    const rank = Math.ceil((low + high) / 2);
    // A quarter of a rank down, because the library rounds the rank of a percentile to the nearest.
    const percentile = (100 * (rank - 0.25)) / histogram.totalCount;
    if (histogram.getValueAtPercentile(percentile) <= value) low = rank;
    else high = rank - 1;
  }
  return low;
}

/** A client whose answered calls are booked. */
export function timed(client: ScaleClient, latencies: Latencies): ScaleClient {
  return {
    async call<C extends Call>(call: C): Promise<Exchanged<C>> {
      const exchange = await client.call(call);
      if (exchange.outcome.kind !== 'indeterminate')
        latencies.take([call.kind], exchange.invokedAt, exchange.returnedAt);
      return exchange;
    },
    async walk(call: ListCall): Promise<Timed<Walkable>> {
      const exchange = await client.walk(call);
      if (exchange.outcome.kind !== 'indeterminate')
        latencies.take(['List', kindOfList(call)], exchange.invokedAt, exchange.returnedAt);
      return exchange;
    },
  };
}

function kindOfList({ maxResults, sinceRevision }: ListCall): string {
  if (maxResults > 0) return 'List (page)';
  return sinceRevision.length > 0 ? 'List (delta)' : 'List (full)';
}
