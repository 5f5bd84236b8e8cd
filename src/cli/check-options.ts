/** What `bfcheck` was asked to check, once the command line is understood. */
import { BEHAVIORS, type BehaviorId, matchBehaviors, PROFILES, type Profile } from '../../model/registry.js';
import type { ReadingName } from '../engine/status.js';
import { SCALE_DEFAULTS, type ScaleOptions } from '../lanes/scale.js';
import type { TlsOptions } from '../wire/index.js';
import { UsageError } from './failure.js';
import type { Shard } from './shard-value.js';

/** Options of the main command as commander hands them over; durations in milliseconds. */
export interface CheckOptions extends TlsOptions {
  readonly target?: string;
  readonly boot?: string;
  readonly bootTimeout: number;
  readonly seed: number;
  readonly runs: number;
  readonly concurrency: number;
  readonly profile?: readonly string[];
  readonly reading: ReadingName;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly out: string;
  readonly corpus: string;
  readonly seedCount: number;
  readonly settleTimeout: number;
  readonly stabilityWindow: number;
  readonly callTimeout: number;
  readonly silenceLimit: number;
  readonly knownFailing?: string;
  readonly knownFlaky?: string;
  readonly faultTarget?: string;
  readonly faultBoot?: string;
  readonly faultRuns: number;
  readonly faultSeedCount: number;
  readonly transitionTimeout: number;
  readonly crashes: number;
  readonly durableSeedCount: number;
  readonly durableSettle: number;
  readonly scaleSeed: number;
  readonly soak: number;
  readonly budgetGet: number;
  readonly budgetCreate: number;
  readonly budgetList: number;
  readonly budgetFullList: number;
  /** What every shard id starts with; `bfcheck` unless given. */
  readonly shardIdPrefix?: string;
  /** A bad network between bfcheck and the provider, as `parseChaos` reads it. */
  readonly chaos?: string;
  readonly timeLimit?: number;
  readonly baselineSrc?: string;
  readonly baselineTimeout: number;
  /** A bug of the built-in provider, for the checker's own tests. */
  readonly mutant?: string;
  /** Run only this part of the whole. */
  readonly shard?: Shard;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** The behaviors that `--only` and `--skip` leave. */
export function selection({ only, skip }: Pick<CheckOptions, 'only' | 'skip'>): ReadonlySet<BehaviorId> {
  const ids = (patterns: readonly string[]): BehaviorId[] => patterns.flatMap((pattern) => matched(pattern));
  const chosen = only ? ids(only) : BEHAVIORS.map(({ id }) => id);
  const left = new Set(skip ? ids(skip) : []);
  return new Set(chosen.filter((id) => !left.has(id)));
}

function matched(pattern: string): BehaviorId[] {
  try {
    return matchBehaviors(pattern).map(({ id }) => id);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The profiles named, or null where the provider's own capabilities decide. */
export function claimedProfiles(names: readonly string[] | undefined): readonly Profile[] | null {
  if (names === undefined) return null;
  return names.map((name) => {
    const profile = PROFILES.find((known) => known === name);
    if (profile) return profile;
    throw new UsageError(`unknown profile ${JSON.stringify(name)}; known are ${PROFILES.join(', ')}`);
  });
}

/** The scale lane's options. */
export function scaleOptions(options: CheckOptions): ScaleOptions {
  return {
    ...SCALE_DEFAULTS,
    scaleSeed: options.scaleSeed,
    soakMs: options.soak,
    budgets: {
      getMs: options.budgetGet,
      createMs: options.budgetCreate,
      listMs: options.budgetList,
      fullListMs: options.budgetFullList,
    },
  };
}
