/** The record table of contract section 3, and what holds for every record. */
import { describe, expect, it } from 'vitest';
import { LIFECYCLE_STATES, type LifecycleState } from '../../model/machine.js';
import { defectOf, type MachineRecord } from '../../model/record.js';
import {
  acked,
  configure,
  configured,
  create,
  drain,
  drained,
  GET,
  idle,
  MACHINE,
  METADATA,
  record,
  remove,
  shown,
  Walk,
} from './build.js';

const HOST = { provider: 'metal', ref: 'rack-9' };
const MAP = new Map([['left', 'over']]);
type Part = Partial<MachineRecord>;

/** By column: what is shown, and in which states the table allows it. */
const COLUMNS: readonly (readonly [string, Part, readonly LifecycleState[]])[] = [
  [
    'a host',
    { host: HOST },
    ['CREATING', 'IDLE', 'CONFIGURING', 'CONFIGURED', 'DRAINING', 'DELETING', 'FAILED'],
  ],
  ['no host', { host: null }, ['SPECULATIVE', 'CREATING', 'DELETING', 'FAILED']],
  [
    'a host with both fields empty',
    { host: { provider: '', ref: '' } },
    ['SPECULATIVE', 'CREATING', 'DELETING', 'FAILED'],
  ],
  [
    'a host with one field',
    { host: { provider: '', ref: 'rack-9' } },
    ['CREATING', 'IDLE', 'CONFIGURING', 'CONFIGURED', 'DRAINING', 'DELETING', 'FAILED'],
  ],
  ['a cluster', { cluster: 'left' }, ['CONFIGURING', 'CONFIGURED', 'DRAINING', 'FAILED']],
  ['shard_metadata', { shardMetadata: MAP }, ['CONFIGURING', 'CONFIGURED', 'DRAINING', 'FAILED']],
  ['an error', { lastError: 'what happened' }, ['FAILED']],
  ['no error', { lastError: '' }, LIFECYCLE_STATES.filter((state) => state !== 'FAILED')],
];

describe('a record', () => {
  it.each(COLUMNS)('with %s is right only in the states that allow it', (_, part, allowed) => {
    const right = LIFECYCLE_STATES.filter((state) => defectOf(record(state, part)) === null);
    expect(right).toEqual(allowed);
  });

  it.each(LIFECYCLE_STATES)('of %s passes as its state demands', (state) => {
    expect(defectOf(record(state))).toBeNull();
  });

  it.each(['UNSPECIFIED', 'UNKNOWN(9)', 'UNKNOWN(-1)'] as const)('in the state %s is wrong', (state) => {
    expect(defectOf(record(state))?.aspect).toBe('state');
  });

  const spot: Part = { capacityType: 'SPOT' };
  const always: readonly (readonly [string, Part, MachineRecord['state'], string | null])[] = [
    ['an empty id', { id: '' }, 'IDLE', 'id'],
    ['no instance type', { instanceType: '' }, 'IDLE', 'instance-type'],
    ['no instance type while moving', { instanceType: '' }, 'CREATING', 'instance-type'],
    ['no instance type when failed', { instanceType: '' }, 'FAILED', 'instance-type'],
    ['no capacity type at rest', { capacityType: 'UNSPECIFIED' }, 'SPECULATIVE', 'capacity-type'],
    ['an unknown capacity type at rest', { capacityType: 'UNKNOWN(7)' }, 'IDLE', 'capacity-type'],
    ['no capacity type while moving', { capacityType: 'UNSPECIFIED' }, 'DRAINING', null],
    ['no capacity type when failed', { capacityType: 'UNSPECIFIED' }, 'FAILED', null],
    ['no zone where a host is', { zone: '' }, 'IDLE', 'zone'],
    ['no zone where no host is', { zone: '' }, 'SPECULATIVE', null],
    ['a NaN price', { pricePerHour: Number.NaN }, 'IDLE', 'price'],
    ['an infinite price', { pricePerHour: Number.POSITIVE_INFINITY }, 'IDLE', 'price'],
    ['a negative price', { pricePerHour: -0.01 }, 'IDLE', 'price'],
    ['a price of zero', { pricePerHour: 0 }, 'IDLE', null],
    ['a price of negative zero', { pricePerHour: -0 }, 'IDLE', null],
    ['a chance above one', { interruptionProbability: 1.01 }, 'IDLE', 'interruption'],
    ['a chance below zero', { interruptionProbability: -0.01 }, 'IDLE', 'interruption'],
    ['a NaN chance', { interruptionProbability: Number.NaN }, 'IDLE', 'interruption'],
    ['a certain interruption', { interruptionProbability: 1 }, 'IDLE', null],
    ['a spot machine that is never interrupted', spot, 'IDLE', 'interruption'],
    ['a spot machine with a chance', { ...spot, interruptionProbability: 0.01 }, 'IDLE', null],
  ];

  it.each(always)('with %s', (_, part, state, aspect) => {
    expect(defectOf(record(state, part))?.aspect ?? null).toBe(aspect);
  });

  it.each([
    ...['zone', 'Zone', 'ZONE', 'instance-type', 'instance_type', 'instanceType', 'InstanceType'],
    ...['instance.type', 'capacity-type', 'capacity_type', 'capacitytype', 'CAPACITY TYPE'],
  ])('with the label %j hides a field in its labels', (label) => {
    expect(defectOf(record('IDLE', { labels: new Map([[label, 'x']]) }))?.aspect).toBe('labels');
  });

  it.each([
    ...['topology.kubernetes.io/zone', 'node.kubernetes.io/instance-type', 'karpenter.sh/capacity-type'],
    ...['zones', 'my-zone', 'instance', 'type', '', '__proto__', 'constructor'],
  ])('may have the label %j', (label) => {
    expect(defectOf(record('IDLE', { labels: new Map([[label, 'x']]) }))).toBeNull();
  });

  const one = new Map([['cpu', '1500m']]);
  const none = new Map<string, string>();
  const bad = new Map([['cpu', 'one and a half']]);
  it.each([
    ['neither map', null, null, null],
    ['resources alone', one, null, null],
    ['empty resources alone', none, null, null],
    ['both', one, one, null],
    ['empty resources', none, one, 'resources'],
    ['empty allocatable', one, none, 'resources'],
    ['unreadable resources', bad, one, 'resources'],
    ['unreadable allocatable', one, bad, 'resources'],
  ])('with %s', (_, resources, allocatable, aspect) => {
    expect(defectOf(record('IDLE', { resources, allocatable }))?.aspect ?? null).toBe(aspect);
  });
});

