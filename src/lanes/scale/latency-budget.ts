/** Latencies against their declared budgets (B1106). */
import { SCALE_CASES } from './cases.js';
import type { LatencySummary, ScaleTools } from './options.js';
import { CaseStopped } from './stopped.js';

/** Above this share of the time too little is left of a latency once bfcheck's own standstills are taken off. */
const MOST_STANDSTILL = 0.9;

/**
 * Holds every p99 for which a budget was declared against it.
 * @param standstill the part of the time, from 0 to 1, in which bfcheck's own event loop stood still
 * @throws CaseStopped where an RPC was not called, or bfcheck was too busy to tell
 */
export function checkBudgets(
  latencies: readonly LatencySummary[],
  standstill: number,
  { lane }: Pick<ScaleTools, 'lane'>,
): void {
  if (standstill > MOST_STANDSTILL) {
    throw CaseStopped.inconclusive(
      `bfcheck's own event loop stood still for ${Math.round(100 * standstill)} % of the time: this machine is too busy to measure on`,
    );
  }
  for (const rpc of ['Get', 'Create', 'List']) {
    const summary = latencies.find((candidate) => candidate.rpc === rpc);
    if (summary === undefined)
      throw CaseStopped.inconclusive(`no ${rpc} was answered, so its latency is not known`);
    lane.evidence('B1106', `${rpc.toLowerCase()}_calls`, summary.count);
    if (summary.budgetMs === null || summary.p99 <= summary.budgetMs) continue;
    lane.breach(SCALE_CASES.latency, {
      behaviors: ['B1106'],
      rule: 'read',
      aspect: `p99 ${rpc}`,
      expected: [`p99 of ${rpc} within ${summary.budgetMs} ms`],
      observed: `p99 ${summary.p99.toFixed(1)} ms (p50 ${summary.p50.toFixed(1)} ms, max ${summary.max.toFixed(1)} ms, ${summary.count} calls)`,
    });
  }
}
