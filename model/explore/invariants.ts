/**
 * What must hold of the model itself, whatever it is asked: read off the contract, in words that share no code with
 * what they check. A list of data, so that a command can print it.
 */
import type { MutationCall } from '../call.js';
import type { mismatchOf } from '../observation.js';
import type { Possibility, possibilities } from '../possibilities.js';
import type { MachineState } from '../state.js';
import {
  acceptanceFault,
  bindingFault,
  codeFault,
  flightFault,
  idempotencyFault,
  markFault,
  passedFault,
  rejectionFault,
  silentFault,
  staleFault,
} from './faults.js';
import { recordTableFault } from './records.js';

/** The parts of the model that are explored. Passing broken ones shows that an invariant can fail. */
export interface Oracle {
  readonly possibilities: typeof possibilities;
  readonly settled: (state: MachineState) => MachineState;
  readonly failed: (state: MachineState) => MachineState;
  readonly mismatchOf: typeof mismatchOf;
}

/** A step of the model: one possibility of one call, or, where `by` is null, one that the provider takes by itself. */
export interface ModelStep {
  readonly from: MachineState;
  readonly to: MachineState;
  readonly by: { readonly call: MutationCall; readonly answer: Possibility } | null;
}

/** What an invariant may be about, by the name of its scope. */
export interface Seen {
  readonly state: MachineState;
  readonly call: { readonly state: MachineState; readonly answers: readonly Possibility[] };
  readonly step: ModelStep;
  readonly table: Oracle;
}

interface InvariantOver<Scope extends keyof Seen> {
  /** Kebab-case, unique. */
  readonly name: string;
  /** The section of the contract that demands it. */
  readonly section: string;
  readonly says: string;
  readonly over: Scope;
  /** What is wrong, or null where it holds. */
  readonly check: (seen: Seen[Scope]) => string | null;
}

/** One invariant of the model. */
export type Invariant = { [Scope in keyof Seen]: InvariantOver<Scope> }[keyof Seen];

/** Every invariant, in the order of the contract. */
export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'record-table',
    section: '3',
    says: 'a record that its state demands is explained in that state, and in no other; with one field flipped it is explained only where the table leaves that field free',
    over: 'table',
    check: recordTableFault,
  },
  {
    name: 'binding-lifespan',
    section: '3',
    says: 'a machine is bound exactly from the acceptance of its Configure to the settling of the Drain',
    over: 'state',
    check: bindingFault,
  },
  {
    name: 'failed-is-terminal',
    section: '3',
    says: 'nothing leaves FAILED, and a FAILED machine accepts nothing',
    over: 'step',
    check: ({ from, to, by }) =>
      from.phase === 'FAILED' && (to.phase !== 'FAILED' || by?.answer.expect.kind === 'ack')
        ? `FAILED to ${to.phase}`
        : null,
  },
  {
    name: 'silent-steps-end-transitions',
    section: '3',
    says: 'what a provider does by itself ends the running transition, at its target or in FAILED, and touches neither marks nor operations',
    over: 'step',
    check: silentFault,
  },
  {
    name: 'only-acceptance-moves',
    section: '4.6',
    says: 'no call moves a machine but one that is accepted',
    over: 'step',
    check: ({ from, to, by }) =>
      by && by.answer.rule !== 'accept' && from.phase !== to.phase
        ? `${by.answer.rule} moves ${from.phase} to ${to.phase}`
        : null,
  },
  {
    name: 'total',
    section: '4',
    says: 'every state answers every call in at least one way that needs no reference reading',
    over: 'call',
    check: ({ answers }) =>
      answers.some(({ departs }) => departs === undefined) ? null : 'a call with no possible answer',
  },
  {
    name: 'rejection-changes-nothing',
    section: '4.1, 4.3, 4.5',
    says: 'a rejected call leaves phase, binding and operations alone',
    over: 'step',
    check: rejectionFault,
  },
  {
    name: 'marks-never-fall',
    section: '4.2',
    says: 'a mark never moves backwards and is never forgotten',
    over: 'step',
    check: markFault,
  },
  {
    name: 'stale-changes-nothing',
    section: '4.2',
    says: 'a call whose token is not strictly newer than its mark changes nothing at all, its mark included',
    over: 'step',
    check: staleFault,
  },
  {
    name: 'passing-moves-the-mark',
    section: '4.2',
    says: 'past the fence a shard’s mark is its token, whatever a later step answers',
    over: 'step',
    check: passedFault,
  },
  {
    name: 'fencing-code-is-the-fences',
    section: '4.2',
    says: 'FAILED_PRECONDITION is expected from the fence alone, or from a stale token on a misshapen request (A5)',
    over: 'step',
    check: codeFault,
  },
  {
    name: 'no-op-mints-nothing',
    section: '4.4',
    says: 'an idempotent answer changes nothing and, where the history is known, names an operation that exists',
    over: 'step',
    check: idempotencyFault,
  },
  {
    name: 'one-operation-in-flight',
    section: '4.6',
    says: 'an operation begins only where none is running, one at a time, and the one that runs is the newest',
    over: 'step',
    check: flightFault,
  },
  {
    name: 'acceptance-starts-on-its-edge',
    section: '4.6',
    says: 'an accepted call starts on its legal edge, enters its transitional state and binds what a Configure sent',
    over: 'step',
    check: acceptanceFault,
  },
];
