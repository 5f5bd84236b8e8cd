/** Group 1: a whole run against what the bare client does with the same calls. */
import { join } from 'node:path';
import { laneProcess } from '../lib/lane-process.js';
import { plot } from '../lib/print.js';
import { checkRun, inFolder, node, script, withServer } from '../lib/processes.js';
import { record } from '../lib/recording.js';
import { atLeast, type Group, median, row } from '../lib/row.js';
import type { Settings } from '../lib/settings.js';

const RUNS = 5_000;
const SWEEP_RUNS = 1_000;
/** Of the bare client's calls a second. */
const SHARE = 0.75;
const CONCURRENCIES = [1, 2, 4, 8, 16, 32, 64];

interface Bare {
  readonly calls: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly lost: number;
}

export async function wire({ full, concurrency }: Settings): Promise<Group> {
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
  const sweep = await concurrencySweep();
  const [peak = 0] = sweep.toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return {
    number: 1,
    title: `Wire-bound: --runs ${RUNS} with all checks on, against the bare grpc-js client with the same calls`,
    rows: [
      row('share of the bare client\u2019s calls a second', '', shares, atLeast(SHARE)),
      row('calls a second, checked', '/s', checked),
      row('calls a second, bare', '/s', bare),
      row('CPU of the bare client for a call', '\u00b5s', [bareCpu]),
    ],
    notes: [
      `generated part at other concurrencies (the peak is at ${peak}, the default is ${concurrency}):`,
      ...plot('concurrency', 'calls a second', sweep),
    ],
  };
}

function bareRun(file: string, concurrency: number): Promise<Bare> {
  return withServer(['--provider=bfcheck'], async (target) => {
    await laneProcess({ target, runs: 1, concurrency });
    const { stdout } = await node([script('bare-client'), target, file, String(concurrency)]);
    return JSON.parse(stdout);
  });
}

/** Calls a second of the generated part: the scenarios before it wait for their windows at any concurrency. */
async function concurrencySweep(): Promise<[number, number][]> {
  const points: [number, number][] = [];
  for (const concurrency of CONCURRENCIES) {
    const samples: number[] = [];
    for (let round = 0; round < 3; round++) {
      const run = await withServer([], (target) => laneProcess({ target, runs: SWEEP_RUNS, concurrency }));
      samples.push(perSecond(run.generatedCalls, run.generatedMs));
    }
    points.push([concurrency, median(samples)]);
  }
  return points;
}

function perSecond(calls: number, ms: number): number {
  return (1000 * calls) / ms;
}
