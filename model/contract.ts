/**
 * The oracle. A belief is the set of states a machine may be in; a step keeps the states that explain what came
 * back. An empty set is a breach of the contract, and {@link diagnose} in `diagnosis.ts` says of which part of it.
 */
import type { Ack, GetCall, MutationCall, Outcome } from './call.js';
import { passes, relationOf } from './fencing.js';
import { isTransitional } from './machine.js';
import { learn, mismatchOf, snapshotMismatch } from './observation.js';
import { type ModelConfig, type Possibility, possibilities } from './possibilities.js';
import { isLifecycleState, type MachineRecord } from './record.js';
import type { BehaviorId } from './registry.js';
import { changed, failed, hasOperation, type MachineState, sameState, settled } from './state.js';

/** Every state that a machine may be in; never empty while the provider keeps the contract. */
export type Belief = readonly MachineState[];

/** What a step of the model concludes: the states that explain it, and by what they explain it. */
export interface Step {
  readonly belief: Belief;
  /** The possibilities of section 4 that matched a mutation; empty for Get and for lost replies. */
  readonly matched: readonly Possibility[];
  /** Behaviors whose literal reading was departed from: only their reference reading explains the reply. */
  readonly departures: readonly BehaviorId[];
}

const NOTHING: Step = { belief: [], matched: [], departures: [] };

/** `belief` with every state that the provider may have reached by itself, and every effect of a lost call. */
export function close(belief: Belief, config: ModelConfig): Belief {
  if (belief.length === 1 && belief[0] !== undefined && isAtRest(belief[0])) return belief;
  const reached = [...belief];
  for (let i = 0; i < reached.length; i++) {
    const state = reached[i];
    if (state === undefined) continue;
    for (const silent of silentSteps(state, config)) addState(reached, silent);
  }
  return reached;
}

function isAtRest(state: MachineState): boolean {
  return state.pending.length === 0 && (state.phase === 'ABSENT' || !isTransitional(state.phase));
}

function silentSteps(state: MachineState, config: ModelConfig): MachineState[] {
  const steps: MachineState[] = [];
  if (state.phase !== 'ABSENT' && isTransitional(state.phase)) {
    if (state.fate !== 'fail') steps.push(settled(state));
    if (state.fate !== 'settle') steps.push(failed(state));
  }
  for (const [at, call] of state.pending.entries()) {
    const pending = state.pending.filter((_, other) => other !== at);
    for (const possibility of possibilities(changed(state, { pending }), call, config))
      steps.push(possibility.next);
  }
  return steps;
}

/**
 * A lost call whose token has become stale can no longer do anything but be fenced out, whenever it arrives; one that
 * names a provider's free choice (A4 to A6) stays open.
 */
function withoutDoomed(state: MachineState): MachineState {
  if (state.pending.length === 0) return state;
  const pending = state.pending.filter(
    ({ token }) => token.shard === '' || passes(relationOf(state.marks, token)),
  );
  return pending.length === state.pending.length ? state : changed(state, { pending });
}

/** Adds `state` unless an equal one is there. */
function addState(states: MachineState[], added: MachineState): void {
  const state = withoutDoomed(added);
  for (const known of states) if (sameState(known, state)) return;
  states.push(state);
}

/** One mutation and what came of it. A lost reply keeps both possibilities open from now on. */
export function stepMutation(
  belief: Belief,
  call: MutationCall,
  outcome: Outcome<Ack>,
  config: ModelConfig,
): Step {
  if (outcome.kind === 'indeterminate') {
    const open = belief.map((state) => changed(state, { pending: [...state.pending, call] }));
    return { belief: open, matched: [], departures: [] };
  }
  const literal: MachineState[] = [];
  const reference: MachineState[] = [];
  const matched: Possibility[] = [];
  for (const state of close(belief, config)) {
    for (const possibility of possibilities(state, call, config)) {
      if (possibility.departs !== undefined && literal.length > 0) continue;
      const explained = explain(possibility, call, outcome);
      if (explained.length === 0) continue;
      matched.push(possibility);
      const states = possibility.departs === undefined ? literal : reference;
      for (const next of explained) addState(states, next);
    }
  }
  if (literal.length > 0) return { belief: literal, matched: matched.filter(isLiteral), departures: [] };
  if (reference.length === 0) return NOTHING;
  const departures = matched.flatMap(({ departs }) => departs ?? []);
  return { belief: reference, matched, departures: [...new Set(departures)] };
}

function isLiteral(possibility: Possibility): boolean {
  return possibility.departs === undefined;
}

