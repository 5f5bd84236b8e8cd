/** Providers that keep the contract, in every way that it allows: not one of them may be accused. */
import { VARIANTS, type Variant } from '../../provider/index.js';
import { inWorkers } from './jobs.js';
import type { FoundViolation, Trial, TrialResult } from './trial.js';

/** One kind of provider under one kind of circumstances. */
export interface AlarmRow {
  readonly provider: string;
  readonly circumstances: string;
  readonly seeds: number;
  readonly sequences: number;
  readonly certified: number;
  /** The first few, where there are any. */
  readonly violations: readonly Pick<FoundViolation, 'behaviors' | 'aspect' | 'observed'>[];
}

/** How much is tried. */
export interface AlarmOptions {
  readonly healthySeeds: number;
  /** Seeds with slow replies and transitions, for each concurrency. */
  readonly slowSeeds: number;
  readonly variantSeeds: number;
  readonly variantRuns: number;
  /** Seeds over real connections in real time, so many at once that every core is kept busy. */
  readonly busySeeds: number;
  readonly jobs: number;
  /** How many times slower than usual all providers are. */
  readonly timeScale: number;
  readonly tell: (line: string) => void;
}

interface Circumstances {
  readonly provider: string;
  readonly circumstances: string;
  /** The reading in which it must be certified. */
  readonly reading: 'literal' | 'reference';
  readonly trials: readonly Trial[];
}

const RUNS = 100;
const CONCURRENCY = 16;
const CONCURRENCIES = [1, 4, 16] as const;
const SLOW = { minMs: 0, maxMs: 200 };
/** How much slower the provider's clock is in one of the circumstances. */
const SCALE = 10;
/** Runs in real time mostly wait: so many of them for each core keep it busy, and each is the others' disturbance. */
const CROWD = 8;

/** A row for every variant and every circumstance. */
export async function falseAlarms(options: AlarmOptions): Promise<readonly AlarmRow[]> {
  const all = [...healthy(options), ...VARIANTS.flatMap((variant) => variantTrials(variant, options))].map(
    (row) => ({ ...row, trials: row.trials.map((trial) => slower(trial, options.timeScale)) }),
  );
  const resultOf = await resultsOf(
    all.flatMap(({ trials }) => trials),
    options,
  );
  return all.map(({ provider, circumstances, reading, trials: own }) => {
    const results = own.flatMap((trial) => resultOf.get(trial) ?? []);
    const wrong = results.flatMap(({ violations }) =>
      violations.filter((found) => reading === 'literal' || found.reading === 'both'),
    );
    for (const { behaviors, observed } of wrong)
      options.tell(`accused: ${provider}, ${circumstances}: ${behaviors.join()} ${observed}`);
    return {
      provider,
      circumstances,
      seeds: own.length,
      sequences: results.reduce((sum, { sequences }) => sum + sequences, 0),
      certified: results.filter(({ verdicts }) => verdicts[reading] === 'CERTIFIED').length,
      violations: wrong
        .slice(0, 3)
        .map(({ behaviors, aspect, observed }) => ({ behaviors, aspect, observed })),
    };
  });
}

async function resultsOf(
  trials: readonly Trial[],
  { jobs, tell }: AlarmOptions,
): Promise<ReadonlyMap<Trial, TrialResult>> {
  tell(`${trials.length} runs against providers that keep the contract`);
  const results = new Map<Trial, TrialResult>();
  const run = async (some: readonly Trial[], workers: number): Promise<void> => {
    const found = await inWorkers('trial', some, workers, (_result, done) => {
      if (done % 100 === 0) tell(`${results.size + done} of ${trials.length} runs`);
    });
    for (const [i, result] of found.entries()) {
      const trial = some[i];
      if (trial) results.set(trial, result);
    }
  };
  await run(
    trials.filter(({ transport }) => transport === 'virtual'),
    jobs,
  );
  await run(
    trials.filter(({ transport }) => transport === 'grpc'),
    jobs * CROWD,
  );
  return results;
}

function healthy({ healthySeeds, slowSeeds, busySeeds }: AlarmOptions): Circumstances[] {
  const base = { provider: 'healthy', reading: 'literal' } as const;
  const slow = CONCURRENCIES.map((concurrency) => ({
    ...base,
    circumstances: `transitions of 0 to 200 ms, concurrency ${concurrency}`,
    trials: seeds(slowSeeds, { concurrency, latency: SLOW }),
  }));
  const busy = CONCURRENCIES.map((concurrency, turn) => ({
    ...base,
    circumstances: `in real time over gRPC, cores busy, transitions of 0 to 200 ms, concurrency ${concurrency}`,
    trials: seeds(busySeeds, { concurrency, latency: SLOW, transport: 'grpc' }).filter(
      ({ seed }) => seed % CONCURRENCIES.length === turn,
    ),
  }));
  return [
    { ...base, circumstances: 'as it is', trials: seeds(healthySeeds, {}) },
    ...slow,
    { ...base, circumstances: 'its clock ten times slower', trials: seeds(slowSeeds, { timeScale: SCALE }) },
    ...busy,
  ].filter(({ trials }) => trials.length > 0);
}

function variantTrials(
  { name, reading }: Variant,
  { variantSeeds, variantRuns }: AlarmOptions,
): Circumstances[] {
  const base = { provider: name, reading: reading ?? 'literal' } as const;
  const plain = { variant: name, runs: variantRuns };
  return [
    { ...base, circumstances: 'as it is', trials: seeds(variantSeeds, plain) },
    {
      ...base,
      circumstances: 'its clock ten times slower',
      trials: seeds(1, { ...plain, timeScale: SCALE }),
    },
  ];
}

function slower(trial: Trial, factor: number): Trial {
  return { ...trial, timeScale: (trial.timeScale ?? 1) * factor };
}

function seeds(count: number, what: Partial<Trial>): Trial[] {
  return Array.from({ length: count }, (_, i) => ({
    lane: 'black-box',
    seed: i + 1,
    runs: RUNS,
    concurrency: CONCURRENCY,
    transport: 'virtual',
    firstOnly: false,
    examine: true,
    ...what,
  }));
}
