/** Says of a reply that nothing explains which part of the contract it breaks, what was allowed and what was seen. */
import {
  behaviorsOfBrokenFence,
  behaviorsOfFalseFence,
  behaviorsOfMoment,
  behaviorsOfOperation,
  type Moment,
} from './blame.js';
import type { Ack, GetCall, MutationCall, Outcome, Token } from './call.js';
import { describeExpectation, describePhases } from './codes.js';
import { acceptedStates, type Belief, close, isExpectedOperation } from './contract.js';
import { isNegative, passes, relationOf } from './fencing.js';
import { type Mismatch, mismatchOf, quoted, snapshotMismatch } from './observation.js';
import { type ModelConfig, type Possibility, possibilities } from './possibilities.js';
import type { MachineRecord } from './record.js';
import { behaviorsOfRecord, behaviorsOfRevival, type Known } from './record-blame.js';
import type { BehaviorId } from './registry.js';
import type { Rule } from './rules.js';
import { leader, type MachineState, operationIds } from './state.js';

/** A departure from the contract. Texts may quote the provider: data, to be escaped where they are shown. */
export interface Breach {
  /** What it breaks, the most specific first. Never empty. */
  readonly behaviors: readonly BehaviorId[];
  readonly rule: Rule;
  /** What about the reply was wrong; together with the behavior it says whether two breaches are the same. */
  readonly aspect: string;
  /** Everything the contract allowed here. */
  readonly expected: readonly string[];
  readonly observed: string;
  /** Where a token that passes was fenced out: what is broken if the same call without a token is answered well. */
  readonly ifFenced?: readonly BehaviorId[];
}

/** What the model does not know of, and needs for the blame: the fence marks of the run's other machines. */
export interface Surroundings {
  /** Whether this shard has an equal or higher mark on another machine than the token called with. */
  outranks(token: Token): boolean;
}

/** The moment that `possibility` makes of `call` in `state`. */
export function momentOf(state: MachineState, call: MutationCall, rule: Rule): Moment {
  const lead = leader(state)?.kind ?? null;
  return {
    call,
    phase: state.phase,
    rule,
    relation: relationOf(state.marks, call.token),
    mark: state.marks.get(call.token.shard),
    replays: lead === call.kind,
  };
}

interface Candidate {
  readonly state: MachineState;
  readonly possibility: Possibility;
  readonly depth: number;
  readonly mismatch: Mismatch | null;
  readonly wrongOperation: boolean;
}

/** The breach in the outcome of a mutation that no state of `belief` explains. */
export function diagnoseMutation(
  belief: Belief,
  call: MutationCall,
  outcome: Outcome<Ack>,
  config: ModelConfig,
  surroundings: Surroundings,
): Breach {
  const candidates = close(belief, config).flatMap((state) =>
    possibilities(state, call, config)
      .filter(({ departs }) => departs === undefined)
      .map((possibility) => candidateOf(state, possibility, call, outcome)),
  );
  const best = candidates.reduce((a, b) => (b.depth > a.depth ? b : a));
  const expected = [...new Set(candidates.map((candidate) => describeAllowed(candidate, best)))];
  const { rule } = best.possibility;
  const { ifFenced, ...rest } = blame(best, call, outcome, surroundings);
  const breach = { ...rest, rule, expected, observed: describeOutcome(outcome, best.mismatch) };
  return ifFenced === undefined ? breach : { ...breach, ifFenced };
}

/** What `candidate` allows; where `best` is right but for its snapshot, with what the snapshot should have shown. */
function describeAllowed({ possibility }: Candidate, best: Candidate): string {
  const allowed = describeExpectation(possibility.expect);
  const { mismatch } = best;
  if (mismatch === null || mismatch.aspect === 'state') return allowed;
  const same = allowed === describeExpectation(best.possibility.expect);
  return same ? `${allowed}, showing ${mismatch.expected}` : allowed;
}

