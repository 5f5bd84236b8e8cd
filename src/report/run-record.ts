/** A finished run, as the reports take it. */
import type { Profile } from '../../model/registry.js';
import type { CorpusResult } from '../engine/events.js';
import type { Findings } from '../engine/findings.js';
import type { BehaviorResult, ReadingName, Verdict } from '../engine/status.js';

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
  readonly stats: { readonly rpcs: number; readonly steps: number; readonly sequences: number };
  /**
   * The options with which `bfcheck replay` meets this provider again, as shell words; absent: `--target` where the
   * target is an address, nothing for the built-in provider.
   */
  readonly replayWith?: string;
  /** The upstream suite's results; absent or null where it was not run. */
  readonly baseline?: BaselineResult | null;
}

/** What the upstream Go suite said, run verbatim (contract section 7). */
export interface BaselineResult {
  readonly tests: readonly BaselineTest[];
}
export interface BaselineTest {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** In milliseconds. */
  readonly elapsed: number;
  /** What the test printed; foreign text. */
  readonly output: string;
}
