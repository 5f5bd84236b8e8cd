/** Latencies against their declared budgets (B1106). */
import { SCALE_CASES } from './cases.js';
import type { LatencySummary, ScaleTools } from './options.js';
import { CaseStopped } from './stopped.js';

/**
 * Holds every p99 for which a budget was declared against it.
 * @throws CaseStopped where an RPC was not called, or bfcheck was too busy to tell
 */
export function checkBudgets(latencies: readonly LatencySummary[], { lane }: Pick<ScaleTools, 'lane'>): void {
  for (const rpc of ['Get', 'Create', 'List']) {
    const summary = latencies.find((candidate) => candidate.rpc === rpc);
    if (summary === undefined)
      throw CaseStopped.inconclusive(`no ${rpc} was answered, so its latency is not known`);
    lane.evidence('B1106', `${rpc.toLowerCase()}_calls`, summary.count);
    if (summary.budgetMs === null || summary.rawP99 <= summary.budgetMs) continue;
    if (summary.p99 <= summary.budgetMs) {
      throw CaseStopped.inconclusive(
        `p99 of ${rpc} is ${summary.rawP99.toFixed(0)} ms, but bfcheck's own event loop stood still for too much of it: this machine is too busy to measure on`,
      );
    }
    lane.breach(SCALE_CASES.latency, {
      behaviors: ['B1106'],
      rule: 'read',
      aspect: `p99 ${rpc}`,
      expected: [`p99 of ${rpc} within ${summary.budgetMs} ms`],
      observed: `p99 ${summary.p99.toFixed(1)} ms (p50 ${summary.p50.toFixed(1)} ms, max ${summary.max.toFixed(1)} ms, ${summary.count} calls)`,
    });
  }
}
