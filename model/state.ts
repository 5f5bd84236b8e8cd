/**
 * What the model knows of one machine. A provider that is understood completely is one such state; what is open
 * (an unsettled transition, a lost reply, a free choice of contract section 9) is a set of them, a belief.
 */
import type { Mutation, MutationCall } from './call.js';
import { type Marks, NO_MARKS, type Relation, sameMarks } from './fencing.js';
import { EDGES, type LifecycleState, next } from './machine.js';
import type { Rule } from './rules.js';

/** A lifecycle state, or ABSENT: the provider does not know the machine, yet keeps fence marks for its id. */
export type Phase = LifecycleState | 'ABSENT';

/** What Configure bound (contract section 3): cluster and map together, never merged with an earlier binding. */
export interface Binding {
  readonly cluster: string;
  readonly metadata: ReadonlyMap<string, string>;
}

/** An accepted mutation. `id` is null while its reply is lost. The list runs from the newest to the oldest. */
export interface Operation {
  readonly kind: Mutation;
  readonly id: string | null;
  readonly earlier: Operation | null;
}

/** How the running transition may end: as it should, in FAILED, or in either. */
export type Fate = 'settle' | 'fail' | 'either';

/** What dooms a transition (contract section 7, Fault), chosen over the wire. */
export type Doom =
  | 'fault-error'
  | 'fault-timeout'
  | 'fault-slow-ok'
  | 'fault-readiness-block'
  | 'fault-drain-error'
  | 'create-error';

/** The last judged mutation and what has been seen since. It is kept to place blame and never decides a verdict. */
export interface Trail {
  readonly kind: Mutation | null;
  readonly rule: Rule | null;
  readonly relation: Relation;
  /** Where the machine was when that call was judged. */
  readonly phase: Phase;
  /** A stable state has been seen since. */
  readonly rested: boolean;
  /** What doomed the transition that was accepted last. */
  readonly doom: Doom | null;
}

/** One state that a machine may be in. Immutable. */
export interface MachineState {
  readonly phase: Phase;
  readonly binding: Binding | null;
  /** Accepted mutations, newest first; the newest led to where the machine is or is going. */
  readonly operations: Operation | null;
  /** False where the provider ran before the model looked: unknown calls may have led here (A1). */
  readonly historyKnown: boolean;
  readonly marks: Marks;
  readonly fate: Fate;
  /** How a Drain of the present binding may end; Configure with `fault-drain-error` decides it. */
  readonly drainFate: Fate;
  /** How a Create may end; the label `conformance.fault/create=error` decides it. */
  readonly createFate: Fate;
  /** HostRef.provider once seen: constant for a machine. */
  readonly hostProvider: string | null;
  /** last_error once FAILED was seen: it stays as it is. */
  readonly lastError: string | null;
  /** Calls whose reply was lost: each may still take effect, or never. */
  readonly pending: readonly MutationCall[];
  readonly trail: Trail;
}

const NO_TRAIL: Trail = {
  kind: null,
  rule: null,
  relation: 'absent',
  phase: 'ABSENT',
  rested: true,
  doom: null,
};
const NOTHING_PENDING: readonly MutationCall[] = [];

/** A machine first met in `phase`, by a model that knows none of its past unless `historyKnown`. */
export function firstMet(phase: Phase, historyKnown = false): MachineState {
  return {
    phase,
    binding: null,
    operations: null,
    historyKnown,
    marks: NO_MARKS,
    fate: 'settle',
    drainFate: 'settle',
    createFate: 'settle',
    hostProvider: null,
    lastError: null,
    pending: NOTHING_PENDING,
    trail: { ...NO_TRAIL, phase },
  };
}

/**
 * `state` with `changes`. All states are copied by this one literal: spreads left them with dozens of hidden classes,
 * and to copy one then cost more than to judge a reply.
 */
export function changed(state: MachineState, changes: Partial<MachineState>): MachineState {
  return {
    phase: changes.phase ?? state.phase,
    binding: changes.binding === undefined ? state.binding : changes.binding,
    operations: changes.operations === undefined ? state.operations : changes.operations,
    historyKnown: changes.historyKnown ?? state.historyKnown,
    marks: changes.marks ?? state.marks,
    fate: changes.fate ?? state.fate,
    drainFate: changes.drainFate ?? state.drainFate,
    createFate: changes.createFate ?? state.createFate,
    hostProvider: changes.hostProvider === undefined ? state.hostProvider : changes.hostProvider,
    lastError: changes.lastError === undefined ? state.lastError : changes.lastError,
    pending: changes.pending ?? state.pending,
    trail: changes.trail ?? state.trail,
  };
}

/** `state` after its running transition came to its proper end. */
export function settled(state: MachineState): MachineState {
  const to = state.phase === 'ABSENT' ? undefined : next(state.phase, 'settle');
  if (to === undefined) return state;
  const bound = to === 'CONFIGURED';
  return changed(state, {
    phase: to,
    binding: bound ? state.binding : null,
    fate: 'settle',
    drainFate: bound ? state.drainFate : 'settle',
  });
}

