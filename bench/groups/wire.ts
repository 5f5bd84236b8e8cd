/** Group 1: a whole run against what the bare client does with the same calls. */
import { join } from 'node:path';
import type { LaneRun } from '../lib/lane.js';
import { laneProcess } from '../lib/lane-process.js';
import type { Plot } from '../lib/plot.js';
import { inFolder, node, script, withServer } from '../lib/processes.js';
import { record } from '../lib/recording.js';
import { atLeast, median, row } from '../lib/row.js';
import type { Figures, Settings } from '../lib/settings.js';

const RUNS = 5_000;
const ROUNDS = { full: 5, short: 3 };
const SWEEP_RUNS = 500;
/** Of the bare client's calls a second. */
const SHARE = 0.75;
const SERVER = ['--provider=bfcheck'];
const MIB = 1024 ** 2;
const CONCURRENCIES = [1, 4, 8, 16, 32, 64];

interface Bare {
  readonly calls: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly lost: number;
}

export async function wire({ full, concurrency }: Settings): Promise<Figures> {
  const rounds = full ? ROUNDS.full : ROUNDS.short;
  const all: { readonly run: LaneRun; readonly sent: Bare }[] = [];
  await inFolder(async (folder) => {
    const file = join(folder, 'calls');
    await record(file, RUNS, concurrency);
    // Turn by turn, so that both meet the same moods of the machine.
    for (let round = 0; round < rounds; round++) {
      const run = await withServer(SERVER, (target) => laneProcess({ target, runs: RUNS, concurrency }));
      all.push({ run, sent: await bareRun(file, concurrency) });
    }
  });
  const over = (figure: (run: LaneRun, sent: Bare) => number): number[] =>
    all.map(({ run, sent }) => figure(run, sent));
  const bareRate = ({ calls, wallMs }: Bare): number => perSecond(calls, wallMs);
  const { rates, memory } = await concurrencySweep(rounds);
  const [peak = 0] = rates.points.toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return {
    title: `--runs ${RUNS} with all checks on, against the bare grpc-js client with the same calls`,
    rows: [
      row(
        'calls a second, of the bare client’s',
        'times',
        over((run, sent) => perSecond(run.calls, run.wallMs) / bareRate(sent)),
        atLeast(SHARE),
      ),
      row(
        'the same, generated part alone',
        'times',
        over((run, sent) => perSecond(run.generatedCalls, run.generatedMs) / bareRate(sent)),
      ),
      row(
        'CPU of a bare call, of a checked one’s',
        'times',
        over((run, sent) => cpuOf(sent) / cpuOf(run)),
      ),
      row(
        'calls a second, checked',
        '/s',
        over(({ calls, wallMs }) => perSecond(calls, wallMs)),
      ),
      row(
        'calls a second, bare',
        '/s',
        over((_, sent) => bareRate(sent)),
      ),
      row('CPU of a checked call', 'µs', over(cpuOf)),
      row(
        'CPU of a bare call',
        'µs',
        over((_, sent) => cpuOf(sent)),
      ),
    ],
    plots: [rates, memory],
    notes: [`the generated part is fastest at concurrency ${peak}; the default is ${concurrency}`],
  };
}

function bareRun(file: string, concurrency: number): Promise<Bare> {
  return withServer(SERVER, async (target) => {
    await laneProcess({ target, runs: 1, concurrency });
    const { stdout } = await node([script('bare-client'), target, file, String(concurrency)]);
    return JSON.parse(stdout);
  });
}

/** The generated part alone: the scenarios before it wait for their windows at any concurrency. */
async function concurrencySweep(rounds: number): Promise<{ rates: Plot; memory: Plot }> {
  const runs = CONCURRENCIES.map((concurrency) => ({
    concurrency,
    rates: [] as number[],
    memory: [] as number[],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { concurrency, rates, memory } of runs) {
      const run = await withServer([], (target) => laneProcess({ target, runs: SWEEP_RUNS, concurrency }));
      rates.push(perSecond(run.generatedCalls, run.generatedMs));
      memory.push(run.rssPeak / MIB);
    }
  }
  const common = { x: 'concurrency', scale: 'log' } as const;
  return {
    rates: {
      ...common,
      name: 'concurrency-calls',
      title: 'Calls a second against concurrency',
      y: 'calls/s',
      points: runs.map(({ concurrency, rates }) => [concurrency, median(rates)]),
    },
    memory: {
      ...common,
      name: 'concurrency-memory',
      title: 'Memory against concurrency',
      y: 'MiB at most',
      points: runs.map(({ concurrency, memory }) => [concurrency, median(memory)]),
    },
  };
}

/** Of one call, in microseconds. */
function cpuOf({ cpuMs, calls }: Pick<Bare, 'cpuMs' | 'calls'>): number {
  return (1000 * cpuMs) / calls;
}

function perSecond(calls: number, ms: number): number {
  return (1000 * calls) / ms;
}
