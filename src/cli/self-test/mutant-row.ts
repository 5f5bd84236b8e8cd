/** What is concluded about one mutant from its trials. */
import type { BehaviorId } from '../../../model/registry.js';
import type { Mutant } from '../../provider/index.js';
import { type LaneName, laneOf, type TrialResult } from './trial.js';

/** How the mutant's own behavior was named: by the first violation, by a later one, among others, or not at all. */
export type Naming = 'first' | 'later' | 'among' | 'not named' | 'not caught' | 'not examined';

/** A row of the sensitivity table and of the kill matrix. */
export interface MutantRow {
  readonly mutant: string;
  readonly breaks: BehaviorId;
  readonly lane: LaneName;
  /** Trials in all, and those that caught it. */
  readonly seeds: number;
  readonly caught: number;
  /** Sequences, scenarios included, until the first violation; null where it was never caught. */
  readonly median: number | null;
  readonly worst: number | null;
  /** Of those, the generated ones: what `--runs` counts. */
  readonly medianRuns: number | null;
  readonly worstRuns: number | null;
  readonly named: Naming;
  /** Every behavior that turned red in the examined trial, the first-named of violations first. */
  readonly red: readonly BehaviorId[];
  /** Of the violation that names the mutant's behavior, else of the first. */
  readonly shrunk: {
    readonly from: number;
    readonly to: number;
    readonly executions: number;
    readonly complete: boolean;
    readonly reproduced: string;
    readonly behaviors: readonly BehaviorId[];
    readonly rule: string;
    readonly aspect: string;
    /** Whether calls had to be in flight together. */
    readonly raced: boolean;
  } | null;
}

/** @param examined the trial whose violations were shrunk, if there was one */
export function rowOf(
  { name, breaks }: Mutant,
  trials: readonly TrialResult[],
  examined: TrialResult | undefined,
): MutantRow {
  const after = trials.flatMap(({ caughtAfter }) => caughtAfter ?? []).sort((a, b) => a - b);
  const runs = trials.flatMap(({ caughtAfterRuns }) => caughtAfterRuns ?? []).sort((a, b) => a - b);
  const own = breaks as BehaviorId;
  const found = examined?.violations ?? [];
  const shown = found.find(({ behaviors }) => behaviors[0] === own) ?? found[0];
  return {
    mutant: name,
    breaks: own,
    lane: laneOf(breaks),
    seeds: trials.length,
    caught: after.length,
    median: after[Math.floor((after.length - 1) / 2)] ?? null,
    worst: after.length === trials.length ? (after.at(-1) ?? null) : null,
    medianRuns: runs[Math.floor((runs.length - 1) / 2)] ?? null,
    worstRuns: runs.length === trials.length ? (runs.at(-1) ?? null) : null,
    named: namingOf(own, examined),
    red: [...new Set(found.flatMap(({ behaviors }) => behaviors))],
    shrunk: shown
      ? {
          ...shown.shrunk,
          reproduced: `${shown.reproduced.failed}/${shown.reproduced.of}`,
          behaviors: shown.behaviors,
          rule: shown.rule,
          aspect: shown.aspect,
          raced: shown.program.branches.length > 0,
        }
      : null,
  };
}

function namingOf(own: BehaviorId, examined: TrialResult | undefined): Naming {
  if (examined === undefined) return 'not examined';
  const [first] = examined.violations;
  if (first === undefined) return 'not caught';
  if (first.behaviors[0] === own) return 'first';
  if (examined.violations.some(({ behaviors }) => behaviors[0] === own)) return 'later';
  return examined.violations.some(({ behaviors }) => behaviors.includes(own)) ? 'among' : 'not named';
}
