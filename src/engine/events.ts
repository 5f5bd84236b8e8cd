/** What a run tells whoever listens. The engine knows no listener; terminal, JSON, JUnit and HTML are consumers. */
import type { BehaviorId } from '../../model/registry.js';
import type { Rule } from '../../model/rules.js';
import type { Program } from '../../properties/program.js';
import type { TraceEntry } from './trace.js';

/** A violation as it is reported: reproduced, shrunk and saved. */
export interface ReportedViolation {
  /** What it breaks, the most specific first. */
  readonly behaviors: readonly BehaviorId[];
  readonly rule: Rule;
  readonly aspect: string;
  /** Everything the contract allowed. Texts may hold the provider's own bytes: data, to be escaped. */
  readonly expected: readonly string[];
  readonly observed: string;
  /** `literal` where the reference reading accepts it. */
  readonly reading: 'both' | 'literal';
  /** The property, or the lane's case, that found it. */
  readonly property: string;
  /** The shrunk program, and what happened when it ran last. */
  readonly program: Program;
  readonly trace: readonly TraceEntry[];
  /** Index into the trace of the reply that nothing explains. */
  readonly at: number;
  /** How many of the re-runs failed in the same way. */
  readonly reproduced: { readonly failed: number; readonly of: number };
  readonly shrunk: {
    readonly from: number;
    readonly to: number;
    readonly executions: number;
    readonly complete: boolean;
  };
  /** Where it was saved, or null. */
  readonly corpusFile: string | null;
}

/** How one saved counterexample fared. */
export interface CorpusResult {
  readonly file: string;
  readonly behavior: BehaviorId | null;
  readonly result: 'FIXED' | 'STILL FAILS' | 'ERROR';
  readonly detail: string;
}

export type EngineEvent =
  | {
      readonly type: 'run-started';
      readonly seed: number;
      readonly target: string;
      readonly sequences: number;
    }
  | {
      readonly type: 'provider-found';
      readonly machines: number;
      readonly capabilities: { readonly delete: boolean; readonly sinceRevision: boolean };
    }
  | { readonly type: 'corpus-replayed'; readonly result: CorpusResult }
  | { readonly type: 'lane-started'; readonly lane: string; readonly planned: number }
  | { readonly type: 'sequence-done'; readonly property: string; readonly calls: number }
  | {
      readonly type: 'violation-seen';
      readonly behavior: BehaviorId;
      readonly property: string;
      readonly observed: string;
    }
  | { readonly type: 'violation'; readonly violation: ReportedViolation }
  | { readonly type: 'lane-finished'; readonly lane: string };

/** Takes events; must not throw and must not block. */
export type Listener = (event: EngineEvent) => void;
