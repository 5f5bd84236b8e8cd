/** The checks behind the invariants: each says what is wrong, or null where it holds. */
import type { Token } from '../call.js';
import type { Mark, Marks } from '../fencing.js';
import { EDGES, isTransitional } from '../machine.js';
import { type MachineState, type Operation, operationIds, sameBinding } from '../state.js';
import type { ModelStep } from './invariants.js';

const BOUND: ReadonlySet<string> = new Set(['CONFIGURING', 'CONFIGURED', 'DRAINING']);

export function bindingFault({ phase, binding, operations }: MachineState): string | null {
  if (!BOUND.has(phase)) return binding === null ? null : `a binding in ${phase}`;
  // A machine first met bound has a binding that only its next Configure makes known.
  const known = operationIds(operations, 'Configure').length > 0;
  return binding === null && known ? `no binding in ${phase}` : null;
}

export function silentFault({ from, to, by }: ModelStep): string | null {
  if (by) return null;
  const ends = Object.values(EDGES).flatMap(({ via, to: end }) =>
    via === from.phase ? [end, 'FAILED'] : [],
  );
  if (!ends.includes(to.phase)) return `${from.phase} to ${to.phase}`;
  if (from.operations !== to.operations) return `operations change from ${from.phase} to ${to.phase}`;
  return from.marks === to.marks ? null : `marks change from ${from.phase} to ${to.phase}`;
}

export function rejectionFault({ from, to, by }: ModelStep): string | null {
  return by && by.answer.expect.kind !== 'ack' ? difference(from, to) : null;
}

function difference(from: MachineState, to: MachineState): string | null {
  if (from.phase !== to.phase) return `${from.phase} becomes ${to.phase}`;
  if (!sameBinding(from.binding, to.binding)) return 'the binding changes';
  return from.operations === to.operations ? null : 'an operation appears';
}

function isNewer(token: { epoch: bigint; sequence: bigint }, mark: Mark): boolean {
  return token.epoch > mark.epoch || (token.epoch === mark.epoch && token.sequence > mark.sequence);
}

function isStale(marks: Marks, token: Token): boolean {
  const mark = marks.get(token.shard);
  return mark !== undefined && !isNewer(token, mark);
}

export function markFault({ from, to }: ModelStep): string | null {
  if (from.marks === to.marks) return null;
  for (const [shard, mark] of from.marks) {
    const other = to.marks.get(shard);
    if (other === undefined) return `the mark of ${shard} is forgotten`;
    if (isNewer(mark, other)) return `the mark of ${shard} falls`;
  }
  return null;
}

export function staleFault({ from, to, by }: ModelStep): string | null {
  // A token without a shard may be no token at all (A4).
  if (!by || by.call.token.shard === '' || !isStale(from.marks, by.call.token)) return null;
  if (by.answer.expect.kind === 'ack') return 'a stale token is answered OK';
  return difference(from, to) ?? (from.marks === to.marks ? null : 'a stale token moves marks');
}

const BEHIND_THE_FENCE: ReadonlySet<string> = new Set([
  'existence',
  'idempotency',
  'position',
  'terminal',
  'accept',
]);

export function passedFault({ to, by }: ModelStep): string | null {
  if (!by || by.call.token.shard === '' || !BEHIND_THE_FENCE.has(by.answer.rule)) return null;
  const mark = to.marks.get(by.call.token.shard);
  const { epoch, sequence } = by.call.token;
  return mark?.epoch === epoch && mark.sequence === sequence
    ? null
    : `${by.answer.rule} leaves the mark behind`;
}

export function codeFault({ from, by }: ModelStep): string | null {
  if (by?.answer.expect.kind !== 'codes') return null;
  if (!by.answer.expect.codes.includes('FAILED_PRECONDITION')) return null;
  const { call, answer } = by;
  const { shard, epoch, sequence } = call.token;
  // The empty shard is shared with clients from before the model looked.
  const mayBeStale = isStale(from.marks, call.token) || (shard === '' && !from.historyKnown);
  if (!mayBeStale || (shard === '' && epoch === 0n && sequence === 0n))
    return 'a token that passes is fenced out';
  if (answer.rule === 'fence') return null;
  const misshapen =
    call.machineId === '' || epoch < 0n || sequence < 0n || (call.kind === 'Drain' && call.grace < 0n);
  return answer.rule === 'shape' && misshapen ? null : `${answer.rule} uses the fence’s code`;
}

export function idempotencyFault({ from, to, by }: ModelStep): string | null {
  if (by?.answer.rule !== 'idempotency') return null;
  const { expect } = by.answer;
  if (expect.kind !== 'ack') return 'a no-op that is rejected';
  if (expect.operation === 'fresh') return 'a no-op with a fresh operation_id';
  if (expect.operation !== 'any' && expect.operation !== 'unasked') {
    const known = idsOf(from.operations);
    if (expect.operation.length === 0) return 'a no-op with no operation_id to name';
    if (expect.operation.some((id) => !known.has(id)))
      return 'a no-op that names an operation nobody accepted';
  }
  return difference(from, to);
}

function idsOf(operations: Operation | null): ReadonlySet<string | null> {
  const ids = new Set<string | null>();
  for (let op = operations; op !== null; op = op.earlier) ids.add(op.id);
  return ids;
}

export function flightFault({ from, to }: ModelStep): string | null {
  const running = to.phase !== 'ABSENT' && isTransitional(to.phase);
  if (running && to.operations && EDGES[to.operations.kind].via !== to.phase) {
    return `${to.phase}, while the newest operation is ${to.operations.kind}`;
  }
  if (from.operations === to.operations) return null;
  if (to.operations?.earlier !== from.operations) return 'more than one operation begins, or one is lost';
  const busy = from.phase !== 'ABSENT' && isTransitional(from.phase);
  return busy ? `an operation begins in ${from.phase}` : null;
}

export function acceptanceFault({ from, to, by }: ModelStep): string | null {
  if (by?.answer.rule !== 'accept') return null;
  const { call, answer } = by;
  const edge = EDGES[call.kind];
  if (from.phase !== edge.from || to.phase !== edge.via)
    return `${call.kind} from ${from.phase} to ${to.phase}`;
  if (answer.expect.kind !== 'ack' || answer.expect.operation !== 'fresh') return 'no fresh operation_id';
  if (to.operations?.kind !== call.kind || to.operations.earlier !== from.operations)
    return 'no new operation';
  const bound = call.kind === 'Configure' ? { cluster: call.cluster, metadata: call.metadata } : from.binding;
  return sameBinding(bound, to.binding) ? null : 'the binding is not what the call sent';
}
