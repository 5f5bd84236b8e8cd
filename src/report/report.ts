/**
 * The shape of `reports/report.json`, a public schema: fields are added, never renamed or removed, within one
 * `schema_version`. Texts that came from the provider are kept as they came, cut at 4,096 UTF-16 units; whoever shows
 * them must escape them.
 */
import type { Mutation } from '../../model/call.js';
import type { LifecycleState } from '../../model/machine.js';
import type { AreaId, BehaviorId, Capability, Phase, Profile } from '../../model/registry.js';
import type { Phase as MachinePhase } from '../../model/state.js';
import type { CellToken } from '../engine/cells.js';
import type { CorpusResult } from '../engine/events.js';
import type { ReadingName, Status, Verdict } from '../engine/status.js';
import type { Counterexample } from './counterexample.js';

/** The version of the schema that this code writes. */
export const SCHEMA_VERSION = 1;

/** One run of bfcheck against one provider. */
export interface Report {
  readonly schema_version: typeof SCHEMA_VERSION;
  /** The program that made the report. */
  readonly tool: { readonly name: string; readonly version: string };
  /** HostRef.provider as first seen; empty where no machine had a host. */
  readonly provider: string;
  /** What was checked, as given on the command line. */
  readonly target: string;
  /** The profiles that were claimed; they decide which behaviors are required. */
  readonly profiles: readonly Profile[];
  /** The reading that decides status and verdict. */
  readonly reading: ReadingName;
  readonly seed: number;
  /** Generated sequences that were asked for. */
  readonly runs: number;
  /** sha256 over all generated sequences, in hex: the same seed and version give the same digest. */
  readonly digest: string;
  /** When the run began, ISO 8601. */
  readonly timestamp: string;
  /** How long it took, in milliseconds. */
  readonly duration_ms: number;
  /** What the provider was seen to support. */
  readonly capabilities: { readonly delete: boolean; readonly since_revision: boolean };
  /** The upstream suite, run verbatim; `run: false` where it was not. */
  readonly baseline: BaselineReport;
  /** bfcheck's own properties and lane cases: one that found a violation is failed, one that never ran is skipped. */
  readonly extension: TestCounts;
  /** Every registered behavior, in the order of the registry. */
  readonly behaviors: readonly BehaviorReport[];
  readonly summary: Summary;
  /** Every violation that was found, each once; the behaviors refer to these. */
  readonly counterexamples: readonly Counterexample[];
  /** How the saved counterexamples of earlier runs fared. */
  readonly corpus: readonly CorpusResult[];
  readonly coverage: Coverage;
  /** Every lane that the profiles asked for: whether it ran, and what the provider wrote where something failed. */
  readonly lanes: readonly LaneReport[];
  /** What the scale lane measured, or null where it did not run. */
  readonly scale: ScaleReport | null;
  /** Why the run ended before its end, or null. */
  readonly interrupted: string | null;
  readonly stats: {
    /** Calls that were sent. */
    readonly rpcs: number;
    /** Replies that were held against the model. */
    readonly steps: number;
    /** Programs that ran to their end. */
    readonly sequences: number;
  };
  /** The verdict in the reading that decides. */
  readonly verdict: Verdict;
  /** The verdict in each reading. */
  readonly verdicts: Readonly<Record<ReadingName, Verdict>>;
}

/** Counts of tests by result. */
export interface TestCounts {
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The upstream Go suite: not run, with the reason, or run, with every test. */
export type BaselineReport =
  | { readonly run: false; readonly reason: string }
  | ({ readonly run: true; readonly results: readonly BaselineTestReport[] } & TestCounts);

/** One test of the upstream suite. */
export interface BaselineTestReport {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly elapsed_ms: number;
  /** What it printed. */
  readonly output: string;
}

/** What is known of one behavior. */
export interface BehaviorReport {
  readonly id: BehaviorId;
  readonly area: AreaId;
  /** The assertion in one line. */
  readonly title: string;
  readonly profiles: readonly Profile[];
  /** What a provider needs before the behavior can be decided on it, or null. */
  readonly capability: Capability | null;
  /** 2: the six RPCs are enough; 4: fault or durable lane; 5: scale lane. */
  readonly phase: Phase;
  /** Whether the claimed profiles demand it; only required behaviors decide the verdict. */
  readonly required: boolean;
  /** In the reading that decides. */
  readonly status: Status;
  readonly readings: Readonly<Record<ReadingName, Status>>;
  /** What `--known-failing` and `--known-flaky` say of it, or null. */
  readonly known: 'failing' | 'flaky' | null;
  /** Counts of what was seen; `cases` is how often the behavior's own case was met. */
  readonly evidence: Readonly<Record<string, number>>;
  /** Names of the properties and cases that decide it. */
  readonly properties: readonly string[];
  /** Why it is not passed, in one sentence; empty for a passed one. */
  readonly reason: string;
  /** The violation that broke it, or null. */
  readonly counterexample: Counterexample | null;
}

/** The behaviors counted by status. */
export interface Summary {
  readonly total_behaviors: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly inconclusive: number;
  readonly not_implemented: number;
  /** Required and failed. */
  readonly required_failed: number;
  /** Required, and inconclusive or not implemented. */
  readonly required_missing: number;
}

/** What of the model was visited. */
export interface Coverage {
  /** Mutations by where the machine was, what was called, how the token stood to the mark, and what came back. */
  readonly cells: readonly CoverageCell[];
  /** The four legal edges. */
  readonly edges: readonly CoverageEdge[];
}
/** One visited square of the grid (state x call x token), by outcome: `ok`, a gRPC status name, or `indeterminate`. */
export interface CoverageCell {
  readonly state: MachinePhase;
  readonly call: Mutation;
  readonly token: CellToken;
  readonly outcome: string;
  readonly count: number;
}
/** A legal edge and how often an accepted call entered it. */
export interface CoverageEdge {
  readonly call: Mutation;
  readonly from: LifecycleState;
  readonly via: LifecycleState;
  readonly to: LifecycleState;
  readonly walked: number;
}

/** One lane of the run. */
export interface LaneReport {
  readonly lane: string;
  /** Why it was not run, or null where it was. */
  readonly skipped: string | null;
  /** What a reader must know of how it was run, or null. */
  readonly note: string | null;
  /** The last lines that the provider wrote; foreign text, empty where nothing failed. */
  readonly log: readonly string[];
}

/** What the scale lane measured; latencies in milliseconds. */
export interface ScaleReport {
  /** Machines of the largest fleet. */
  readonly machines: number;
  readonly latencies: readonly LatencyReport[];
  /** Full Lists by the size of the fleet. */
  readonly growth: readonly GrowthReport[];
  /** `latency ~ machines ^ exponent`, or null where it was not measured. */
  readonly exponent: number | null;
  /** Highest resident memory of bfcheck itself during the lane, in bytes. */
  readonly peak_rss_bytes: number;
  readonly duration_ms: number;
}
/** The latencies of one RPC. */
export interface LatencyReport {
  readonly rpc: string;
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  /** The declared p99, or null where none was. */
  readonly budget_ms: number | null;
  /** Samples by latency; each bucket is twice as wide as the one before. */
  readonly buckets: readonly { readonly from_ms: number; readonly to_ms: number; readonly count: number }[];
}
/** Full Lists of a fleet of one size. */
export interface GrowthReport {
  readonly machines: number;
  /** Median latency. */
  readonly ms: number;
  readonly samples: readonly number[];
  /** Bytes of one reply. */
  readonly bytes: number;
}
