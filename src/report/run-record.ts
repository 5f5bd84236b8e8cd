/** A finished run, as the reports take it. */

import type { Profile } from '../../model/registry.js';
import type { CorpusResult } from '../engine/events.js';
import type { Findings } from '../engine/findings.js';
import type { ProgramLane } from '../engine/program-lane.js';
import type { BehaviorResult, Question, ReadingName, Verdict } from '../engine/status.js';
import type { BaselineResult } from '../lanes/baseline.js';
import type { ScaleResult } from '../lanes/scale.js';

export interface RunRecord {
  readonly tool: { readonly name: string; readonly version: string };
  /** HostRef.provider as first seen, or empty where no machine had a host. */
  readonly provider: string;
  readonly target: string;
  readonly profiles: readonly Profile[];
  readonly reading: ReadingName;
  readonly seed: number;
  readonly runs: number;
  /** sha256 of all generated sequences, in hex. */
  readonly digest: string;
  /** ISO 8601, when the run began. */
  readonly timestamp: string;
  readonly durationMs: number;
  readonly capabilities: { readonly delete: boolean; readonly sinceRevision: boolean };
  readonly results: readonly BehaviorResult[];
  readonly verdict: Verdict;
  readonly findings: Findings;
  readonly corpus: readonly CorpusResult[];
  /** The lanes that the profiles asked for. */
  readonly lanes?: readonly LaneRecord[];
  /** The scale lane's measurements; absent or null where it did not run. */
  readonly scale?: ScaleResult | null;
  /** Why the run ended before its end, or null. */
  readonly interrupted?: string | null;
  readonly stats: { readonly rpcs: number; readonly steps: number; readonly sequences: number };
  /**
   * The options with which `bfcheck replay` meets the provider of a lane again, as shell words; absent: `--target`
   * where the target is an address, nothing for the built-in provider.
   */
  readonly replayWith?: Readonly<Record<ProgramLane, string>>;
  /** The upstream suite's results; absent or null where it was not run. */
  readonly baseline?: BaselineResult | null;
  /** What was asked; absent only in runs made by hand. */
  readonly question?: RunQuestion;
  /** sha256 of each generated batch that was run, by its place among all of them. */
  readonly digests?: ReadonlyMap<number, string>;
}

/** What a run decides, as far as its parts must agree on it. */
export type RunQuestion = Omit<Question, 'deciders'>;

/** A lane of the run. */
export interface LaneRecord {
  readonly lane: string;
  /** Why it was not run, or null where it was. */
  readonly skipped: string | null;
  /** What a reader must know of how it was run; absent where nothing. */
  readonly note?: string;
  /** The last lines that the provider wrote, where the lane found something; foreign text. */
  readonly log: readonly string[];
}
