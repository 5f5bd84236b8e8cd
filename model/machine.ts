/**
 * The lifecycle of one machine (contract section 3), defined once, as an xstate machine. The transition table of
 * the hot path, the generator's weights, the cells to cover and the diagram in the docs are all read off it.
 */
import { createMachine } from 'xstate';
import { MUTATIONS, type Mutation } from './call.js';

const states = {
  SPECULATIVE: { on: { Create: 'CREATING' } },
  CREATING: { on: { settle: 'IDLE', fail: 'FAILED' } },
  IDLE: { on: { Configure: 'CONFIGURING', Delete: 'DELETING' } },
  CONFIGURING: { on: { settle: 'CONFIGURED', fail: 'FAILED' } },
  CONFIGURED: { on: { Drain: 'DRAINING' } },
  DRAINING: { on: { settle: 'IDLE', fail: 'FAILED' } },
  DELETING: { on: { settle: 'SPECULATIVE', fail: 'FAILED' } },
  FAILED: {},
} as const;

/** The four legal edges, the silent steps `settle` and `fail`, and FAILED, which nothing leaves. */
export const lifecycle = createMachine({ id: 'machine', initial: 'SPECULATIVE', states });

/** A state of the lifecycle. */
export type LifecycleState = keyof typeof states;
/** What moves a machine: an accepted call, or a step that the provider takes by itself. */
export type LifecycleEvent = Mutation | 'settle' | 'fail';

/** The eight states, in the order of the wire's enum values 1 to 8. */
export const LIFECYCLE_STATES = [
  'SPECULATIVE',
  'CREATING',
  'IDLE',
  'CONFIGURING',
  'CONFIGURED',
  'DRAINING',
  'DELETING',
  'FAILED',
] as const satisfies readonly LifecycleState[];

const EVENTS = [...MUTATIONS, 'settle', 'fail'] as const satisfies readonly LifecycleEvent[];

type Row = Readonly<Partial<Record<LifecycleEvent, LifecycleState>>>;

/** The transition table, read off {@link lifecycle}: a table costs a fiftieth of a step of the interpreter. */
const TABLE = Object.fromEntries(LIFECYCLE_STATES.map((state) => [state, rowOf(state)])) as Readonly<
  Record<LifecycleState, Row>
>;

function rowOf(state: LifecycleState): Row {
  const row: Partial<Record<LifecycleEvent, LifecycleState>> = {};
  for (const event of EVENTS) {
    const target = lifecycle.states[state]?.on[event]?.[0]?.target?.[0]?.key;
    if (target !== undefined) row[event] = target as LifecycleState;
  }
  return row;
}

/** Where `event` leads from `state`, or undefined when the lifecycle has no such edge. */
export function next(state: LifecycleState, event: LifecycleEvent): LifecycleState | undefined {
  return TABLE[state][event];
}

/** A legal edge: where a call starts, what the machine is while it runs, and where it comes to rest. */
export interface Edge {
  readonly from: LifecycleState;
  readonly via: LifecycleState;
  readonly to: LifecycleState;
}

/** The legal edge of every mutation. */
export const EDGES = Object.fromEntries(MUTATIONS.map((call) => [call, edgeOf(call)])) as Readonly<
  Record<Mutation, Edge>
>;

function edgeOf(call: Mutation): Edge {
  const from = LIFECYCLE_STATES.find((state) => next(state, call) !== undefined);
  const via = from && next(from, call);
  const to = via && next(via, 'settle');
  if (!from || !via || !to) throw new Error(`the lifecycle has no complete edge for ${call}`);
  return { from, via, to };
}

/** True for the four states that the provider leaves by itself. */
export function isTransitional(state: LifecycleState): boolean {
  return TABLE[state].settle !== undefined;
}

/** The states in which a machine rests until somebody calls, FAILED left out. */
export const STABLE_STATES: readonly LifecycleState[] = LIFECYCLE_STATES.filter(
  (state) => !isTransitional(state) && state !== 'FAILED',
);
/** The states that a machine passes through. */
export const TRANSITIONAL_STATES: readonly LifecycleState[] = LIFECYCLE_STATES.filter(isTransitional);

/** The lifecycle as a Mermaid state diagram. */
export function lifecycleDiagram(): string {
  const arrows = LIFECYCLE_STATES.flatMap((state) =>
    EVENTS.flatMap((event) => {
      const target = next(state, event);
      return target ? [`    ${state} --> ${target}: ${event}`] : [];
    }),
  );
  return ['stateDiagram-v2', '    [*] --> SPECULATIVE', ...arrows].join('\n');
}
