/** Everything that a self-test found, as it is written to `reports/self-test.json`. */

import type { CoverageTable } from './coverage.js';
import type { AlarmRow } from './false-alarms.js';
import type { MinimalityRow } from './minimality.js';
import type { MutantRow } from './mutant-row.js';

/** The whole record. */
export interface SelfTestRecord {
  readonly schema_version: 1;
  readonly form: 'quick' | 'full';
  /** ISO 8601. */
  readonly timestamp: string;
  readonly machine: { readonly cpus: number; readonly model: string; readonly node: string };
  readonly duration_ms: number;
  /** How many times slower than usual the providers were. */
  readonly time_scale: number;
  readonly mutants: readonly MutantRow[];
  readonly false_alarms: readonly AlarmRow[];
  /** Null in the quick form. */
  readonly coverage: CoverageTable | null;
  /** Null in the quick form. */
  readonly minimality: readonly MinimalityRow[] | null;
  /** Goals that were missed, one sentence each; empty where the checker holds. */
  readonly missed: readonly string[];
}

/** The median over mutants of the worst medians must stay below. */
const MEDIAN_GOAL = 100;
/** Fewer seeds have no median to speak of: one unlucky seed would be all of it. */
const SEEDS_OF_A_MEDIAN = 5;
/** Shrunk counterexamples of the optimal length, of all that have one. */
const OPTIMAL_GOAL = 0.95;

/** The goals that these tables miss. */
export function missedGoals(record: Omit<SelfTestRecord, 'missed'>): readonly string[] {
  return [
    ...record.mutants.flatMap(mutantGoals),
    ...record.false_alarms.flatMap(({ provider, circumstances, seeds, certified, violations }) =>
      certified === seeds && violations.length === 0
        ? []
        : [`${provider}, ${circumstances}: ${seeds - certified} of ${seeds} seeds not certified`],
    ),
    ...(record.coverage?.missed ?? []).map((cell) => `never exercised: ${cell}`),
    ...minimalityGoals(record.minimality ?? []),
  ];
}

function mutantGoals({ mutant, breaks, caught, seeds, medianRuns, named }: MutantRow): string[] {
  const missed: string[] = [];
  if (caught < seeds) missed.push(`${mutant}: caught with ${caught} of ${seeds} seeds`);
  if (seeds >= SEEDS_OF_A_MEDIAN && medianRuns !== null && medianRuns >= MEDIAN_GOAL)
    missed.push(`${mutant}: caught after ${medianRuns} runs (median), not under ${MEDIAN_GOAL}`);
  if (named === 'among' || named === 'not named' || named === 'not caught')
    missed.push(`${mutant}: ${breaks} is ${named} first by no violation`);
  return missed;
}

function minimalityGoals(rows: readonly MinimalityRow[]): string[] {
  const known = rows.filter(({ optimal }) => optimal !== null);
  const optimal = known.filter((row) => row.shrunk === row.optimal);
  const far = known.filter((row) => row.shrunk > (row.optimal ?? 0) + 1);
  const share = known.length === 0 ? 1 : optimal.length / known.length;
  return [
    ...(share < OPTIMAL_GOAL
      ? [`${optimal.length} of ${known.length} counterexamples have the optimal length, fewer than 95%`]
      : []),
    ...far.map(({ mutant, shrunk, optimal }) => `${mutant}: ${shrunk} steps where ${optimal} would do`),
  ];
}