function candidateOf(
  state: MachineState,
  possibility: Possibility,
  call: MutationCall,
  outcome: Outcome<Ack>,
): Candidate {
  // Where a call may be refused or repeated, a refusal with a wrong code is held against what is said of refusals.
  const agrees = outcome.kind === 'rejected' && possibility.expect.kind !== 'ack';
  const candidate = { state, possibility, depth: agrees ? 1 : 0, mismatch: null, wrongOperation: false };
  if (outcome.kind !== 'ok' || possibility.expect.kind !== 'ack') return candidate;
  if (!isExpectedOperation(possibility, outcome.reply.operationId)) {
    return { ...candidate, depth: 1, wrongOperation: true };
  }
  const mismatch = ackMismatch(possibility, call, outcome.reply);
  return { ...candidate, depth: 2 + (mismatch?.depth ?? 0), mismatch };
}

function ackMismatch({ rule, expect, next }: Possibility, call: MutationCall, ack: Ack): Mismatch | null {
  const phases = expect.kind === 'ack' ? expect.phases : [];
  if (ack.machine === null) {
    return {
      aspect: 'state',
      depth: 0,
      expected: 'a machine in the ack',
      observed: 'an ack without a machine',
    };
  }
  const record = ack.machine;
  if (rule !== 'accept') {
    const found = snapshotMismatch(next, call.machineId, record);
    return (
      found ?? {
        aspect: 'state',
        depth: 1,
        expected: `state ${describePhases(phases)}`,
        observed: `state ${record.state}`,
      }
    );
  }
  const found = acceptedStates(next).flatMap((state) => mismatchOf(state, call.machineId, record) ?? []);
  return found.reduce<Mismatch | null>((a, b) => (a === null || b.depth > a.depth ? b : a), null);
}

function blame(
  { state, possibility, mismatch, wrongOperation }: Candidate,
  call: MutationCall,
  outcome: Outcome<Ack>,
  surroundings: Surroundings,
): Pick<Breach, 'behaviors' | 'aspect' | 'ifFenced'> {
  const moment = momentOf(state, call, possibility.rule);
  if (wrongOperation) return { behaviors: behaviorsOfOperation(moment), aspect: 'operation_id' };
  if (mismatch && outcome.kind === 'ok') {
    const shown = outcome.reply.machine?.state ?? 'none';
    if (shown === 'none') return { behaviors: ['B408'], aspect: 'snapshot missing' };
    const trail = { ...possibility.next.trail, rested: false };
    const behaviors = behaviorsOfRecord(
      mismatch.aspect,
      shown,
      trail,
      knownOf(possibility.next, outcome.reply.machine),
    );
    return {
      behaviors: [...new Set<BehaviorId>([...behaviors, 'B408'])],
      aspect: `snapshot ${mismatch.aspect}`,
    };
  }
  const fencedOut = outcome.kind === 'rejected' && outcome.code === 'FAILED_PRECONDITION';
  const aspect = outcome.kind === 'rejected' ? `code ${outcome.code}` : `code ${outcome.kind}`;
  if (!fencedOut || !passes(moment.relation)) return { behaviors: behaviorsOfMoment(moment), aspect };
  if (isNegative(call.token)) return { behaviors: [...behaviorsOfMoment(moment), 'B1204'], aspect };
  const outranked = isOutranked(state, call.token, surroundings);
  const behaviors = behaviorsOfFalseFence(moment, outranked);
  return { behaviors, aspect, ifFenced: outranked ? behaviors : behaviorsOfBrokenFence(moment) };
}

/** A mark of another shard, or of the same shard on another machine, is what this token would have lost to. */
export function isOutranked(state: MachineState, token: Token, surroundings: Surroundings): boolean {
  if (token.shard === '') return false;
  const relation = relationOf(state.marks, token);
  if (relation !== 'first' && relation !== 'newer-sequence') return false;
  for (const [shard, mark] of state.marks) {
    const ahead = mark.epoch > token.epoch || (mark.epoch === token.epoch && mark.sequence >= token.sequence);
    if (shard !== token.shard && ahead) return true;
  }
  return surroundings.outranks(token);
}

