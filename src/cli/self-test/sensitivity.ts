/** Every mutant against the checker: is it caught, how soon, and is its own behavior named? */
import { MUTANTS, type Mutant } from '../../provider/index.js';
import { inWorkers } from './jobs.js';
import { type MutantRow, rowOf } from './mutant-row.js';
import { type LaneName, laneOf, type Trial, type TrialResult } from './trial.js';

/** How much is tried. */
export interface SensitivityOptions {
  /** A glob over names of mutants, or over the behaviors that they break. */
  readonly mutants: string;
  /** Seeds for each mutant, from 1 on. */
  readonly seeds: number;
  readonly jobs: number;
  /** How many times slower than usual the providers are, and how much more patient the checker. */
  readonly timeScale: number;
  /** True: one trial of each mutant is run to its end and examined, and the scale lane is there. */
  readonly full: boolean;
  readonly tell: (line: string) => void;
}

/** Generated sequences of a trial; kills in the durable lane. */
const RUNS: Readonly<
  Record<LaneName, { readonly quick: number; readonly full: number; readonly examined: number }>
> = {
  'black-box': { quick: 500, full: 2_000, examined: 500 },
  fault: { quick: 100, full: 200, examined: 100 },
  durable: { quick: 60, full: 200, examined: 60 },
  scale: { quick: 0, full: 0, examined: 0 },
};
const CONCURRENCY = 16;
/** A trial of the scale lane is half a minute of real time, and its seed decides little but the order of machines. */
const SCALE_SEEDS = 3;

/** The mutants that `pattern` names. */
export function mutantsOf(pattern: string): readonly Mutant[] {
  const source = pattern
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  const glob = new RegExp(`^${source}$`, 'i');
  return MUTANTS.filter(({ name, breaks }) => glob.test(name) || glob.test(breaks));
}

/** A row for every mutant, in their order. */
export async function sensitivity(options: SensitivityOptions): Promise<readonly MutantRow[]> {
  const { jobs, full, tell } = options;
  const mutants = mutantsOf(options.mutants).filter(({ breaks }) => full || laneOf(breaks) !== 'scale');
  const trials = mutants.flatMap((mutant) => trialsOf(mutant, options));
  tell(`${mutants.length} mutants, ${trials.length} trials`);
  const results = await inWorkers('trial', trials, jobs, ({ trial, caughtAfter }, done) => {
    if (caughtAfter === null) tell(`not caught: ${trial.mutant} with seed ${trial.seed}`);
    if (done % 100 === 0) tell(`${done} of ${trials.length} trials`);
  });
  return mutants.map((mutant) => {
    const own = results.filter(({ trial }) => trial.mutant === mutant.name);
    return rowOf(
      mutant,
      own.filter(isTimed),
      own.find(({ trial }) => trial.examine),
    );
  });
}

/** The trials of the scale lane are all examined, and count for both. */
function isTimed({ trial }: TrialResult): boolean {
  return !trial.examine || trial.lane === 'scale';
}

function trialsOf({ name, breaks }: Mutant, { seeds, full, timeScale }: SensitivityOptions): Trial[] {
  const lane = laneOf(breaks);
  const base = { lane, mutant: name, concurrency: CONCURRENCY, transport: 'virtual', timeScale } as const;
  const examined: Trial = { ...base, seed: 1, runs: RUNS[lane].examined, firstOnly: false, examine: true };
  if (lane === 'scale')
    return Array.from({ length: Math.min(seeds, SCALE_SEEDS) }, (_, i) => ({ ...examined, seed: i + 1 }));
  const runs = full ? RUNS[lane].full : RUNS[lane].quick;
  const timed = Array.from({ length: seeds }, (_, i): Trial => {
    return { ...base, seed: i + 1, runs, firstOnly: true, examine: false };
  });
  return full ? [examined, ...timed] : timed;
}
