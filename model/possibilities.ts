/**
 * Contract section 4, read as a nondeterministic specification: everything a provider in a given state may answer
 * to a mutation, and the state it is in afterwards. A choice that the contract leaves open is one more possibility.
 */
import type { Mutation, MutationCall, RejectionCode } from './call.js';
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
import { EDGES, type Edge, type LifecycleState } from './machine.js';
import type { BehaviorId } from './registry.js';
import type { Rule } from './rules.js';
import { isLargeBlob, isLargeMap } from './size.js';
import {
  changed,
  type Doom,
  leader,
  type MachineState,
  type Operation,
  operationIds,
  type Trail,
} from './state.js';

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
const NONE: readonly Possibility[] = [];

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
  const answers = passes(relationOf(state.marks, call.token))
    ? unfenced(state, call, 'moves', config)
    : [{ rule: 'fence', expect: FENCED, next: after(state, call, 'fence') } as const];
  const refusals = optionalRefusals(state, call);
  return refusals.length === 0 ? answers : [...refusals, ...answers];
}

/** A8 and A10: requests that a provider may refuse without looking at the machine. */
function optionalRefusals(state: MachineState, call: MutationCall): readonly Possibility[] {
  if (call.kind !== 'Configure') return NONE;
  const oversized = isOversized(call) ? refused(state, call, 'size', TOO_LARGE) : NONE;
  return isIncomplete(call) ? [...oversized, ...refused(state, call, 'omission', NON_FENCING)] : oversized;
}

/** A provider may need both, and what it does without them is its own business (A10). */
function isIncomplete(call: MutationCall): boolean {
  return call.kind === 'Configure' && (call.cluster === '' || call.blob.length === 0);
}

function isOversized(call: MutationCall & { kind: 'Configure' }): boolean {
  return isLargeBlob(call.blob) || isLargeMap(call.metadata);
}

/** What becomes of the mark where a call is past the fence. */
type MarkFate = 'moves' | 'stays';

/** Steps 3 to 6, for a call that is past the fence. A passing token moves its mark whatever follows (B311). */
function unfenced(
  state: MachineState,
  call: MutationCall,
  mark: MarkFate,
  config: ModelConfig,
): Possibility[] {
  const lead = leader(state);
  switch (standingOf(call.kind, state.phase, lead?.kind ?? null)) {
    case 'unknown':
      return [rejected(state, call, mark, 'existence', NOT_FOUND)];
    case 'terminal':
      return [rejected(state, call, mark, 'terminal')];
    case 'misplaced':
      return [rejected(state, call, mark, 'position')];
    case 'repeat':
      return [repeated(state, call, mark, lead ? [lead.id] : 'any')];
    case 'unled':
      return [repeated(state, call, mark, 'any'), rejected(state, call, mark, 'position')];
    case 'deleted': {
      // A3 asks a no-op that nothing led to for no operation_id.
      const operation = lead ? [lead.id] : 'unasked';
      return [repeated(state, call, mark, operation), rejected(state, call, mark, 'position')];
    }
    case 'shared':
      return sharedTarget(state, call, mark, lead);
    case 'accept':
      return [accepted(state, call, marksAfter(state, call, mark, true), config)];
  }
}

function marksAfter(state: MachineState, call: MutationCall, mark: MarkFate, applied: boolean): Marks {
  return mark === 'moves' ? moveMark(state.marks, call.token, applied) : state.marks;
}

function rejected(
  state: MachineState,
  call: MutationCall,
  mark: MarkFate,
  rule: Rule,
  expect: Expectation = NON_FENCING,
): Possibility {
  return { rule, expect, next: after(state, call, rule, marksAfter(state, call, mark, false)) };
}

/** A call that changes nothing, because it was carried out before. */
function repeated(
  state: MachineState,
  call: MutationCall,
  mark: MarkFate,
  operation: ExpectedOperation,
): Possibility {
  const edge = EDGES[call.kind];
  const lead = leader(state);
  return answered(state, call, mark, operation, snapshotPhases(edge, lead, operation));
}

/** An ack may show an earlier moment of its operation, where there is one. */
function snapshotPhases(edge: Edge, lead: Operation | null, operation: ExpectedOperation): LifecycleState[] {
  if (lead) return [edge.via, edge.to, EDGES[lead.kind].via];
  return operation === 'unasked' ? [edge.to] : [edge.via, edge.to];
}

function answered(
  state: MachineState,
  call: MutationCall,
  mark: MarkFate,
  operation: ExpectedOperation,
  phases: readonly LifecycleState[],
): Possibility {
  return {
    rule: 'idempotency',
    expect: { kind: 'ack', operation, phases },
    next: after(state, call, 'idempotency', marksAfter(state, call, mark, true)),
  };
}

/** A2: Create and Drain both lead to IDLE, and providers differ in which operation they remember there. */
function sharedTarget(
  state: MachineState,
  call: MutationCall,
  mark: MarkFate,
  lead: Operation | null,
): Possibility[] {
  const own = operationIds(state.operations, call.kind);
  const once = own.length > 0;
  // A Drain from before the model looked may be the one that is remembered (A1).
  const remembered = lead === null ? own : [...own, lead.id];
  const answer = repeated(state, call, mark, state.historyKnown || once ? remembered : 'any');
  const settledCreate = call.kind === 'Create' && state.phase === EDGES.Create.to && once;
  return settledCreate ? [answer] : [answer, rejected(state, call, mark, 'position')];
}

function accepted(state: MachineState, call: MutationCall, marks: Marks, config: ModelConfig): Possibility {
  const edge = EDGES[call.kind];
  const binding =
    call.kind === 'Configure' ? { cluster: call.cluster, metadata: call.metadata } : state.binding;
  const doom = doomOf(state, call, config);
  return {
    rule: 'accept',
    expect: cutShort(state, call) ? RESUMED[call.kind] : FRESH[call.kind],
    next: changed(state, {
      marks,
      phase: edge.via,
      binding,
      operations: { kind: call.kind, id: null, earlier: state.operations },
      fate: fateOf(state, call, config),
      drainFate: drainFateOf(state, call, config),
      trail: trailOf(state, call, 'accept', doom),
    }),
  };
}

/** The answer to an accepted call, by call. */
const FRESH = acceptance('fresh');
const RESUMED = acceptance('any');

function acceptance(operation: ExpectedOperation): Readonly<Record<Mutation, Expectation>> {
  const answerTo = (call: Mutation): Expectation => {
    const { via, to } = EDGES[call];
    return { kind: 'ack', operation, phases: [via, to] };
  };
  return {
    Create: answerTo('Create'),
    Configure: answerTo('Configure'),
    Drain: answerTo('Drain'),
    Delete: answerTo('Delete'),
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
): MachineState {
  return changed(state, { marks, trail: trailOf(state, call, rule, state.trail.doom) });
}

function trailOf(state: MachineState, call: MutationCall, rule: Rule, doom: Doom | null): Trail {
  const relation: Relation = relationOf(state.marks, call.token);
  const rested = rule === 'accept' ? false : state.trail.rested;
  return { kind: call.kind, rule, relation, phase: state.phase, rested, doom };
}
