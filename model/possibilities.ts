/**
 * Contract section 4, read as a nondeterministic specification: everything a provider in a given state may answer
 * to a mutation, and the state it is in afterwards. A choice that the contract leaves open is one more possibility.
 */
import type { MutationCall, RejectionCode } from './call.js';
import { type Expectation, type ExpectedOperation, standingOf } from './codes.js';
import {
  isNegative,
  isShardless,
  type Marks,
  moveMark,
  passes,
  type Relation,
  relationOf,
} from './fencing.js';
import { EDGES } from './machine.js';
import type { BehaviorId } from './registry.js';
import type { Rule } from './rules.js';
import { isLargeBlob, isLargeMap } from './size.js';
import { type Doom, leader, type MachineState, operationIds } from './state.js';

/** What the provider can do, as far as it changes what the contract asks. */
export interface ModelConfig {
  readonly capabilities: { readonly delete: boolean; readonly sinceRevision: boolean };
  /** True in the fault lane: the selectors of contract section 7 decide how a transition ends. */
  readonly faults: boolean;
}

/** One thing a provider may do with a call: the rule that says so, the reply, and what follows. */
export interface Possibility {
  readonly rule: Rule;
  readonly expect: Expectation;
  readonly next: MachineState;
  /** Set where only the reference reading of this behavior allows it (contract section 9, second table). */
  readonly departs?: BehaviorId;
}

const codes = (...allowed: readonly RejectionCode[]): Expectation => ({ kind: 'codes', codes: allowed });
const INVALID = codes('INVALID_ARGUMENT');
const TOO_LARGE = codes('INVALID_ARGUMENT', 'RESOURCE_EXHAUSTED');
const UNIMPLEMENTED = codes('UNIMPLEMENTED');
const NOT_FOUND = codes('NOT_FOUND');
const FENCED = codes('FAILED_PRECONDITION');
const NON_FENCING: Expectation = { kind: 'non-fencing' };

/** Everything that a provider in `state` may do with `call`. Never empty. */
export function possibilities(
  state: MachineState,
  call: MutationCall,
  config: ModelConfig,
): readonly Possibility[] {
  if (call.kind === 'Delete' && !config.capabilities.delete) return withoutDelete(state, call);
  if (call.machineId === '' || isNegative(call.token) || hasNegativeGrace(call)) {
    return misshapen(state, call, config);
  }
  if (isShardless(call.token)) {
    const fencedOut = mayBeStale(state, call) && passes(relationOf(state.marks, call.token));
    return [
      ...(fencedOut ? [{ rule: 'fence', expect: FENCED, next: after(state, call, 'fence') } as const] : []),
      ...refused(state, call, 'shape', INVALID),
      ...unfenced(state, call, 'stays', config),
      ...fenced(state, call, config),
    ];
  }
  return fenced(state, call, config);
}

function hasNegativeGrace(call: MutationCall): boolean {
  return call.kind === 'Drain' && call.grace < 0n;
}

/** The empty shard belongs to everybody, so it may have a mark from before the model looked. */
function mayBeStale(state: MachineState, { token }: MutationCall): boolean {
  return !passes(relationOf(state.marks, token)) || (isShardless(token) && !state.historyKnown);
}

/** The answer never depends on the request, yet a provider may look at its shape and at the fence first (A6). */
function withoutDelete(state: MachineState, call: MutationCall): Possibility[] {
  const answers = refused(state, call, 'capability', UNIMPLEMENTED);
  const misshapen = call.machineId === '' || isNegative(call.token) || isShardless(call.token);
  if (misshapen) answers.push(...refused(state, call, 'shape', INVALID));
  if (mayBeStale(state, call))
    answers.push({ rule: 'fence', expect: FENCED, next: after(state, call, 'fence') });
  return answers;
}