describe('a record of a machine whose past is known', () => {
  it('shows the machine that was asked for', () => {
    expect(idle().allowsGet(shown('IDLE', { id: 'another' }))).toBe(false);
    expect(GET.machineId).toBe(MACHINE);
  });

  it.each([
    ['another cluster', { cluster: 'another' }],
    ['no cluster', { cluster: '' }],
    ['another value', { shardMetadata: new Map([['pool', 'Blue']]) }],
    ['a key too few', { shardMetadata: new Map() }],
    [
      'a key too many',
      {
        shardMetadata: new Map([
          ['pool', 'blue'],
          ['', ''],
        ]),
      },
    ],
  ] as const)('is bound by its Configure and shows not %s', (_, part) => {
    const moving = idle().call(configure(), acked('f', 'CONFIGURING'));
    expect(moving.allowsGet(shown('CONFIGURING', part))).toBe(false);
    expect(moving.allowsGet(shown('CONFIGURED', part))).toBe(false);
    const draining = configured().call(drain(), acked('d', 'DRAINING'));
    expect(draining.allowsGet(shown('DRAINING', part))).toBe(false);
    expect(draining.allowsGet(shown('DRAINING'))).toBe(true);
  });

  it('compares maps byte for byte, whatever their keys are called', () => {
    const metadata = new Map([
      ['__proto__', 'a\u0000b'],
      ['constructor', ''],
      ['', '\u{1f600}'],
    ]);
    const bound = idle().call(
      configure({ metadata }),
      acked('f', 'CONFIGURING', { shardMetadata: metadata }),
    );
    expect(bound.allowsGet(shown('CONFIGURED', { shardMetadata: new Map([...metadata].reverse()) }))).toBe(
      true,
    );
    for (const key of metadata.keys()) {
      const less = new Map([...metadata].filter(([other]) => other !== key));
      expect(bound.allowsGet(shown('CONFIGURED', { shardMetadata: less }))).toBe(false);
    }
  });

  it('never merges two bindings', () => {
    const second = new Map([['second', 'map']]);
    const walk = drained().call(
      configure({ cluster: 'two', metadata: second }),
      acked('f2', 'CONFIGURING', { cluster: 'two', shardMetadata: second }),
    );
    expect(walk.allowsGet(shown('CONFIGURED', { cluster: 'two', shardMetadata: second }))).toBe(true);
    const merged = new Map([...METADATA, ...second]);
    expect(walk.allowsGet(shown('CONFIGURED', { cluster: 'two', shardMetadata: merged }))).toBe(false);
  });

  it('keeps its host provider, through every life', () => {
    const other = { host: { provider: 'clay', ref: 'rack-1' } };
    expect(configured().allowsGet(shown('CONFIGURED', other))).toBe(false);
    const again = drained()
      .call(remove(), acked('x', 'DELETING'))
      .sees('SPECULATIVE')
      .call(create(), acked('c2', 'CREATING'));
    expect(again.allowsGet(shown('IDLE', other))).toBe(false);
    expect(again.allowsGet(shown('IDLE', { host: { provider: 'metal', ref: 'rack-2' } }))).toBe(true);
  });

  it('keeps its last error once it is FAILED', () => {
    const failed = Walk.from('FAILED').sees('FAILED', { lastError: 'disk on fire' });
    expect(failed.allowsGet(shown('FAILED', { lastError: 'disk on fire' }))).toBe(true);
    expect(failed.allowsGet(shown('FAILED', { lastError: 'Disk on fire' }))).toBe(false);
  });

  it('moves along its edges only, and not back', () => {
    const creating = Walk.from('SPECULATIVE').call(create(), acked('c', 'CREATING'));
    const seen = (walk: Walk) => LIFECYCLE_STATES.filter((state) => walk.allowsGet(shown(state)));
    expect(seen(creating)).toEqual(['CREATING', 'IDLE']);
    expect(seen(creating.sees('IDLE'))).toEqual(['IDLE']);
    expect(seen(configured())).toEqual(['CONFIGURED']);
    expect(seen(configured().call(drain(), acked('d', 'DRAINING')))).toEqual(['IDLE', 'DRAINING']);
    expect(seen(idle().call(remove(), acked('x', 'DELETING')))).toEqual(['SPECULATIVE', 'DELETING']);
    expect(seen(Walk.from('ABSENT'))).toEqual([]);
  });
});
