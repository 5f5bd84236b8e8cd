/**
 * Which behaviors a judged call speaks for: what it breaks where nothing explains it, and what it is evidence of where
 * something does. The first behavior named is the one that a violation is reported under.
 */
import type { Mutation, MutationCall } from './call.js';
import { isNegative, type Mark, type Relation } from './fencing.js';
import type { BehaviorId } from './registry.js';
import type { Rule } from './rules.js';
import { isLargeBlob } from './size.js';
import type { Phase } from './state.js';

/** A judged mutation: what was called, where the machine was, how its token stood, and which rule applied. */
export interface Moment {
  readonly call: MutationCall;
  readonly phase: Phase;
  readonly rule: Rule;
  readonly relation: Relation;
  /** The mark the token was compared with. */
  readonly mark: Mark | undefined;
  /** Whether, past the fence, the call would repeat one that already led here. */
  readonly replays: boolean;
}

/** The behavior of each edge of the lifecycle. */
export const LIFECYCLE_OF: Readonly<Record<Mutation, BehaviorId>> = {
  Create: 'B105',
  Configure: 'B103',
  Drain: 'B104',
  Delete: 'B109',
};

const INT64_MAX = 2n ** 63n - 1n;
/** Numbers from here on are not exact as doubles. */
const EXACT_DOUBLE = 2n ** 53n;

/** The behaviors that a judged mutation speaks for, the most specific first. Never empty. */
export function behaviorsOfMoment(moment: Moment): readonly BehaviorId[] {
  const { rule, call, phase } = moment;
  switch (rule) {
    case 'shape':
      return shapeBehaviors(call, phase);
    case 'size':
      return sizeBehaviors(call);
    case 'omission':
      return ['B1205'];
    case 'capability':
      return ['B204', 'B1205'];
    case 'fence':
      return fenceBehaviors(moment);
    case 'existence':
      return [call.kind === 'Delete' ? 'B215' : 'B207', 'B1205'];
    case 'idempotency':
      return ['B205'];
    case 'position':
      return positionBehaviors(call.kind, phase);
    case 'terminal':
      return ['B705'];
    default:
      return ['B1203', LIFECYCLE_OF[call.kind]];
  }
}

/** B210 and B211 speak of one defect on a known machine; defects that come together are B1205's. */
function shapeBehaviors({ machineId, token, kind }: MutationCall, phase: Phase): BehaviorId[] {
  if (machineId === '') return ['B208', 'B1205'];
  const own: BehaviorId = isNegative(token) || kind !== 'Drain' ? 'B211' : 'B210';
  const plain = phase !== 'ABSENT' && (own === 'B211' || phase === 'CONFIGURED');
  return plain ? [own, 'B1205'] : ['B1205', own];
}

function sizeBehaviors(call: MutationCall): BehaviorId[] {
  const blob = call.kind === 'Configure' && isLargeBlob(call.blob);
  return blob ? ['B213', 'B1205'] : ['B209', 'B503', 'B1205'];
}

function fenceBehaviors({ call, phase, relation, mark, replays }: Moment): BehaviorId[] {
  if (phase === 'ABSENT') return ['B301', 'B303'];
  if (isLargest(call)) return ['B212', 'B303'];
  if (replays && call.kind === 'Configure') return ['B306', 'B303'];
  if (replays && call.kind === 'Drain') return ['B307', 'B303'];
  if (mark !== undefined && !mark.applied) return ['B311', 'B303'];
  return relation === 'older-epoch' ? ['B310', 'B303'] : ['B303'];
}

/** What B212 speaks of. */
export function isLargest({ token }: MutationCall): boolean {
  return token.epoch === INT64_MAX || token.sequence === INT64_MAX;
}

function isInexact({ token }: MutationCall): boolean {
  return token.epoch >= EXACT_DOUBLE || token.sequence >= EXACT_DOUBLE;
}

/** Whose case a call out of place is. */
export function positionBehaviors(kind: Mutation, phase: Phase): BehaviorId[] {
  if (kind === 'Create' && phase === 'CONFIGURED') return ['B201', 'B1203'];
  if (kind === 'Create' && phase === 'IDLE') return ['B205', 'B1203'];
  if (kind === 'Configure' && phase === 'SPECULATIVE') return ['B202', 'B1203'];
  if (kind === 'Configure' && phase === 'CONFIGURED') return ['B205', 'B1203'];
  if (kind === 'Drain' && phase === 'IDLE') return ['B203', 'B1203'];
  if (kind === 'Delete' && (phase === 'SPECULATIVE' || phase === 'CONFIGURED')) return ['B204', 'B1203'];
  return ['B1203'];
}

/**
 * Who is to blame for FAILED_PRECONDITION on a call whose token passes: the fence, if the call would otherwise have
 * been carried out; else the rule that asked for another code.
 */
export function behaviorsOfFalseFence(moment: Moment, outranked: boolean): readonly BehaviorId[] {
  const { rule, relation } = moment;
  if (outranked) return ['B302', 'B1204'];
  if (rule !== 'accept' && rule !== 'idempotency') return [...behaviorsOfMoment(moment), 'B1204'];
  if (rule === 'idempotency' && relation !== 'absent') return ['B205'];
  return behaviorsOfBrokenFence(moment);
}

/** Who is to blame when the fence itself is known to have refused a token that passes. */
export function behaviorsOfBrokenFence({ relation, call }: Moment): readonly BehaviorId[] {
  if (relation === 'absent') return ['B308', 'B1204'];
  if (isLargest(call)) return ['B212', 'B303'];
  if (relation === 'first') return ['B302', 'B1204'];
  return relation === 'newer-epoch'
    ? ['B303', 'B310']
    : isInexact(call)
      ? ['B303', 'B309']
      : ['B309', 'B303'];
}

/**
 * Who is to blame when a reply is OK but its operation_id is not one that the rule allows. An id that nobody knows is
 * a new operation where the call was none that led here: B203 and B204 rule that out before B206 does.
 */
export function behaviorsOfOperation({ rule, call, phase, replays }: Moment): readonly BehaviorId[] {
  if (rule !== 'idempotency') return ['B214'];
  const own = noOpBehavior(call.kind, phase);
  return replays || own === 'B205' ? ['B206', own] : [own, 'B206'];
}

/** Whose case a no-op is: B203 and B204 speak of Drain on IDLE and Delete on SPECULATIVE, B205 of the other targets. */
export function noOpBehavior(kind: Mutation, phase: Phase): BehaviorId {
  if (kind === 'Drain' && phase === 'IDLE') return 'B203';
  return kind === 'Delete' && phase === 'SPECULATIVE' ? 'B204' : 'B205';
}
