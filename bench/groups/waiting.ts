/** Group 3: a provider that takes its time. */
import { boundOf, chainsOf } from '../lib/chains.js';
import { laneProcess } from '../lib/lane-process.js';
import { rounded } from '../lib/plot.js';
import { withServer } from '../lib/processes.js';
import { atMost, row } from '../lib/row.js';
import type { Figures, Settings } from '../lib/settings.js';

const RUNS = 500;
const LATENCY_MS = 500;
const FACTOR = 1.3;

export async function waiting({ concurrency }: Settings): Promise<Figures> {
  const chains = await chainsOf(RUNS, LATENCY_MS);
  const boundMs = boundOf(chains, concurrency);
  const args = [`--latency=${LATENCY_MS}..${LATENCY_MS}ms`];
  const { wallMs } = await withServer(args, (target) => laneProcess({ target, runs: RUNS, concurrency }));
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0) / 1000;
  return {
    title: `${RUNS} sequences on transitions of ${LATENCY_MS} ms, ${concurrency} at the same time`,
    rows: [
      row('time, of the least possible', 'times', [wallMs / boundMs], atMost(FACTOR)),
      row('time of the lane', 's', [wallMs / 1000]),
      row('least possible', 's', [boundMs / 1000]),
    ],
    plots: [],
    notes: [
      `the bound: ${rounded(sum(chains.alone))} s of scenarios that run alone, then ${rounded(sum(chains.together))} s of chains over ${concurrency} workers; the longest chain is ${rounded(Math.max(...chains.together) / 1000)} s`,
    ],
  };
}
