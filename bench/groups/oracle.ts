/** Group 2: what the checks themselves cost. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Bench } from 'tinybench';
import { stepGet, stepMutation } from '../../model/contract.js';
import { Machine, MachineState } from '../../src/wire/gen/provider.js';
import { type ModelStep, type RecordedSteps, recordSteps } from '../lib/model-steps.js';
import { rounded } from '../lib/plot.js';
import { checkRun, inFolder } from '../lib/processes.js';
import { byFile, byPurpose, type CpuProfile } from '../lib/profile.js';
import { atLeast, atMost, type Row, row } from '../lib/row.js';
import type { Figures, Settings } from '../lib/settings.js';

const RECORDED_RUNS = 400;
/**
 * The newest of them are timed. In a run a record is judged just after it was decoded; eight thousand recorded ones do
 * not fit into the caches, and to fetch them costs more than to judge them.
 */
const TIMED_STEPS = 1_000;
const PROFILED_RUNS = 5_000;
const STEPS_A_SECOND = 300_000;
const OVERHEAD_PERCENT = 10;
const FILES_SHOWN = 25;
/**
 * V8 charges part of what it inlines to the caller, and the engine calls everything: a second profile leaves all functions
 * of more than so many bytes of bytecode as functions of their own. It explains the first one, which the target is for.
 */
const APART = '--max-inlined-bytecode-size=120';
const DECODES = 5_000;

export async function oracle({ full, concurrency }: Settings): Promise<Figures> {
  const { steps, model } = await recordSteps(RECORDED_RUNS);
  const recorded = { model, steps: steps.slice(-TIMED_STEPS) };
  const profiles: CpuProfile[] = [];
  const apart: CpuProfile[] = [];
  for (let round = 0; round < (full ? 5 : 1); round++) {
    profiles.push(await profileOfRun(concurrency));
    apart.push(await profileOfRun(concurrency, [APART]));
  }
  return {
    title: `${recorded.steps.length} recorded steps, and the profile of --runs ${PROFILED_RUNS}`,
    rows: [
      ...(await stepRows(recorded)),
      row(
        'generation and bookkeeping, of the CPU of a run',
        '%',
        profiles.map(overheadOf),
        atMost(OVERHEAD_PERCENT),
      ),
      row('the same with long functions not inlined into their callers', '%', apart.map(overheadOf)),
    ],
    plots: [],
    notes: apart.slice(-1).flatMap(described),
  };
}

async function stepRows({ steps, model }: RecordedSteps): Promise<Row[]> {
  // On the processor's own time, so that whatever else is running does not count.
  const bench = new Bench({ time: 2_000, iterations: 20, warmupTime: 500, now: cpuMs });
  const take = (step: ModelStep): void => {
    if (step.call === null) stepGet(step.belief, { kind: 'Get', machineId: step.id }, step.outcome, model);
    else stepMutation(step.belief, step.call, step.outcome, model);
  };
  const bytes = Machine.encode(SAMPLE).finish();
  const tasks = [
    ['steps of the model with the record check', steps.length, () => steps.forEach(take)],
    [
      'for comparison: a Machine of ten labels decoded',
      DECODES,
      () => {
        for (let n = 0; n < DECODES; n++) Machine.decode(bytes);
      },
    ],
  ] as const;
  for (const [name, , task] of tasks) bench.add(name, task);
  await bench.run();
  return bench.tasks.map((task, index) => {
    const { result } = task;
    if (result.state !== 'completed') throw new Error(`${task.name} did not complete`);
    const { p50, min, max } = result.latency;
    const count = tasks[index]?.[1] ?? 0;
    const rates = [max, p50, min].map((ms) => (1000 * count) / ms);
    return row(task.name, '/s', rates, index === 0 ? atLeast(STEPS_A_SECOND) : null);
  });
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const entries = (count: number): Map<string, string> =>
  new Map(Array.from({ length: count }, (_, n) => [`key-${n}`, `value-${n}`]));

const SAMPLE: Machine = {
  id: 'machine-1',
  state: MachineState.MACHINE_STATE_CONFIGURED,
  host: { provider: 'provider', ref: 'machine-1/1' },
  instanceType: 'm5.large',
  zone: 'zone-1',
  capacityType: 3,
  pricePerHour: 0.1,
  interruptionProbability: 0,
  resources: { resources: entries(2) },
  labels: entries(10),
  lastError: '',
  allocatable: { resources: entries(2) },
  cluster: 'cluster-a',
  shardMetadata: entries(2),
};

/** A whole run, the process of the provider left out. */
function profileOfRun(concurrency: number, nodeArgs: readonly string[] = []): Promise<CpuProfile> {
  return inFolder(async (folder) => {
    await checkRun(
      [`--runs=${PROFILED_RUNS}`, `--concurrency=${concurrency}`],
      [...nodeArgs, '--cpu-prof', `--cpu-prof-dir=${folder}`],
    );
    const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.cpuprofile'));
    return JSON.parse(await readFile(join(folder, name), 'utf8'));
  });
}

function overheadOf(profile: CpuProfile): number {
  return byPurpose(profile)
    .filter(([name]) => name.startsWith('generation') || name.startsWith('bookkeeping'))
    .reduce((sum, [, percent]) => sum + percent, 0);
}

function described(profile: CpuProfile): readonly string[] {
  return [
    'CPU by purpose:',
    ...byPurpose(profile).map(line),
    '',
    'CPU by file:',
    ...byFile(profile).slice(0, FILES_SHOWN).map(line),
  ];
}

function line([name, percent]: readonly [string, number]): string {
  return `${rounded(percent).padStart(6)} %  ${name}`;
}
