/** From a violation as the engine found it to the counterexample that reports tell. */
import type { Call, Token } from '../../model/call.js';
import type { MachineRecord } from '../../model/record.js';
import { RULES } from '../../model/rules.js';
import type { Program } from '../../properties/program.js';
import type { ReportedViolation } from '../engine/events.js';
import type { TraceEntry } from '../engine/trace.js';
import { stepLines } from './call-text.js';
import type {
  CallArguments,
  CallReply,
  CallToken,
  Counterexample,
  CounterexampleCall,
  MachineShown,
} from './counterexample.js';
import { limited } from './escape.js';
import { ShortNames } from './short-names.js';

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
  const calls = trace.map((entry, index) => ({
    ...callOf(entry, names, start, index === at),
    ...(followsKill(violation.program, entry) ? ({ after_kill: true } as const) : {}),
  }));
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

/** A kill is no call and so in no trace: what shows it is the List that looks at what came back. */
function followsKill({ steps }: Program, { step, branch, call }: TraceEntry): boolean {
  return branch < 0 && steps[step]?.call === 'Crash' && call.kind === 'List';
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

function replyOf(outcome: TraceEntry['outcome']): CallReply {
  if (outcome.kind === 'rejected') {
    return { code: outcome.code, determinate: true, message: limited(outcome.message) };
  }
  if (outcome.kind === 'indeterminate') {
    return { code: outcome.cause, determinate: false, message: limited(outcome.message) };
  }
  const ok = { code: 'OK', determinate: true, message: '' } as const;
  const { reply } = outcome;
  if ('listed' in reply) return { ...ok, machines: reply.listed };
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
