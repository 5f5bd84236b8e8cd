/** Which behavior a record breaks that nothing explains: by the part of it that is wrong, and by what led there. */
import { LIFECYCLE_OF, noOpBehavior, positionBehaviors } from './blame.js';
import type { Mutation } from './call.js';
import { EDGES } from './machine.js';
import { behaviorsOfMap } from './map-blame.js';
import type { Aspect } from './record.js';
import type { BehaviorId } from './registry.js';
import type { Rule } from './rules.js';
import type { Doom, Phase, Trail } from './state.js';

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
  // It was right when it was seen at rest, and nobody has called since whose call was to have an effect.
  const foreign = maps && [...maps.shown].some(([key, value]) => maps.sent.get(key) !== value);
  const undisturbed = rested && (rule === 'accept' || rule === 'fence');
  if (shown === 'CONFIGURED') return undisturbed && foreign ? ['B505', ...content] : [...content];
  return shown === 'IDLE' && kind === 'Drain' ? ['B502', 'B101'] : ['B502'];
}
