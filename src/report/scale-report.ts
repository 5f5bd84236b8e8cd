/** From what the scale lane measured to what the reports show of it. Pure. */
import type { GrowthPoint, LatencySummary, ScaleResult } from '../lanes/scale.js';
import type { GrowthReport, LatencyReport, ScaleReport } from './report.js';

/** The report of the lane. */
export function scaleOf({
  machines,
  latencies,
  growth,
  exponent,
  peakRssBytes,
  durationMs,
}: ScaleResult): ScaleReport {
  return {
    machines,
    latencies: latencies.map(latencyOf),
    growth: growth.map(growthOf),
    exponent: exponent !== null && Number.isFinite(exponent) ? exponent : null,
    peak_rss_bytes: peakRssBytes,
    duration_ms: Math.round(durationMs),
  };
}

function latencyOf({ rpc, count, p50, p90, p99, max, budgetMs, buckets }: LatencySummary): LatencyReport {
  return {
    rpc,
    count,
    p50,
    p90,
    p99,
    max,
    budget_ms: budgetMs,
    buckets: buckets.map(({ fromMs, toMs, count: samples }) => ({
      from_ms: fromMs,
      to_ms: toMs,
      count: samples,
    })),
  };
}

function growthOf({ machines, ms, samples, bytes }: GrowthPoint): GrowthReport {
  return { machines, ms, samples, bytes };
}
