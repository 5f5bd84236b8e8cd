/**
 * The code discipline of a mutation (contract section 4, steps 3 to 6): how a call stands to a machine, and which
 * replies that allows. The matches are exhaustive: a new call, state or outcome that nobody thought of does not
 * compile. They are tabulated when the module loads, because they are asked on every step.
 */
import { match, P } from 'ts-pattern';
import { MUTATIONS, type Mutation, type RejectionCode } from './call.js';
import { EDGES, LIFECYCLE_STATES, type LifecycleState, next } from './machine.js';
import type { Phase } from './state.js';

/**
 * How a call stands to the machine it names:
 * - `unknown`: the provider does not know the machine;
 * - `terminal`: the machine is FAILED;
 * - `accept`: the call starts on its legal edge;
 * - `repeat`: this kind of call led where the machine is or goes;
 * - `shared`: the machine rests in, or moves to, the call's target, led there by the other kind of call (A2);
 * - `unled`: the machine rests in, or moves to, the call's target, and nobody knows what led there (A1);
 * - `deleted`: Delete on SPECULATIVE (A3);
 * - `misplaced`: anything else.
 */
export type Standing =
  | 'unknown'
  | 'terminal'
  | 'accept'
  | 'repeat'
  | 'shared'
  | 'unled'
  | 'deleted'
  | 'misplaced';

/** What the contract allows a reply to be. */
export type Expectation =
  /** One of these codes. */
  | { readonly kind: 'codes'; readonly codes: readonly RejectionCode[] }
  /** Any code but OK and FAILED_PRECONDITION (A7). */
  | { readonly kind: 'non-fencing' }
  /** OK with this operation_id, and a snapshot in one of these states. */
  | {
      readonly kind: 'ack';
      readonly operation: ExpectedOperation;
      readonly phases: readonly LifecycleState[];
    };

/** A fresh operation_id, any non-empty one, anything at all, or one of those known (null: its reply was lost). */
export type ExpectedOperation = 'fresh' | 'any' | 'unasked' | readonly (string | null)[];

function judgeStanding(call: Mutation, phase: Phase, leader: Mutation | null): Standing {
  const edge = EDGES[call];
  const heading = leader === null ? undefined : EDGES[leader].to;
  return match({ phase, leader })
    .returnType<Standing>()
    .with({ phase: 'ABSENT' }, () => 'unknown')
    .with({ phase: 'FAILED' }, () => 'terminal')
    .with({ phase: edge.from }, () => 'accept')
    .with({ phase: 'SPECULATIVE' }, () => (call === 'Delete' ? 'deleted' : 'misplaced'))
    .with({ phase: P.union(edge.via, edge.to), leader: call }, () => 'repeat')
    .with(
      {
        phase: P.union('CREATING', 'IDLE', 'CONFIGURING', 'CONFIGURED', 'DRAINING', 'DELETING'),
        leader: null,
      },
      ({ phase: at }) => (at === edge.to || next(at, 'settle') === edge.to ? 'unled' : 'misplaced'),
    )
    .with({ phase: P.union('CREATING', 'IDLE', 'CONFIGURING', 'CONFIGURED', 'DRAINING', 'DELETING') }, () =>
      heading === edge.to ? 'shared' : 'misplaced',
    )
    .exhaustive();
}

const PHASES: readonly Phase[] = ['ABSENT', ...LIFECYCLE_STATES];

/** By call, phase and leader: nested, so that asking builds no key. */
const STANDINGS = tableOf(MUTATIONS, (call) =>
  tableOf(PHASES, (phase) => ({
    led: tableOf(MUTATIONS, (leader) => judgeStanding(call, phase, leader)),
    unled: judgeStanding(call, phase, null),
  })),
);

function tableOf<K extends string, V>(keys: readonly K[], of: (key: K) => V): Readonly<Record<K, V>> {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, V>;
}

/** How `call` stands to a machine in `phase` that `leader` led there (null: not known). */
export function standingOf(call: Mutation, phase: Phase, leader: Mutation | null): Standing {
  const standings = STANDINGS[call][phase];
  return leader === null ? standings.unled : standings.led[leader];
}

/** An expectation in words, for a person who knows gRPC and not this code. */
export function describeExpectation(expectation: Expectation): string {
  return match(expectation)
    .with({ kind: 'codes' }, ({ codes }) => codes.join(' or '))
    .with({ kind: 'non-fencing' }, () => 'a rejection with any code but FAILED_PRECONDITION')
    .with(
      { kind: 'ack' },
      ({ operation, phases }) =>
        `OK with ${describeOperation(operation)} and a snapshot in ${describePhases(phases)}`,
    )
    .exhaustive();
}

/** States to choose from, each once: where a machine is and where it is bound may be the same. */
export function describePhases(phases: readonly LifecycleState[]): string {
  return [...new Set(phases)].join(' or ');
}

function describeOperation(operation: ExpectedOperation): string {
  return match(operation)
    .with('fresh', () => 'a fresh operation_id')
    .with('any', () => 'a non-empty operation_id')
    .with('unasked', () => 'any operation_id')
    .with(P.array(), (ids) => {
      const known = [...new Set(ids.filter((id) => id !== null))];
      return known.length === 0
        ? 'the operation_id of the earlier call'
        : `the operation_id ${known.map((id) => JSON.stringify(id)).join(' or ')}`;
    })
    .exhaustive();
}
