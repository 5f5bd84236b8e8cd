/** What an explained moment of a run is evidence of. */
import { behaviorsOfMoment, isLargest, LIFECYCLE_OF, type Moment, noOpBehavior } from './blame.js';
import type { Mutation, MutationCall } from './call.js';
import { EDGES, type LifecycleState } from './machine.js';
import type { BehaviorId } from './registry.js';
import { isLargeBlob, isLargeMap } from './size.js';

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