/** A5: a stale token may win over the defect. The reference readings of B210 and B211 overlook the defect. */
function misshapen(state: MachineState, call: MutationCall, config: ModelConfig): Possibility[] {
  const answers = refused(state, call, 'shape', INVALID);
  if (mayBeStale(state, call))
    answers.push({ rule: 'shape', expect: FENCED, next: after(state, call, 'shape') });
  if (call.machineId === '') return answers;
  const departs = isNegative(call.token) ? 'B211' : 'B210';
  for (const possibility of fenced(state, call, config)) {
    if (possibility.expect !== FENCED) answers.push({ ...possibility, departs });
  }
  return answers;
}

/** A refusal before the fence; whether it moves the mark is open (A6). */
function refused(state: MachineState, call: MutationCall, rule: Rule, expect: Expectation): Possibility[] {
  const answers: Possibility[] = [{ rule, expect, next: after(state, call, rule) }];
  const relation = relationOf(state.marks, call.token);
  if (relation !== 'absent' && passes(relation)) {
    answers.push({ rule, expect, next: after(state, call, rule, moveMark(state.marks, call.token, false)) });
  }
  return answers;
}

/** Step 2: the fence, and behind it the rest. */
function fenced(state: MachineState, call: MutationCall, config: ModelConfig): Possibility[] {
  const answers = optionalRefusals(state, call);
  const relation = relationOf(state.marks, call.token);
  if (!passes(relation)) {
    answers.push({ rule: 'fence', expect: FENCED, next: after(state, call, 'fence') });
    return answers;
  }
  answers.push(...unfenced(state, call, 'moves', config));
  return answers;
}

/** A8 and A10: requests that a provider may refuse without looking at the machine. */
function optionalRefusals(state: MachineState, call: MutationCall): Possibility[] {
  if (call.kind !== 'Configure') return [];
  const oversized = isOversized(call) ? refused(state, call, 'size', TOO_LARGE) : [];
  return isIncomplete(call) ? [...oversized, ...refused(state, call, 'omission', NON_FENCING)] : oversized;
}

/** A provider may need both, and what it does without them is its own business (A10). */
function isIncomplete(call: MutationCall): boolean {
  return call.kind === 'Configure' && (call.cluster === '' || call.blob.length === 0);
}

function isOversized(call: MutationCall & { kind: 'Configure' }): boolean {
  return isLargeBlob(call.blob) || isLargeMap(call.metadata);
}

/** Steps 3 to 6, for a call that is past the fence. A passing token moves its mark whatever follows (B311). */
function unfenced(
  state: MachineState,
  call: MutationCall,
  mark: 'moves' | 'stays',
  config: ModelConfig,
): Possibility[] {
  const marks = (applied: boolean): Marks =>
    mark === 'moves' ? moveMark(state.marks, call.token, applied) : state.marks;
  const lead = leader(state);
  const edge = EDGES[call.kind];
  const ids = (): (string | null)[] => [
    ...operationIds(state.operations, call.kind),
    ...(lead === null ? [] : [lead.id]),
  ];
  const reject = (rule: Rule, expect: Expectation = NON_FENCING): Possibility => ({
    rule,
    expect,
    next: after(state, call, rule, marks(false)),
  });
  const noop = (operation: ExpectedOperation): Possibility => ({
    rule: 'idempotency',
    expect: {
      kind: 'ack',
      operation,
      phases: lead ? [edge.via, edge.to, EDGES[lead.kind].via] : [edge.via, edge.to],
    },
    next: after(state, call, 'idempotency', marks(true)),
  });
  switch (standingOf(call.kind, state.phase, lead?.kind ?? null)) {
    case 'unknown':
      return [reject('existence', NOT_FOUND)];
    case 'terminal':
      return [reject('terminal')];
    case 'misplaced':
      return [reject('position')];
    case 'repeat':
      return [noop(lead ? [lead.id] : 'any')];
    case 'unled':
      return [noop('any'), reject('position')];
    case 'deleted':
      // A3 asks a no-op that nothing led to for no operation_id.
      return [noop(lead ? [lead.id] : 'unasked'), reject('position')];
    case 'shared':
      return sharedTarget(state, call, noop, reject, ids());
    case 'accept':
      return [accepted(state, call, marks(true), config)];
  }
}

