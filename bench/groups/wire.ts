/** Group 1: a whole run against what the bare client does with the same calls. */
import { join } from 'node:path';
import { laneProcess } from '../lib/lane-process.js';
import type { Plot } from '../lib/plot.js';
import { checkRun, inFolder, node, script, withServer } from '../lib/processes.js';
import { record } from '../lib/recording.js';
import { atLeast, median, row } from '../lib/row.js';
import type { Figures, Settings } from '../lib/settings.js';

const RUNS = 5_000;
const SWEEP_RUNS = 1_000;
/** Of the bare client's calls a second. */
const SHARE = 0.75;
const MIB = 1024 ** 2;
const CONCURRENCIES = [1, 2, 4, 8, 16, 32, 64];

interface Bare {
  readonly calls: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly lost: number;
}

export async function wire({ full, concurrency }: Settings): Promise<Figures> {
  const rounds = full ? 5 : 3;
  const [checked, bare, shares]: [number[], number[], number[]] = [[], [], []];
  let bareCpu = 0;
  await inFolder(async (folder) => {
    const file = join(folder, 'calls');
    await record(file, RUNS, concurrency);
    // Turn by turn, so that both meet the same moods of the machine.
    for (let round = 0; round < rounds; round++) {
      const run = await checkRun([`--runs=${RUNS}`, `--concurrency=${concurrency}`]);
      const sent = await bareRun(file, concurrency);
      const [ours, theirs] = [perSecond(run.calls, run.durationMs), perSecond(sent.calls, sent.wallMs)];
      checked.push(ours);
      bare.push(theirs);
      shares.push(ours / theirs);
      bareCpu = (1000 * sent.cpuMs) / sent.calls;
    }
  });
  const { rates, memory } = await concurrencySweep();
  const [peak = 0] = rates.points.toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return {
    title: `--runs ${RUNS} with all checks on, against the bare grpc-js client with the same calls`,
    rows: [
      row('share of the bare client\u2019s calls a second', '', shares, atLeast(SHARE)),
      row('calls a second, checked', '/s', checked),
      row('calls a second, bare', '/s', bare),
      row('CPU of the bare client for a call', '\u00b5s', [bareCpu]),
    ],
    plots: [rates, memory],
    notes: [`the generated part is fastest at concurrency ${peak}; the default is ${concurrency}`],
  };
}

function bareRun(file: string, concurrency: number): Promise<Bare> {
  return withServer(['--provider=bfcheck'], async (target) => {
    await laneProcess({ target, runs: 1, concurrency });
    const { stdout } = await node([script('bare-client'), target, file, String(concurrency)]);
    return JSON.parse(stdout);
  });
}

/** The generated part alone: the scenarios before it wait for their windows at any concurrency. */
async function concurrencySweep(): Promise<{ rates: Plot; memory: Plot }> {
  const runs = CONCURRENCIES.map((concurrency) => ({
    concurrency,
    rates: [] as number[],
    memory: [] as number[],
  }));
  for (let round = 0; round < 3; round++) {
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

function perSecond(calls: number, ms: number): number {
  return (1000 * calls) / ms;
}
