import type { BehaviorId } from '../../../model/registry.js';
import type { CoveredPhase } from '../../../properties/coverage.js';
import type { Cell } from '../../engine/cells.js';
import type { ReportedViolation } from '../../engine/events.js';
import type { Status } from '../../engine/status.js';

/** The lane that a bug shows in. */
export type LaneName = 'black-box' | 'fault' | 'durable' | 'scale';

/** What to try. Plain data: it travels to a worker process. Times in milliseconds. */
export interface Trial {
  readonly lane: LaneName;
  readonly mutant?: string;
  readonly variant?: string;
  readonly seed: number;
  /** Generated sequences; kills in the durable lane. */
  readonly runs: number;
  readonly concurrency: number;
  /** How long the provider's transitions take; its own choice unless given. */
  readonly latency?: { readonly minMs: number; readonly maxMs: number };
  /** Ends at the first violation. */
  readonly firstOnly: boolean;
  /** Violations are run again and shrunk. */
  readonly examine: boolean;
  /**
   * `virtual`: the provider's own code and real bytes in virtual time, without HTTP/2. `grpc`: a server on the loopback
   * address, and in the durable lane a process of its own. The scale lane is always `grpc`.
   */
  readonly transport: 'virtual' | 'grpc';
  /** Phases of the model whose every square is visited beside what the lane runs anyway. */
  readonly visits?: readonly CoveredPhase[];
  /** How many times slower than usual the provider is, and how much more patient the checker. */
  readonly timeScale?: number;
}

/** A violation, as far as the tables need it. */
export type FoundViolation = Pick<
  ReportedViolation,
  | 'behaviors'
  | 'rule'
  | 'aspect'
  | 'expected'
  | 'observed'
  | 'reading'
  | 'property'
  | 'reproduced'
  | 'shrunk'
  | 'program'
>;

/** What came of a trial. */
export interface TrialResult {
  readonly trial: Trial;
  /** Sequences until the first violation was seen, that one included; null where none was. */
  readonly caughtAfter: number | null;
  /** Of those, the generated ones: what `--runs` counts. 0 where a scenario caught it. */
  readonly caughtAfterRuns: number | null;
  /** What the first violation was blamed on before it was shrunk. */
  readonly firstBlamed: BehaviorId | null;
  readonly violations: readonly FoundViolation[];
  readonly statuses: Readonly<Partial<Record<BehaviorId, Status>>>;
  readonly verdicts: { readonly literal: string; readonly reference: string };
  readonly sequences: number;
  readonly calls: number;
  readonly coverage: readonly (Cell & { readonly count: number })[];
  /** Of the whole trial, in milliseconds. */
  readonly tookMs: number;
}

/** The lane whose behaviors `id` is one of. */
export function laneOf(id: string): LaneName {
  if (id.startsWith('B7')) return 'fault';
  if (/^B10\d\d$/.test(id)) return 'durable';
  return /^B11\d\d$/.test(id) ? 'scale' : 'black-box';
}
