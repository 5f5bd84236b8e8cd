/** Latencies against their declared budgets (B1106). */
import { SCALE_CASES } from './cases.js';
import type { LatencySummary, ScaleTools } from './options.js';
import { CaseStopped } from './stopped.js';

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
  for (const rpc of ['Get', 'Create', 'List']) {
    const summary = latencies.find((candidate) => candidate.rpc === rpc);
    if (summary === undefined)
      throw CaseStopped.inconclusive(`no ${rpc} was answered, so its latency is not known`);
    lane.evidence('B1106', `${rpc.toLowerCase()}_calls`, summary.count);
    const { budgetMs, p99, rawP99 } = summary;
    if (budgetMs === null || rawP99 <= budgetMs) continue;
    // What is left of a latency covers only the part of the time in which bfcheck was there to see.
    if (p99 <= budgetMs * (1 - standstill)) continue;
    if (p99 <= budgetMs) throw tooBusy(rpc, rawP99, standstill);
    lane.breach(SCALE_CASES.latency, {
      behaviors: ['B1106'],
      rule: 'read',
      aspect: `p99 ${rpc}`,
      expected: [`p99 of ${rpc} within ${budgetMs} ms`],
      observed: `p99 ${p99.toFixed(1)} ms (p50 ${summary.p50.toFixed(1)} ms, max ${summary.max.toFixed(1)} ms, ${summary.count} calls)`,
    });
  }
}

function tooBusy(rpc: string, rawP99: number, standstill: number): CaseStopped {
  return CaseStopped.inconclusive(
    `p99 of ${rpc} is ${rawP99.toFixed(0)} ms as it was measured, while bfcheck's own event loop stood still for ${Math.round(100 * standstill)} % of the time: this machine is too busy to measure on`,
  );
}