/** A2: Create and Drain both lead to IDLE, and providers differ in which operation they remember there. */
function sharedTarget(
  state: MachineState,
  call: MutationCall,
  noop: (operation: ExpectedOperation) => Possibility,
  reject: (rule: Rule) => Possibility,
  ids: readonly (string | null)[],
): Possibility[] {
  const once = operationIds(state.operations, call.kind).length > 0;
  // A Drain from before the model looked may be the one that is remembered (A1).
  const answer = noop(state.historyKnown || once ? ids : 'any');
  const settledCreate = call.kind === 'Create' && state.phase === EDGES.Create.to && once;
  return settledCreate ? [answer] : [answer, reject('position')];
}

function accepted(state: MachineState, call: MutationCall, marks: Marks, config: ModelConfig): Possibility {
  const edge = EDGES[call.kind];
  const binding =
    call.kind === 'Configure' ? { cluster: call.cluster, metadata: call.metadata } : state.binding;
  return {
    rule: 'accept',
    expect: { kind: 'ack', operation: cutShort(state, call) ? 'any' : 'fresh', phases: [edge.via, edge.to] },
    next: {
      ...after(state, call, 'accept', marks, doomOf(state, call, config)),
      phase: edge.via,
      binding,
      operations: { kind: call.kind, id: null, earlier: state.operations },
      fate: fateOf(state, call, config),
      drainFate: drainFateOf(state, call, config),
    },
  };
}

/**
 * Only a crash brings a machine back to where its newest operation began. A retry may then go on under the old
 * operation_id, or be a new operation.
 */
function cutShort({ operations, phase }: MachineState, call: MutationCall): boolean {
  return operations !== null && operations.kind === call.kind && phase === EDGES[call.kind].from;
}

/** Configure's selectors that doom the Configure itself. */
const DOOMED_CLUSTERS: ReadonlySet<string> = new Set<Doom>([
  'fault-error',
  'fault-timeout',
  'fault-slow-ok',
  'fault-readiness-block',
]);

/** Contract section 7, Fault: the selectors over the wire decide how a transition ends. */
function fateOf(state: MachineState, call: MutationCall, config: ModelConfig): MachineState['fate'] {
  // A10: without what it may need, a Configure may be accepted and come to nothing.
  if (isIncomplete(call)) return 'either';
  if (!config.faults) return 'settle';
  if (call.kind === 'Configure') return DOOMED_CLUSTERS.has(call.cluster) ? 'fail' : 'settle';
  if (call.kind === 'Drain') return state.drainFate;
  return call.kind === 'Create' ? state.createFate : 'settle';
}

function drainFateOf(state: MachineState, call: MutationCall, config: ModelConfig): MachineState['fate'] {
  if (call.kind !== 'Configure') return state.drainFate;
  return config.faults && call.cluster === 'fault-drain-error' ? 'either' : 'settle';
}

function doomOf(state: MachineState, call: MutationCall, config: ModelConfig): Doom | null {
  if (!config.faults || fateOf(state, call, config) === 'settle') return null;
  if (call.kind === 'Configure') return DOOMED_CLUSTERS.has(call.cluster) ? (call.cluster as Doom) : null;
  return call.kind === 'Drain' ? 'fault-drain-error' : 'create-error';
}

/** `state` once `call` was judged by `rule`, with the mark where that leaves it. */
function after(
  state: MachineState,
  call: MutationCall,
  rule: Rule,
  marks: Marks = state.marks,
  doom: Doom | null = state.trail.doom,
): MachineState {
  const relation: Relation = relationOf(state.marks, call.token);
  const rested = rule === 'accept' ? false : state.trail.rested;
  return { ...state, marks, trail: { kind: call.kind, rule, relation, phase: state.phase, rested, doom } };
}
