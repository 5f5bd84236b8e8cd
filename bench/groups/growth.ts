/** Group 5: time and memory against the size of everything. */
import type { LaneRun } from '../lib/lane.js';
import { laneProcess } from '../lib/lane-process.js';
import type { Plot } from '../lib/plot.js';
import { withServer } from '../lib/processes.js';
import { atMost, growthExponent, row } from '../lib/row.js';
import type { Figures, Settings } from '../lib/settings.js';
import { overHistory, overPending } from './growth/histories.js';
import { LINEAR, MIB, type Part } from './growth/part.js';

const FLEET_RUNS = 100;
const SEED_COUNT = 256;

export async function growth(settings: Settings): Promise<Figures> {
  const parts = [
    await overSequences(settings),
    await overMachines(settings),
    overHistory(settings),
    overPending(),
  ];
  return {
    title: 'exponents of time against size; 1 is linear',
    rows: parts.flatMap(({ rows }) => rows),
    plots: parts.flatMap(({ plots }) => plots),
    notes: [],
  };
}

/** Time is that of the generated part; the scenarios before it are always the same. */
async function overSequences({ full, concurrency }: Settings): Promise<Part> {
  const sizes = full ? [500, 1_500, 5_000, 15_000, 50_000] : [500, 1_000, 2_000, 4_000];
  const runs: (readonly [number, LaneRun])[] = [];
  for (const size of sizes) runs.push([size, await laneOn(SEED_COUNT, size, concurrency)]);
  const seconds = plotOf('sequences', 'time', 's', runs, ({ generatedMs }) => generatedMs / 1000);
  return {
    rows: [row('time against sequences', 'exponent', [growthExponent(seconds.points)], atMost(LINEAR))],
    plots: [seconds, plotOf('sequences', 'memory', 'MiB at most', runs, ({ rssPeak }) => rssPeak / MIB)],
  };
}

async function overMachines({ full, concurrency }: Settings): Promise<Part> {
  const sizes = full ? [100, 1_000, 10_000, 100_000] : [100, 300, 1_000, 3_000];
  const runs: (readonly [number, LaneRun])[] = [];
  for (const size of sizes) runs.push([size, await laneOn(size, FLEET_RUNS, concurrency)]);
  const seconds = plotOf('machines', 'time', 's', runs, ({ wallMs }) => wallMs / 1000);
  return {
    rows: [row('time against machines', 'exponent', [growthExponent(seconds.points)], atMost(LINEAR))],
    plots: [seconds, plotOf('machines', 'memory', 'MiB at most', runs, ({ rssPeak }) => rssPeak / MIB)],
  };
}

function plotOf(
  size: string,
  what: string,
  y: string,
  runs: readonly (readonly [number, LaneRun])[],
  figure: (run: LaneRun) => number,
): Plot {
  return {
    name: `${size}-${what}`,
    title: `${what === 'time' ? 'Time' : 'Memory'} against ${size}`,
    x: size,
    y,
    scale: 'log',
    points: runs.map(([at, run]) => [at, figure(run)]),
  };
}

function laneOn(machines: number, runs: number, concurrency: number): Promise<LaneRun> {
  return withServer([`--seed-count=${machines}`], (target) => laneProcess({ target, runs, concurrency }));
}
