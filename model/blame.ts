/**
 * Which behaviors a moment of a run speaks for. The same tables say what an explained step is evidence of and what
 * an unexplained one breaks; the first behavior named is the one that a violation is reported under.
 */
import type { Mutation, MutationCall } from './call.js';
import { isNegative, type Mark, type Relation } from './fencing.js';
import { EDGES, type LifecycleState } from './machine.js';
import { behaviorsOfMap } from './map-blame.js';
import type { Aspect } from './record.js';
import type { BehaviorId } from './registry.js';
import type { Rule } from './rules.js';
import { isLargeBlob, isLargeMap } from './size.js';
import type { Doom, Phase, Trail } from './state.js';

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

const LIFECYCLE_OF: Readonly<Record<Mutation, BehaviorId>> = {
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

/** What an explained mutation is evidence of: more than it could break by a wrong code alone. */
export function evidenceOfMoment(moment: Moment): readonly BehaviorId[] {
  if (moment.rule === 'idempotency') return [noOpBehavior(moment.call.kind, moment.phase), 'B206'];
  if (moment.rule === 'accept')
    return [
      LIFECYCLE_OF[moment.call.kind],
      'B1203',
      'B214',
      ...passedFence(moment),
      ...takenWhole(moment.call),
    ];
  return behaviorsOfMoment(moment);
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
function isLargest({ token }: MutationCall): boolean {
  return token.epoch === INT64_MAX || token.sequence === INT64_MAX;
}

function isInexact({ token }: MutationCall): boolean {
  return token.epoch >= EXACT_DOUBLE || token.sequence >= EXACT_DOUBLE;
}

function positionBehaviors(kind: Mutation, phase: Phase): BehaviorId[] {
  if (kind === 'Create' && phase === 'CONFIGURED') return ['B201', 'B1203'];
  if (kind === 'Create' && phase === 'IDLE') return ['B205', 'B1203'];
  if (kind === 'Configure' && phase === 'SPECULATIVE') return ['B202', 'B1203'];
  if (kind === 'Configure' && phase === 'CONFIGURED') return ['B205', 'B1203'];
  if (kind === 'Drain' && phase === 'IDLE') return ['B203', 'B1203'];
  if (kind === 'Delete' && (phase === 'SPECULATIVE' || phase === 'CONFIGURED')) return ['B204', 'B1203'];
  return ['B1203'];
}

/** An oversized request that was accepted. */
function takenWhole(call: MutationCall): BehaviorId[] {
  if (call.kind !== 'Configure') return [];
  const map: BehaviorId[] = isLargeMap(call.metadata) ? ['B209', 'B503'] : [];
  return isLargeBlob(call.blob) ? [...map, 'B213'] : map;
}

function passedFence({ call, relation }: Moment): BehaviorId[] {
  if (relation === 'absent') return ['B308'];
  if (isLargest(call)) return ['B212'];
  if (relation === 'newer-epoch') return ['B303', 'B310'];
  return relation === 'newer-sequence' ? ['B309', 'B303'] : ['B302'];
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

/** Who is to blame for a machine that was FAILED and no longer is: a late completion, unless a call came in between. */
export function behaviorsOfRevival({ rule }: Trail): readonly BehaviorId[] {
  return rule === 'terminal' ? ['B705', 'B704'] : ['B704', 'B705'];
}

/** What is known of the machine beside the record, where it helps to place the blame. */
export interface Known {
  /** The map that was bound, and the one that is shown instead. */
  readonly maps?: { readonly sent: ReadonlyMap<string, string>; readonly shown: ReadonlyMap<string, string> };
  /** How often the machine was drained, as far as the model saw it. */
  readonly drains?: number;
  /** Whether it was seen FAILED with a last_error before. */
  readonly hadError?: boolean;
}

/** From this Drain on, what is left behind is a matter of going round again and again (B101). */
const LATER_DRAIN = 3;

/** Who is to blame for a record that nothing explains, by the part of it that is wrong and by what came before. */
export function behaviorsOfRecord(
  aspect: Aspect,
  shown: string,
  trail: Trail,
  known: Known = {},
): readonly BehaviorId[] {
  const residue = shown === 'IDLE' && trail.kind === 'Drain' && (known.drains ?? 0) >= LATER_DRAIN;
  switch (aspect) {
    case 'id':
      return ['B801'];
    case 'state':
      return stateBehaviors(shown, trail);
    case 'host':
      if (trail.kind === null) return ['B803', 'B107'];
      return shown === 'SPECULATIVE' && trail.kind === 'Delete' ? ['B807', 'B107', 'B803'] : ['B107', 'B803'];
    case 'host-provider':
      return ['B805'];
    case 'cluster':
      return bindingBehaviors(
        shown,
        trail,
        residue ? ['B101', 'B106', 'B803'] : clusterBehaviors(shown, trail),
      );
    case 'metadata':
      return bindingBehaviors(
        shown,
        trail,
        residue ? ['B101', 'B502'] : metadataBehaviors(shown, trail, known),
      );
    case 'last-error':
      if (shown !== 'FAILED') return ['B101'];
      return known.hadError || trail.doom === null ? ['B707'] : [behaviorOfDoom(trail.doom), 'B707'];
    case 'last-error-changed':
      return trail.rule === 'terminal' ? ['B705', 'B707'] : ['B707', 'B705'];
    case 'instance-type':
    case 'labels':
      return ['B801'];
    case 'capacity-type':
    case 'zone':
      return ['B806'];
    case 'price':
    case 'interruption':
      return ['B802'];
    case 'resources':
      return ['B804'];
  }
}

/** A rejected call must leave the machine alone, so a machine that moved or was rebound breaks that call's rule. */
const REJECTIONS: ReadonlySet<Rule> = new Set([
  'shape',
  'capability',
  'size',
  'omission',
  'existence',
  'position',
  'terminal',
]);

function stateBehaviors(shown: string, trail: Trail): readonly BehaviorId[] {
  if (shown === 'UNSPECIFIED' || shown.startsWith('UNKNOWN')) return ['B801'];
  const { kind, rule, phase } = trail;
  if (kind === null || rule === null) return ['B108'];
  // A doomed transition that comes out otherwise is no fault of the calls that were turned away meanwhile.
  if (trail.doom !== null) return [behaviorOfDoom(trail.doom)];
  if (rule === 'fence') return phase === 'ABSENT' ? ['B301'] : ['B303'];
  if (rule === 'idempotency') return [...new Set<BehaviorId>([noOpBehavior(kind, phase), 'B205'])];
  if (REJECTIONS.has(rule)) return rejectedBehaviors(kind, rule, phase);
  if (trail.rested && shown !== 'FAILED') return ['B108'];
  // Out of the way between two stable states is no edge at all; another transitional state is what the call's own says.
  return isStrayStable(kind, shown) ? ['B105', LIFECYCLE_OF[kind]] : [LIFECYCLE_OF[kind], 'B105'];
}

function isStrayStable(kind: Mutation, shown: string): boolean {
  const stable = shown === 'SPECULATIVE' || shown === 'IDLE' || shown === 'CONFIGURED';
  return stable && shown !== EDGES[kind].to;
}

const DOOMS: Readonly<Record<Doom, BehaviorId>> = {
  'fault-error': 'B701',
  'create-error': 'B702',
  'fault-timeout': 'B703',
  'fault-slow-ok': 'B704',
  'fault-drain-error': 'B706',
  'fault-readiness-block': 'B708',
};

/** The behavior that says how a doomed transition must end. */
export function behaviorOfDoom(doom: Doom): BehaviorId {
  return DOOMS[doom];
}

/** The behavior that says where a mutation must come to rest. */
export function behaviorOfSettling(trail: Trail): BehaviorId {
  return trail.doom !== null ? behaviorOfDoom(trail.doom) : LIFECYCLE_OF[trail.kind ?? 'Create'];
}

/** Whose case a no-op is: B203 and B204 speak of Drain on IDLE and Delete on SPECULATIVE, B205 of the other targets. */
function noOpBehavior(kind: Mutation, phase: Phase): BehaviorId {
  if (kind === 'Drain' && phase === 'IDLE') return 'B203';
  return kind === 'Delete' && phase === 'SPECULATIVE' ? 'B204' : 'B205';
}

function rejectedBehaviors(kind: Mutation, rule: Rule, phase: Phase): readonly BehaviorId[] {
  if (rule === 'position' || rule === 'terminal') {
    return rule === 'terminal' ? ['B705'] : positionBehaviors(kind, phase);
  }
  if (rule === 'existence') return ['B207'];
  if (rule === 'shape') return kind === 'Drain' ? ['B210', 'B211'] : ['B211', 'B1205'];
  if (rule === 'capability') return ['B204'];
  return rule === 'size' ? ['B209', 'B213'] : ['B1205'];
}

function bindingBehaviors(shown: string, trail: Trail, otherwise: BehaviorId[]): readonly BehaviorId[] {
  if (trail.rule === 'idempotency' && trail.kind === 'Configure') return ['B205', 'B505', ...otherwise];
  if (trail.rule !== null && REJECTIONS.has(trail.rule) && trail.kind !== null) {
    return [...rejectedBehaviors(trail.kind, trail.rule, trail.phase), ...otherwise];
  }
  if (shown === 'SPECULATIVE' && trail.kind === 'Delete') return ['B807', ...otherwise];
  return otherwise;
}

/** B803 speaks of the table alone, B106 of what Configure and Drain make of the cluster. */
function clusterBehaviors(shown: string, { kind }: Trail): BehaviorId[] {
  const untouched = shown === 'SPECULATIVE' || (shown === 'IDLE' && kind !== 'Drain');
  return untouched ? ['B803', 'B106'] : ['B106', 'B803'];
}

function metadataBehaviors(shown: string, { kind, rule, rested }: Trail, known: Known): BehaviorId[] {
  const { maps, drains = 0 } = known;
  const content = maps ? behaviorsOfMap(maps.sent, maps.shown, drains > 0) : (['B501', 'B1202'] as const);
  if (shown === 'CONFIGURING') return ['B504', ...content];
  // It was right when it was seen at rest, and nobody has called since.
  const foreign = maps && [...maps.shown].some(([key, value]) => maps.sent.get(key) !== value);
  if (shown === 'CONFIGURED')
    return rested && foreign && rule === 'accept' ? ['B505', ...content] : [...content];
  return shown === 'IDLE' && kind === 'Drain' ? ['B502', 'B101'] : ['B502'];
}

/** What a record that was explained is evidence of: [behavior, fact] pairs, by state and by what led there. */
export type Fact = readonly [BehaviorId, 'cases' | 'windows'];

const EVERY_RECORD: readonly Fact[] = [
  ['B801', 'cases'],
  ['B802', 'cases'],
  ['B803', 'cases'],
];

/** The facts of an observed machine in `phase`, led there by `leader`. */
export function factsOfRecord(phase: LifecycleState, leader: Mutation | null): readonly Fact[] {
  return FACTS[`${phase} ${leader}`] ?? EVERY_RECORD;
}

const FACTS: Readonly<Record<string, readonly Fact[]>> = Object.fromEntries(
  ([...Object.keys(EDGES), null] as (Mutation | null)[]).flatMap((leader) =>
    (Object.values(EDGES).flatMap(({ from, via, to }) => [from, via, to]) as LifecycleState[]).map(
      (phase) => [`${phase} ${leader}`, [...EVERY_RECORD, ...stateFacts(phase, leader)]],
    ),
  ),
);

function stateFacts(phase: LifecycleState, leader: Mutation | null): Fact[] {
  switch (phase) {
    case 'CONFIGURING':
      return [
        ['B103', 'windows'],
        ['B106', 'windows'],
        ['B504', 'windows'],
      ];
    case 'DRAINING':
      return [['B104', 'windows']];
    case 'DELETING':
      return [['B109', 'windows']];
    case 'CONFIGURED':
      return [
        ['B103', 'cases'],
        ['B106', 'cases'],
        ['B107', 'cases'],
        ['B501', 'cases'],
        ['B504', 'cases'],
        ['B505', 'cases'],
        ['B805', 'cases'],
        ['B806', 'cases'],
      ];
    case 'IDLE':
      return leader === 'Drain'
        ? [
            ['B101', 'cases'],
            ['B104', 'cases'],
            ['B106', 'cases'],
            ['B107', 'cases'],
            ['B502', 'cases'],
            ['B805', 'cases'],
            ['B806', 'cases'],
          ]
        : [
            ['B107', 'cases'],
            ['B806', 'cases'],
          ];
    case 'SPECULATIVE':
      return leader === 'Delete'
        ? [
            ['B107', 'cases'],
            ['B109', 'cases'],
            ['B807', 'cases'],
          ]
        : [['B107', 'cases']];
    default:
      return [];
  }
}