/** `state` after its running transition failed. What the record of a FAILED machine binds is free. */
export function failed(state: MachineState): MachineState {
  return changed(state, { phase: 'FAILED', binding: null, fate: 'settle', drainFate: 'settle' });
}

/** Every id of `kind` among `operations`; null stands for one whose reply was lost. */
export function operationIds(operations: Operation | null, kind: Mutation): readonly (string | null)[] {
  const ids: (string | null)[] = [];
  for (let op = operations; op !== null; op = op.earlier) if (op.kind === kind) ids.push(op.id);
  return ids;
}

/** Whether any accepted mutation of this machine is known to have had `id`. */
export function hasOperation(operations: Operation | null, id: string): boolean {
  for (let op = operations; op !== null; op = op.earlier) if (op.id === id) return true;
  return false;
}

/**
 * The newest `most` of `operations`. Each kind of which older ones are dropped keeps one place without an id, as if its
 * reply had been lost: that an earlier operation may answer a retry (A2) stays known, and which one does not.
 */
export function newestOf(operations: Operation | null, most: number): Operation | null {
  const kept: Operation[] = [];
  let rest = operations;
  for (; rest !== null && kept.length < most; rest = rest.earlier) kept.push(rest);
  if (rest === null) return operations;
  const dropped = new Set<Mutation>();
  for (; rest !== null; rest = rest.earlier) dropped.add(rest.kind);
  let shortened: Operation | null = null;
  for (const kind of [...dropped].sort()) shortened = { kind, id: null, earlier: shortened };
  for (const { kind, id } of kept.toReversed()) shortened = { kind, id, earlier: shortened };
  return shortened;
}

/** The mutation that led to where the machine is, or null where that is not known. */
export function leader(state: MachineState): Operation | null {
  const { operations, phase } = state;
  if (operations === null || phase === 'ABSENT') return null;
  const edge = EDGES[operations.kind];
  return phase === edge.via || phase === edge.to ? operations : null;
}

function sameOperations(a: Operation | null, b: Operation | null): boolean {
  let [x, y] = [a, b];
  while (x !== y) {
    if (x === null || y === null || x.kind !== y.kind || x.id !== y.id) return false;
    [x, y] = [x.earlier, y.earlier];
  }
  return true;
}

function samePending(a: readonly MutationCall[], b: readonly MutationCall[]): boolean {
  return a === b || (a.length === b.length && a.every((call, i) => call === b[i]));
}

/** Equal in all that can decide a later verdict; the trail is left out. */
export function sameState(a: MachineState, b: MachineState): boolean {
  return (
    a === b ||
    (a.phase === b.phase &&
      a.fate === b.fate &&
      a.drainFate === b.drainFate &&
      a.hostProvider === b.hostProvider &&
      a.lastError === b.lastError &&
      a.historyKnown === b.historyKnown &&
      sameBinding(a.binding, b.binding) &&
      sameMarks(a.marks, b.marks) &&
      sameOperations(a.operations, b.operations) &&
      samePending(a.pending, b.pending))
  );
}

/** Equal cluster and equal maps, byte for byte (JavaScript strings decoded from valid UTF-8 compare exactly). */
export function sameBinding(a: Binding | null, b: Binding | null): boolean {
  if (a === b) return true;
  return a !== null && b !== null && a.cluster === b.cluster && sameMap(a.metadata, b.metadata);
}

/** Equal keys and equal values. */
export function sameMap(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (b.get(key) !== value) return false;
  return true;
}

/** A key that equal states share; states that differ only in their trail are equal. */
export function stateKey(state: MachineState): string {
  const { phase, fate, drainFate, binding, operations, marks, hostProvider, lastError, pending } = state;
  const ids: string[] = [];
  for (let op = operations; op !== null; op = op.earlier) ids.push(`${op.kind}=${op.id ?? '?'}`);
  const high = [...marks].map(([shard, { epoch, sequence }]) => `${shard}:${epoch}:${sequence}`).sort();
  const bound = binding === null ? '' : `${binding.cluster}\u0000${mapKey(binding.metadata)}`;
  const lost = pending.map(pendingKey);
  return [
    phase,
    fate,
    drainFate,
    bound,
    ids.join(),
    high.join(),
    hostProvider ?? '',
    lastError ?? '',
    lost.join(),
  ].join('\u0001');
}

function pendingKey(call: MutationCall): string {
  const { kind, token } = call;
  const bound = kind === 'Configure' ? `\u0000${call.cluster}\u0000${mapKey(call.metadata)}` : '';
  return `${kind}${token.shard}:${token.epoch}:${token.sequence}${bound}`;
}

const MAP_KEYS = new WeakMap<ReadonlyMap<string, string>, string>();

/** A key that equal maps share; computed once for each map. */
export function mapKey(map: ReadonlyMap<string, string>): string {
  const known = MAP_KEYS.get(map);
  if (known !== undefined) return known;
  const made = JSON.stringify([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
  MAP_KEYS.set(map, made);
  return made;
}
