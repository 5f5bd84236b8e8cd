/**
 * What the linearizability checker costs: each recorded history with a known verdict, and made histories of
 * the toy lifecycle at the sizes that a run produces. Prints medians and the slowest run, in milliseconds.
 */
import { Bench, type Task } from 'tinybench';
import { check, type HistoryCall, type Specification } from '../src/engine/linearize.js';
import { honestHistory, type Shape, spoiled } from '../test/linearize/honest.js';
import { lifecycle } from '../test/linearize/lifecycle.js';
import { register } from '../test/linearize/objects.js';
import {
  etcdHistories,
  keyOfStore,
  RECORDED_ABSENT,
  recordedPresent,
  storeHistories,
} from '../test/linearize/recorded.js';

const SETTINGS = { time: 0, iterations: 5, warmupTime: 0, warmupIterations: 1 };
let wrong = 0;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Adds a check to `bench`, and counts it as wrong when its verdict is not `expected`. */
function judge<S, C>(
  bench: Bench,
  name: string,
  spec: Specification<S, C>,
  history: readonly HistoryCall<C>[],
  expected: 'explained' | 'violation',
): void {
  const verdict = check(spec, history);
  const right = verdict.kind === expected;
  if (!right) wrong += 1;
  const label = `${name}: ${history.length} calls, ${verdict.kind}${right ? '' : ' (WRONG)'}, ${verdict.steps} steps`;
  bench.add(label, () => {
    check(spec, history);
  });
}

function median(task: Task): number {
  const { result } = task;
  if (result.state !== 'completed') throw new Error(`${task.name} did not complete`);
  return result.latency.p50;
}

function slowest(task: Task): number {
  const { result } = task;
  return result.state === 'completed' ? result.latency.max : Number.NaN;
}

async function report(bench: Bench): Promise<void> {
  await bench.run();
  for (const task of bench.tasks) {
    print(`${median(task).toFixed(2).padStart(10)} ms  (slowest ${slowest(task).toFixed(2)})  ${task.name}`);
  }
  const all = bench.tasks.reduce((sum, task) => sum + median(task), 0);
  print(`${all.toFixed(2).padStart(10)} ms  all ${bench.tasks.length}`);
}

async function recorded(): Promise<void> {
  print('\nRecorded histories');
  if (!recordedPresent) {
    print(RECORDED_ABSENT);
    return;
  }
  const bench = new Bench(SETTINGS);
  const expected = (linearizable: boolean) => (linearizable ? 'explained' : 'violation');
  for (const one of etcdHistories())
    judge(bench, one.name, register, one.history, expected(one.linearizable));
  for (const one of storeHistories())
    judge(bench, one.name, keyOfStore, one.history, expected(one.linearizable));
  await report(bench);
}

async function made(): Promise<void> {
  print('\nMade histories of the toy lifecycle (target for each: under 1,000 ms)');
  const shapes: readonly (readonly [string, Omit<Shape, 'seed'>])[] = [
    ['100 machines, 3 in flight', { machines: 100, callsPerMachine: 100, inFlight: 3, lost: 0 }],
    ['100 machines, 3 in flight, 5% lost', { machines: 100, callsPerMachine: 100, inFlight: 3, lost: 0.05 }],
    ['1 machine, 8 in flight', { machines: 1, callsPerMachine: 64, inFlight: 8, lost: 0 }],
    ['1 machine, 8 in flight, 10% lost', { machines: 1, callsPerMachine: 64, inFlight: 8, lost: 0.1 }],
    ['1 machine, 8 in flight, 25% lost', { machines: 1, callsPerMachine: 64, inFlight: 8, lost: 0.25 }],
    ['1 machine, 16 in flight', { machines: 1, callsPerMachine: 64, inFlight: 16, lost: 0 }],
  ];
  const bench = new Bench(SETTINGS);
  for (const [name, shape] of shapes) {
    const history = honestHistory({ ...shape, seed: 42 });
    judge(bench, name, lifecycle, history, 'explained');
    judge(bench, `${name}, spoiled`, lifecycle, spoiled(history, 'machine-0'), 'violation');
  }
  await report(bench);
}

await recorded();
await made();
if (wrong > 0) {
  print(`\n${wrong} verdicts are wrong`);
  process.exitCode = 1;
}
