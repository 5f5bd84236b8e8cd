/** Group 5: time and memory against the size of everything. */
import { check } from '../../src/engine/linearize.js';
import { honestHistory, type Shape } from '../../test/linearize/honest.js';
import { lifecycle } from '../../test/linearize/lifecycle.js';
import type { LaneRun } from '../lib/lane.js';
import { laneProcess } from '../lib/lane-process.js';
import { plot } from '../lib/print.js';
import { withServer } from '../lib/processes.js';
import { atMost, type Group, growthExponent, median, type Row, row } from '../lib/row.js';
import type { Settings } from '../lib/settings.js';

type Points = (readonly [x: number, y: number])[];

/** Linear, with room for a machine that is busy with something else. */
const LINEAR = 1.15;
/** Live heap in the last third of a run, of what it was in the third before. */
const FLAT = 1.1;
const MIB = 1024 ** 2;
const SOAK_RUNS = 10_000;
const FULL_SOAK_RUNS = 600_000;

export async function growth(settings: Settings): Promise<Group> {
  const parts = [
    await overSequences(settings),
    await overMachines(settings),
    overHistory(settings),
    overPending(),
    await soak(settings),
  ];
  return {
    number: 5,
    title: 'Growth: the exponent of time against size (1 is linear), and memory over a long run',
    rows: parts.flatMap(({ rows }) => rows),
    notes: parts.flatMap(({ notes }) => [...notes, '']),
  };
}

interface Part {
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
}

async function overSequences({ full, concurrency }: Settings): Promise<Part> {
  const sizes = full ? [500, 1_500, 5_000, 15_000, 50_000] : [500, 1_000, 2_000, 4_000];
  const [times, memory]: [Points, Points] = [[], []];
  for (const runs of sizes) {
    const run = await laneOn(256, runs, concurrency);
    times.push([runs, run.generatedMs / 1000]);
    memory.push([runs, run.rssPeak / MIB]);
  }
  return {
    rows: [row('time against sequences', 'exponent', [growthExponent(times)], atMost(LINEAR))],
    notes: [...plot('sequences', 'seconds', times), '', ...plot('sequences', 'MiB at most', memory)],
  };
}

async function overMachines({ full, concurrency }: Settings): Promise<Part> {
  const sizes = full ? [100, 1_000, 10_000, 100_000] : [100, 300, 1_000, 3_000];
  const [times, memory]: [Points, Points] = [[], []];
  for (const machines of sizes) {
    const run = await laneOn(machines, FLEET_RUNS, concurrency);
    times.push([machines, run.wallMs / 1000]);
    memory.push([machines, run.rssPeak / MIB]);
  }
  return {
    rows: [
      row('time of a run against machines in the fleet', 'exponent', [growthExponent(times)], atMost(LINEAR)),
    ],
    notes: [...plot('machines', 'seconds', times), '', ...plot('machines', 'MiB at most', memory)],
  };
}

const FLEET_RUNS = 100;

function laneOn(machines: number, runs: number, concurrency: number): Promise<LaneRun> {
  return withServer([`--seed-count=${machines}`], (target) => laneProcess({ target, runs, concurrency }));
}

/**
 * Histories of more machines are the ones that grow in a run, and they must grow linearly. Those of one machine stay
 * short (a race has at most 32 calls); how longer ones would fare is for the docs.
 */
function overHistory({ full }: Settings): Part {
  const sizes = full ? [1_000, 3_000, 10_000, 30_000, 100_000] : [1_000, 3_000, 10_000, 30_000];
  const wide: Points = sizes.map((calls) => [
    calls,
    checkMs({ machines: calls / 100, callsPerMachine: 100 }),
  ]);
  const deep: Points = sizes.map((calls) => [calls, checkMs({ machines: 10, callsPerMachine: calls / 10 })]);
  return {
    rows: [
      row('time of the order search against calls', 'exponent', [growthExponent(wide)], atMost(LINEAR)),
      row('the same on ten machines however long', 'exponent', [growthExponent(deep)]),
    ],
    notes: [...plot('calls, 100 a machine', 'ms', wide), '', ...plot('calls, on ten machines', 'ms', deep)],
  };
}

/** Every lost call may have taken effect at any later time: no bound is promised, the figures are for the docs. */
function overPending(): Part {
  const shares = [0, 0.05, 0.1, 0.15, 0.2, 0.25];
  const times: Points = shares.map((lost) => [
    100 * lost,
    checkMs({ machines: 1, callsPerMachine: 64, inFlight: 8, lost }),
  ]);
  return { rows: [], notes: plot('% of 64 calls lost', 'ms', times) };
}

function checkMs(shape: Partial<Shape>): number {
  const history = honestHistory({
    machines: 1,
    callsPerMachine: 100,
    inFlight: 3,
    lost: 0,
    seed: 42,
    ...shape,
  });
  const samples = Array.from({ length: 5 }, () => {
    const from = performance.now();
    check(lifecycle, history);
    return performance.now() - from;
  });
  return median(samples);
}

async function soak({ full, concurrency }: Settings): Promise<Part> {
  const runs = full ? FULL_SOAK_RUNS : SOAK_RUNS;
  const { heap } = await withServer([], (target) =>
    laneProcess({ target, runs, concurrency }, ['--expose-gc']),
  );
  const third = Math.floor(heap.length / 3);
  const live = (from: number, to?: number): number => median(heap.slice(from, to).map(([, bytes]) => bytes));
  const [middle, last] = [live(third, 2 * third), live(2 * third)];
  const points: Points = heap.map(([sequences, bytes]) => [sequences, bytes / MIB]);
  return {
    rows: [
      row(
        `live heap in the last third of ${runs} sequences, of the third before`,
        'times',
        [last / middle],
        atMost(FLAT),
      ),
    ],
    notes: plot('sequences', 'MiB live', points),
  };
}
