/**
 * A toy of contract sections 3, 4 and 6, made for these tests only: one machine with its fence, its
 * operation ids and its binding. It knows nothing of the project's model, and leaves faults and the free
 * points of section 9 out.
 */
import type { Specification } from '../../src/engine/linearize.js';

export type Phase =
  | 'SPECULATIVE'
  | 'CREATING'
  | 'IDLE'
  | 'CONFIGURING'
  | 'CONFIGURED'
  | 'DRAINING'
  | 'DELETING';
export type Kind = 'Create' | 'Configure' | 'Drain' | 'Delete';
/** Shard, epoch, sequence. */
export type Token = readonly [string, number, number];
export type Reply =
  | { readonly id: string; readonly phase: Phase; readonly cluster: string }
  | { readonly code: 'FAILED_PRECONDITION' | 'INTERNAL' };

export interface Mutation {
  readonly kind: Kind;
  readonly token: Token | null;
  readonly cluster: string;
  /** null when the reply was lost. */
  readonly reply: Reply | null;
}
export interface Get {
  readonly kind: 'Get';
  readonly phase: Phase;
  readonly cluster: string;
}
export type LifecycleCall = Mutation | Get;

export interface LifecycleState {
  readonly phase: Phase;
  readonly cluster: string;
  /** The transition that led, or leads, here; its id is null while no reply has told it. */
  readonly operation: { readonly kind: Kind; readonly id: string | null } | null;
  /** Ids of this machine's operations, sorted: none may come back. */
  readonly usedIds: readonly string[];
  /** High-water mark by shard, sorted by shard. */
  readonly marks: readonly Token[];
}

const EDGES: Record<Kind, { readonly from: Phase; readonly via: Phase; readonly to: Phase }> = {
  Create: { from: 'SPECULATIVE', via: 'CREATING', to: 'IDLE' },
  Configure: { from: 'IDLE', via: 'CONFIGURING', to: 'CONFIGURED' },
  Drain: { from: 'CONFIGURED', via: 'DRAINING', to: 'IDLE' },
  Delete: { from: 'IDLE', via: 'DELETING', to: 'SPECULATIVE' },
};

const START: LifecycleState = { phase: 'SPECULATIVE', cluster: '', operation: null, usedIds: [], marks: [] };

export const lifecycle: Specification<LifecycleState, LifecycleCall> = {
  initial: () => [START],
  key: (state) => JSON.stringify(state),
  callKey: (call) => JSON.stringify(call),
  step(state, call) {
    return settling(state).flatMap((now) => {
      if (call.kind === 'Get') return shows(now, call) ? [now] : [];
      return mutate(now, call);
    });
  },
};

/** The state itself, and the one it settles in by itself. */
function settling(state: LifecycleState): LifecycleState[] {
  const edge = Object.values(EDGES).find((e) => e.via === state.phase);
  if (edge === undefined) return [state];
  const bound = edge.to === 'CONFIGURED';
  return [state, { ...state, phase: edge.to, cluster: bound ? state.cluster : '' }];
}

function shows(state: LifecycleState, seen: { readonly phase: Phase; readonly cluster: string }): boolean {
  return state.phase === seen.phase && state.cluster === seen.cluster;
}

function mutate(state: LifecycleState, call: Mutation): LifecycleState[] {
  const marks = fence(state.marks, call.token);
  if (marks === null) return refusedWith(call, 'FAILED_PRECONDITION') ? [state] : [];
  const fenced = { ...state, marks };
  const edge = EDGES[call.kind];
  const there = state.phase === edge.via || state.phase === edge.to;
  if (there && state.operation?.kind === call.kind) return acknowledge(fenced, call, state.operation.id);
  if (state.phase !== edge.from) return refusedWith(call, 'INTERNAL') ? [fenced] : [];
  const cluster = call.kind === 'Configure' ? call.cluster : state.cluster;
  return acknowledge(
    { ...fenced, phase: edge.via, cluster, operation: { kind: call.kind, id: null } },
    call,
    null,
  );
}

/** The marks after an accepted token; null when the fence refuses it. */
function fence(marks: readonly Token[], token: Token | null): readonly Token[] | null {
  if (token === null) return marks;
  const [shard, epoch, sequence] = token;
  const mark = marks.find(([of]) => of === shard);
  if (mark !== undefined && (epoch < mark[1] || (epoch === mark[1] && sequence <= mark[2]))) return null;
  const others = marks.filter(([of]) => of !== shard);
  return [...others, token].sort((a, b) => (a[0] < b[0] ? -1 : 1));
}

function refusedWith(call: Mutation, code: 'FAILED_PRECONDITION' | 'INTERNAL'): boolean {
  return call.reply === null || ('code' in call.reply && call.reply.code === code);
}

/** The states in which an OK with `id` (null: one that nobody has seen yet) may leave the machine. */
function acknowledge(state: LifecycleState, call: Mutation, id: string | null): LifecycleState[] {
  const { reply } = call;
  if (reply === null) return [state];
  if ('code' in reply) return [];
  if (id === null ? state.usedIds.includes(reply.id) : reply.id !== id) return [];
  const known = {
    ...state,
    operation: { kind: call.kind, id: reply.id },
    usedIds: [...new Set([...state.usedIds, reply.id])].sort(),
  };
  return settling(known).filter((now) => shows(now, reply));
}

/** A mutation as the histories write it: `Create`, with token `a 1 5`, answered by `op1 CREATING`. */
export function mutation(kind: Kind, options: Partial<Omit<Mutation, 'kind'>> = {}): Mutation {
  return { kind, token: null, cluster: kind === 'Configure' ? 'c1' : '', reply: null, ...options };
}

export function acked(id: string, phase: Phase, cluster = ''): Reply {
  return { id, phase, cluster };
}

export const FENCED: Reply = { code: 'FAILED_PRECONDITION' };
export const REJECTED: Reply = { code: 'INTERNAL' };

export function get(phase: Phase, cluster = ''): Get {
  return { kind: 'Get', phase, cluster };
}
