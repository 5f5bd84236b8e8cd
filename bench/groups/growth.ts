/** Group 5: time and memory against the size of everything. */
import { check } from '../../src/engine/linearize.js';
import { honestHistory, type Shape } from '../../test/linearize/honest.js';
import { lifecycle } from '../../test/linearize/lifecycle.js';
import type { LaneRun, MemorySample } from '../lib/lane.js';
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
/** More than half an hour can hold. */
const FULL_SOAK_RUNS = 600_000;
const FULL_SOAK_MINUTES = 30;

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
  const length = full ? { runs: FULL_SOAK_RUNS, minutes: FULL_SOAK_MINUTES } : { runs: SOAK_RUNS };
  const { memory, generatedSequences: sequences } = await withServer([], (target) =>
    laneProcess({ target, concurrency, ...length }, ['--expose-gc']),
  );
  const third = Math.floor(memory.length / 3);
  const ratio = (of: (sample: MemorySample) => number): number =>
    median(memory.slice(2 * third).map(of)) / median(memory.slice(third, 2 * third).map(of));
  const name = `in the last third of ${full ? `${FULL_SOAK_MINUTES} minutes, ` : ''}${sequences} sequences, of the third before`;
  return {
    rows: [
      row(`live heap ${name}`, 'times', [ratio(({ heap }) => heap)], atMost(FLAT)),
      row(`resident memory ${name}`, 'times', [ratio(({ rss }) => rss)], atMost(FLAT)),
    ],
    notes: [
      ...plot(
        'sequences',
        'MiB live',
        memory.map(({ sequences: at, heap }) => [at, heap / MIB]),
      ),
      '',
      ...plot(
        'sequences',
        'MiB resident',
        memory.map(({ sequences: at, rss }) => [at, rss / MIB]),
      ),
    ],
  };
}
