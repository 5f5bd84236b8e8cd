/** A violation as reports tell it: calls with short names, exact numbers as text, and the one wrong reply marked. */
import type { CallKind } from '../../model/call.js';
import type { BehaviorId } from '../../model/registry.js';
import type { Rule } from '../../model/rules.js';
import type { ReportedViolation } from '../engine/events.js';

/** A reproduced and shrunk violation. */
export interface Counterexample {
  /** Unique within the report: the behavior and a running number. */
  readonly id: string;
  /** What it breaks, the most specific first. */
  readonly behaviors: readonly BehaviorId[];
  /** The rule of the contract that decides, by name and section. */
  readonly rule: { readonly name: Rule; readonly section: string; readonly says: string };
  /** Which part of the reply departs from the contract. */
  readonly aspect: string;
  /** Everything the contract allows. */
  readonly expected: readonly string[];
  readonly observed: string;
  /** `literal`: the reference reading accepts it. */
  readonly reading: 'both' | 'literal';
  /** The property or lane case that found it. */
  readonly property: string;
  /** The calls and replies in words, one a line, escaped and fit to be printed. */
  readonly steps: readonly string[];
  readonly calls: readonly CounterexampleCall[];
  /** How many re-runs failed in the same way. */
  readonly reproduced: { readonly failed: number; readonly of: number };
  /** True where every re-run failed in the same way. */
  readonly deterministic: boolean;
  /** How far the failing sequence was shortened; `complete` is false where the budget ended first. */
  readonly shrunk: ReportedViolation['shrunk'];
  /** Where it was saved, or null. */
  readonly corpus_file: string | null;
  /** The command that runs it again, or null where it was not saved. */
  readonly replay: string | null;
}

/** One call with its reply. */
export interface CounterexampleCall {
  /** Index of the step that it belongs to; polls after a mutation belong to the mutation's step. */
  readonly step: number;
  /** The concurrent branch that made it, or -1 in the sequential part. */
  readonly branch: number;
  readonly call: CallKind;
  /** Short name of the machine (m0, m1, unknown, empty), or null for List. */
  readonly machine: string | null;
  /** The id as it was sent, or null for List. */
  readonly machine_id: string | null;
  /** Null where the call carried none. */
  readonly token: CallToken | null;
  readonly arguments: CallArguments;
  readonly reply: CallReply;
  /** The rule that explains the reply, where there is just one. */
  readonly rule: Rule | null;
  /** True for the reply that nothing explains. */
  readonly wrong: boolean;
  /** Present on the first call after the provider was killed and booted again. */
  readonly after_kill?: true;
  /** When it was sent and answered, in milliseconds since the first call of the sequence. */
  readonly invoked_ms: number;
  readonly returned_ms: number;
}

/** A fence token; int64 as decimal text, because JSON numbers round. */
export interface CallToken {
  /** Short name (s0, s1), or null for the empty shard id. */
  readonly shard: string | null;
  readonly shard_id: string;
  readonly epoch: string;
  readonly sequence: string;
}

/** What a call carried beside id and token. Absent where the call has no such field. */
export interface CallArguments {
  readonly cluster?: string;
  /** shard_metadata as pairs, at most the first 64; an object would lose the key `__proto__`. */
  readonly metadata?: readonly (readonly [string, string])[];
  /** How many pairs were sent. */
  readonly metadata_keys?: number;
  readonly blob_bytes?: number;
  /** int64 in decimal. */
  readonly grace_period_seconds?: string;
  readonly states?: readonly string[];
  readonly max_results?: number;
  /** The cursor in hex. */
  readonly since_revision?: string;
}

/** What came back. */
export interface CallReply {
  /** `OK`, the gRPC status name of a rejection, or why nobody knows (`MALFORMED`, `UNAVAILABLE`, ...). */
  readonly code: string;
  /** False where the reply was lost, so that the call may or may not have taken effect. */
  readonly determinate: boolean;
  /** The server's own words; empty for OK. */
  readonly message: string;
  readonly operation_id?: string;
  /** The machine that the reply showed; null where an OK reply to a mutation carried none. */
  readonly machine?: MachineShown | null;
  /** How many machines a List gave. */
  readonly machines?: number;
}

/** The parts of a machine record that violations are about. */
export interface MachineShown {
  readonly id: string;
  readonly state: string;
  readonly host: { readonly provider: string; readonly ref: string } | null;
  readonly cluster: string;
  readonly metadata_keys: number;
  readonly last_error: string;
}
