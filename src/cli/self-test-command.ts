/** `bfcheck self-test`: certifies the checker. */

import { mkdir } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { writeAtomically } from '../engine/write-atomically.js';
import { EXIT, UsageError } from './failure.js';
import { coverage } from './self-test/coverage.js';
import { selfTestDoc } from './self-test/doc.js';
import { type AlarmOptions, falseAlarms } from './self-test/false-alarms.js';
import { minimality } from './self-test/minimality.js';
import { missedGoals, type SelfTestRecord } from './self-test/record.js';
import { mutantsOf, sensitivity } from './self-test/sensitivity.js';
import {
  alarmTable,
  coverageText,
  killMatrix,
  longShrinks,
  minimalityTable,
  sensitivityTable,
  summary,
} from './self-test/tables.js';

/** Options of `self-test` as commander hands them over. */
export interface SelfTestOptions {
  readonly full?: boolean;
  /** A glob over names of mutants or the behaviors that they break. */
  readonly mutants: string;
  readonly seeds?: number;
  /** Seeds for the healthy provider; the other circumstances have a tenth of them. */
  readonly healthySeeds?: number;
  readonly jobs?: number;
  /** How many times slower than usual every provider is, and how much more patient the checker. */
  readonly timeScale: number;
  readonly out: string;
  /** Where to write the page of tables. */
  readonly doc?: string;
}

const QUICK = {
  seeds: 1,
  alarms: { healthySeeds: 50, slowSeeds: 2, variantSeeds: 1, variantRuns: 60, busySeeds: 0 },
} as const;
const FULL = {
  seeds: 20,
  alarms: { healthySeeds: 1_000, slowSeeds: 100, variantSeeds: 3, variantRuns: 300, busySeeds: 100 },
} as const;
const COVERAGE_RUNS = 5_000;

/** Runs the self-test, prints its tables, writes `self-test.json`, and returns the exit code. */
export async function selfTest(options: SelfTestOptions, write: (text: string) => void): Promise<number> {
  if (mutantsOf(options.mutants).length === 0)
    throw new UsageError(`no mutant matches ${JSON.stringify(options.mutants)}; bfcheck mutants lists them`);
  const record = await run(options, (line) => write(`${line}\n`));
  write(`${texts(record).join('\n\n')}\n`);
  await mkdir(options.out, { recursive: true });
  await writeAtomically(join(options.out, 'self-test.json'), `${JSON.stringify(record, null, 2)}\n`);
  if (options.doc !== undefined) await writeAtomically(options.doc, selfTestDoc(record));
  return record.missed.length === 0 ? EXIT.certified : EXIT.failed;
}

async function run(options: SelfTestOptions, tell: (line: string) => void): Promise<SelfTestRecord> {
  const startedAt = performance.now();
  const full = options.full === true;
  const { timeScale } = options;
  const form = full ? FULL : QUICK;
  const jobs = options.jobs ?? availableParallelism();
  const all = options.mutants === '*';
  const mutants = await sensitivity({
    mutants: options.mutants,
    seeds: options.seeds ?? form.seeds,
    jobs,
    timeScale,
    full,
    tell,
  });
  const unfinished = {
    schema_version: 1,
    form: full ? 'full' : 'quick',
    timestamp: new Date().toISOString(),
    machine: { cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown', node: process.versions.node },
    time_scale: timeScale,
    mutants,
    minimality: full ? await minimality(mutants, jobs) : null,
    false_alarms: all
      ? await falseAlarms({ ...form.alarms, ...fewer(options, form.alarms.busySeeds), jobs, timeScale, tell })
      : [],
    coverage: full && all ? await coverage(COVERAGE_RUNS, jobs) : null,
    duration_ms: Math.round(performance.now() - startedAt),
  } as const;
  return { ...unfinished, missed: missedGoals(unfinished) };
}

function fewer({ healthySeeds }: SelfTestOptions, mostBusy: number): Partial<AlarmOptions> {
  if (healthySeeds === undefined) return {};
  const tenth = Math.ceil(healthySeeds / 10);
  return { healthySeeds, slowSeeds: tenth, busySeeds: Math.min(mostBusy, tenth) };
}

function texts(record: SelfTestRecord): string[] {
  const { form, mutants, minimality, coverage, false_alarms, missed } = record;
  return [
    sensitivityTable(mutants),
    ...(form === 'full' ? [killMatrix(mutants)] : []),
    ...(minimality === null ? [] : [minimalityTable(minimality), longShrinks(mutants)]),
    alarmTable(false_alarms),
    ...(coverage === null ? [] : [coverageText(coverage)]),
    ...(missed.length === 0 ? [] : [missed.map((goal) => `missed: ${goal}`).join('\n')]),
    summary(record),
  ];
}