/** The states in which `possibility` explains `outcome`; none where it does not. */
export function explain(
  possibility: Possibility,
  call: MutationCall,
  outcome: Outcome<Ack>,
): readonly MachineState[] {
  const { expect, next } = possibility;
  if (outcome.kind === 'rejected') {
    if (expect.kind === 'codes') return expect.codes.includes(outcome.code) ? [next] : [];
    return expect.kind === 'non-fencing' && outcome.code !== 'FAILED_PRECONDITION' ? [next] : [];
  }
  if (outcome.kind !== 'ok' || expect.kind !== 'ack') return [];
  return isExpectedOperation(possibility, outcome.reply.operationId)
    ? withSnapshot(possibility, call, outcome.reply)
    : [];
}

/** Whether the possibility allows this operation_id. */
export function isExpectedOperation({ expect, next }: Possibility, id: string): boolean {
  if (expect.kind !== 'ack') return false;
  if (expect.operation === 'unasked') return true;
  if (id === '') return false;
  if (expect.operation === 'any') return true;
  if (expect.operation === 'fresh') return !hasOperation(next.operations, id);
  return (
    expect.operation.includes(id) || (expect.operation.includes(null) && !hasOperation(next.operations, id))
  );
}

/** The state that an ack's snapshot shows, where it fits the possibility. */
function withSnapshot(possibility: Possibility, call: MutationCall, ack: Ack): readonly MachineState[] {
  const { rule, expect, next } = possibility;
  const { machine, operationId } = ack;
  if (machine === null || expect.kind !== 'ack') return [];
  const namesLeader =
    expect.operation === 'fresh' || (Array.isArray(expect.operation) && expect.operation.length === 1);
  const state = namesLeader ? named(next, operationId) : next;
  if (rule !== 'accept') {
    const fits = isPastOrPresent(state, machine) && expect.phases.some((phase) => phase === machine.state);
    return fits && snapshotMismatch(state, call.machineId, machine) === null ? [learn(state, machine)] : [];
  }
  const shown = state.phase === machine.state ? state : endShown(state, machine);
  if (shown === undefined || mismatchOf(shown, call.machineId, machine) !== null) return [];
  return [learn(shown, machine)];
}

function endShown(state: MachineState, machine: MachineRecord): MachineState | undefined {
  return acceptedStates(state).find(({ phase }) => phase === machine.state);
}

/** A snapshot may be as old as its operation, but it cannot show an end that was not reached yet. */
function isPastOrPresent(state: MachineState, machine: MachineRecord): boolean {
  return machine.state === state.phase || (isLifecycleState(machine.state) && isTransitional(machine.state));
}

/** Where an accepted call may have the machine by the time of its ack: moving, or already at the end. */
export function acceptedStates(state: MachineState): readonly MachineState[] {
  const ends =
    state.fate === 'settle'
      ? [settled(state)]
      : state.fate === 'fail'
        ? [failed(state)]
        : [settled(state), failed(state)];
  return [state, ...ends];
}

/** `state` with the id of its newest operation filled in where its reply was lost. */
function named(state: MachineState, id: string): MachineState {
  const { operations } = state;
  if (operations === null || operations.id !== null) return state;
  const { kind, earlier } = operations;
  return changed(state, { operations: { kind, id, earlier } });
}

/** One Get and what came back; a List entry of this machine counts as a Get that answered OK. */
export function stepGet(
  belief: Belief,
  call: GetCall,
  outcome: Outcome<MachineRecord>,
  config: ModelConfig,
): Step {
  if (outcome.kind === 'indeterminate') return { belief, matched: [], departures: [] };
  const closed = close(belief, config);
  if (outcome.kind === 'rejected') {
    const code = call.machineId === '' ? 'INVALID_ARGUMENT' : 'NOT_FOUND';
    const explained = outcome.code === code ? closed.filter(({ phase }) => phase === 'ABSENT') : [];
    return { belief: explained, matched: [], departures: [] };
  }
  const explained: MachineState[] = [];
  for (const state of closed) {
    // Most states of a belief fall here, before anything is put into words.
    if (state.phase !== outcome.reply.state) continue;
    if (mismatchOf(state, call.machineId, outcome.reply) === null)
      addState(explained, learn(state, outcome.reply));
  }
  return { belief: explained, matched: [], departures: departuresOf(explained, outcome.reply) };
}

/** B703 asks that last_error says it was a timeout; the reference reading takes any text (contract section 9). */
function departuresOf(explained: Belief, { state, lastError }: MachineRecord): readonly BehaviorId[] {
  const timedOut = state === 'FAILED' && explained.every(({ trail }) => trail.doom === 'fault-timeout');
  return timedOut && explained.length > 0 && !TIMEOUT_SHAPED.test(lastError) ? ['B703'] : [];
}

const TIMEOUT_SHAPED = /time[d]?[\s_-]?out|deadline|exceeded|too long/i;

/** Every state that a lost call may have led to by taking effect now; for the search over concurrent histories. */
export function effects(state: MachineState, call: MutationCall, config: ModelConfig): Belief {
  const reached: MachineState[] = [];
  for (const from of close([state], config)) {
    for (const possibility of possibilities(from, call, config)) addState(reached, possibility.next);
  }
  return reached;
}
