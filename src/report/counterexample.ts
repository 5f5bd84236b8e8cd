/** A violation as reports tell it: calls with short names, exact numbers as text, and the one wrong reply marked. */
import type { Ack, Call, CallKind, Listing, Outcome, Token } from '../../model/call.js';
import type { MachineRecord } from '../../model/record.js';
import type { BehaviorId } from '../../model/registry.js';
import { RULES, type Rule } from '../../model/rules.js';
import type { ReportedViolation } from '../engine/events.js';
import type { TraceEntry } from '../engine/trace.js';
import { stepLines } from './call-text.js';
import { limited } from './escape.js';
import { ShortNames } from './short-names.js';

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

const MOST_PAIRS = 64;
/** Longest key or value of a map, in UTF-16 units. */
const PAIR_LENGTH = 256;

/** Tells `violation`; `replayWith` holds the options of the replay command (see {@link replayOptions}). */
export function counterexampleOf(
  violation: ReportedViolation,
  number: number,
  replayWith: string,
): Counterexample {
  const { behaviors, rule, reproduced, shrunk, trace, at, corpusFile } = violation;
  const names = new ShortNames(violation.program, trace);
  const start = Math.min(...trace.map(({ invokedAt }) => invokedAt));
  const calls = trace.map((entry, index) => callOf(entry, names, start, index === at));
  return {
    id: `${behaviors[0] ?? 'none'}-${number}`,
    behaviors,
    rule: { name: rule, section: RULES[rule].section, says: RULES[rule].says },
    aspect: limited(violation.aspect),
    expected: violation.expected.map((text) => limited(text)),
    observed: limited(violation.observed),
    reading: violation.reading,
    property: violation.property,
    steps: stepLines(calls),
    calls,
    reproduced,
    deterministic: reproduced.failed === reproduced.of,
    shrunk,
    corpus_file: corpusFile,
    replay:
      corpusFile === null
        ? null
        : `npx bfcheck replay ${shellWord(corpusFile)}${replayWith === '' ? '' : ` ${replayWith}`}`,
  };
}

/** Options that lead `bfcheck replay` to `target`; an address has no spaces, the name of the built-in provider has. */
export function replayOptions(target: string): string {
  return /\s/.test(target) ? '' : `--target ${shellWord(target)}`;
}

/** Quotes a word for a POSIX shell where it must be. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function callOf(entry: TraceEntry, names: ShortNames, start: number, wrong: boolean): CounterexampleCall {
  const { call, outcome, step, branch, rule } = entry;
  return {
    step,
    branch,
    call: call.kind,
    machine: call.kind === 'List' ? null : names.machine(call.machineId),
    machine_id: call.kind === 'List' ? null : limited(call.machineId),
    token: 'token' in call ? tokenOf(call.token, names) : null,
    arguments: argumentsOf(call),
    reply: replyOf(outcome),
    rule,
    wrong,
    invoked_ms: milliseconds(entry.invokedAt - start),
    returned_ms: milliseconds(entry.returnedAt - start),
  };
}

/** To the microsecond: more digits would claim a precision that no clock here has. */
function milliseconds(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function tokenOf({ shard, epoch, sequence }: Token, names: ShortNames): CallToken | null {
  if (shard === '' && epoch === 0n && sequence === 0n) return null;
  return {
    shard: shard === '' ? null : names.shard(shard),
    shard_id: shard,
    epoch: String(epoch),
    sequence: String(sequence),
  };
}

function argumentsOf(call: Call): CallArguments {
  if (call.kind === 'Configure') {
    const pairs = [...call.metadata].slice(0, MOST_PAIRS);
    return {
      cluster: limited(call.cluster),
      metadata: pairs.map(([key, value]) => [limited(key, PAIR_LENGTH), limited(value, PAIR_LENGTH)]),
      metadata_keys: call.metadata.size,
      blob_bytes: call.blob.length,
    };
  }
  if (call.kind === 'Drain') return { grace_period_seconds: String(call.grace) };
  if (call.kind !== 'List') return {};
  return {
    states: call.states,
    max_results: call.maxResults,
    since_revision: limited(Buffer.from(call.sinceRevision).toString('hex')),
  };
}

function replyOf(outcome: Outcome<Ack | MachineRecord | Listing>): CallReply {
  if (outcome.kind === 'rejected') {
    return { code: outcome.code, determinate: true, message: limited(outcome.message) };
  }
  if (outcome.kind === 'indeterminate') {
    return { code: outcome.cause, determinate: false, message: limited(outcome.message) };
  }
  const ok = { code: 'OK', determinate: true, message: '' } as const;
  const { reply } = outcome;
  if ('machines' in reply) return { ...ok, machines: reply.machines.length };
  if (!('operationId' in reply)) return { ...ok, machine: shown(reply) };
  return {
    ...ok,
    operation_id: limited(reply.operationId),
    machine: reply.machine && shown(reply.machine),
  };
}

function shown({ id, state, host, cluster, shardMetadata, lastError }: MachineRecord): MachineShown {
  return {
    id: limited(id),
    state,
    host: host && { provider: limited(host.provider), ref: limited(host.ref) },
    cluster: limited(cluster),
    metadata_keys: shardMetadata.size,
    last_error: limited(lastError),
  };
}