/** The breach in the outcome of a Get, or in a List entry, that no state of `belief` explains. */
export function diagnoseGet(
  belief: Belief,
  call: GetCall,
  outcome: Outcome<MachineRecord>,
  config: ModelConfig,
): Breach {
  const closed = close(belief, config);
  const first = closed[0];
  if (first === undefined) throw new Error('an empty belief explains nothing and cannot be diagnosed');
  if (outcome.kind === 'ok' && closed.some(({ phase }) => phase !== 'ABSENT')) {
    return recordBreach(closed, call, outcome.reply);
  }
  const absent = first.phase === 'ABSENT';
  const lost: BehaviorId[] = closed.some(({ phase }) => phase === 'FAILED') ? ['B707', 'B305'] : ['B305'];
  const code = call.machineId === '' ? 'INVALID_ARGUMENT' : 'NOT_FOUND';
  const created = absent && first.trail.kind !== null && outcome.kind === 'ok';
  const unanswered: BehaviorId[] =
    call.machineId === '' ? ['B208', 'B1205'] : created ? ['B207', 'B215'] : ['B215'];
  return {
    behaviors: absent ? unanswered : lost,
    rule: absent ? 'existence' : 'read',
    aspect: outcome.kind === 'rejected' ? `code ${outcome.code}` : outcome.kind,
    expected: [absent ? code : 'OK with the machine'],
    observed:
      outcome.kind === 'ok'
        ? `OK, a machine in state ${outcome.reply.state}`
        : describeOutcome(outcome, null),
  };
}

function recordBreach(closed: Belief, call: GetCall, record: MachineRecord): Breach {
  const found = closed.flatMap((state) => {
    const mismatch = state.phase === 'ABSENT' ? null : mismatchOf(state, call.machineId, record);
    return mismatch ? [{ state, mismatch }] : [];
  });
  const best = found.reduce((a, b) => (b.mismatch.depth > a.mismatch.depth ? b : a));
  const { aspect } = best.mismatch;
  const same = found.filter(({ mismatch }) => mismatch.depth === best.mismatch.depth);
  return {
    behaviors:
      aspect === 'state' && best.state.phase === 'FAILED'
        ? behaviorsOfRevival(best.state.trail)
        : behaviorsOfRecord(aspect, record.state, best.state.trail, knownOf(best.state, record)),
    rule: aspect === 'state' ? 'lifecycle' : 'record',
    aspect: aspect === 'state' ? `state ${record.state}` : aspect,
    expected: [...new Set(same.map(({ mismatch }) => mismatch.expected))],
    observed:
      aspect === 'state' || aspect === 'id'
        ? best.mismatch.observed
        : `${best.mismatch.observed} (state ${record.state})`,
  };
}

function knownOf({ binding, operations, lastError }: MachineState, record: MachineRecord | null): Known {
  const known = { drains: operationIds(operations, 'Drain').length, hadError: lastError !== null };
  return binding === null || record === null
    ? known
    : { ...known, maps: { sent: binding.metadata, shown: record.shardMetadata } };
}

function describeOutcome(outcome: Outcome<Ack | MachineRecord>, mismatch: Mismatch | null): string {
  if (outcome.kind === 'indeterminate') return `no reply (${outcome.cause})`;
  if (outcome.kind === 'rejected') return `${outcome.code}: ${quoted(outcome.message)}`;
  if (!('operationId' in outcome.reply)) return `OK, state ${outcome.reply.state}`;
  const { operationId, machine } = outcome.reply;
  const shown = machine === null ? 'no machine' : `a machine in state ${machine.state}`;
  return `OK, operation_id ${quoted(operationId)}, ${shown}${mismatch ? `: ${mismatch.observed}` : ''}`;
}
