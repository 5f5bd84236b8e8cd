/** Every wrong reply is reported under the behavior whose sentence speaks of it. */
import { describe, expect, it } from 'vitest';
import type { Ack, MutationCall, Outcome } from '../../model/call.js';
import { stepGet, stepMutation } from '../../model/contract.js';
import { diagnoseGet, diagnoseMutation, momentOf, type Surroundings } from '../../model/diagnosis.js';
import { evidenceOfMoment } from '../../model/evidence.js';
import type { MachineRecord } from '../../model/record.js';
import type { BehaviorId } from '../../model/registry.js';
import type { Rule } from '../../model/rules.js';
import {
  acked,
  configure,
  configured,
  create,
  drain,
  drained,
  FAULTS,
  GET,
  idle,
  rejected,
  remove,
  shown,
  token,
  Walk,
} from './build.js';

const ALONE: Surroundings = { outranks: () => false };

const speculative = () => Walk.from('SPECULATIVE');
const absent = () => Walk.from('ABSENT');
const deleted = () => idle().call(remove(), acked('x', 'DELETING')).sees('SPECULATIVE');
const marked = (epoch: bigint, sequence: bigint) =>
  Walk.from('SPECULATIVE')
    .call(create({ token: token(epoch, sequence) }), acked('c', 'CREATING'))
    .sees('IDLE');
const zombie = () => configured().call(create({ token: token(5n, 5n) }), rejected('INTERNAL'));
const MAX = 2n ** 63n - 1n;
const HOST = { provider: 'metal', ref: 'rack-1' };
const LEFT = new Map([['left', 'over']]);
const FENCED = rejected('FAILED_PRECONDITION');

type WrongReply = readonly [BehaviorId, string, Walk, MutationCall, Outcome<Ack>];

const MUTATIONS: readonly WrongReply[] = [
  ['B1203', 'Configure on IDLE is refused', idle(), configure(), rejected('INTERNAL')],
  ['B1203', 'Drain on CONFIGURED is refused', configured(), drain(), rejected('INTERNAL')],
  ['B1203', 'Create on SPECULATIVE is refused', speculative(), create(), rejected('INTERNAL')],
  ['B1203', 'Delete on IDLE is refused', idle(), remove(), rejected('INTERNAL')],
  ['B103', 'the ack of a Configure shows DRAINING', idle(), configure(), acked('f', 'DRAINING')],
  [
    'B106',
    'the ack of a Configure shows another cluster',
    idle(),
    configure(),
    acked('f', 'CONFIGURING', { cluster: '' }),
  ],
  [
    'B504',
    'the ack of a Configure shows no map',
    idle(),
    configure(),
    acked('f', 'CONFIGURING', { shardMetadata: new Map() }),
  ],

  ['B201', 'Create on CONFIGURED is taken for stale', configured(), create(), FENCED],
  ['B201', 'the same with a token', configured(), create({ token: token(1n, 1n) }), FENCED],
  ['B201', 'Create on CONFIGURED is accepted', configured(), create(), acked('n', 'CREATING')],
  ['B202', 'Configure on SPECULATIVE is taken for stale', speculative(), configure(), FENCED],
  ['B202', 'Configure on SPECULATIVE is accepted', speculative(), configure(), acked('n', 'CONFIGURING')],
  ['B203', 'Drain on IDLE, never drained, is taken for stale', idle(), drain(), FENCED],
  ['B203', 'the same with a token', idle(), drain({ token: token(1n, 1n) }), FENCED],
  ['B203', 'the same with an unknown past', Walk.from('IDLE', false), drain(), FENCED],
  ['B203', 'Drain on IDLE, never drained, is a new operation', idle(), drain(), acked('n', 'DRAINING')],
  ['B206', 'Drain on IDLE, drained before, is a new operation', drained(), drain(), acked('n', 'DRAINING')],
  ['B204', 'Delete on SPECULATIVE is taken for stale', speculative(), remove(), FENCED],
  ['B204', 'the same after a Delete', deleted(), remove({ token: token(1n, 1n) }), FENCED],
  ['B206', 'a repeated Delete has an id of its own', deleted(), remove(), acked('n', 'SPECULATIVE')],
  ['B204', 'Delete on CONFIGURED is taken for stale', configured(), remove(), FENCED],
  ['B204', 'Delete on CONFIGURED is accepted', configured(), remove(), acked('n', 'DELETING')],
  ['B205', 'Configure on CONFIGURED is refused', configured(), configure(), rejected('INTERNAL')],
  ['B205', 'Create on IDLE is refused', idle(), create(), rejected('ALREADY_EXISTS')],
  ['B205', 'Create on IDLE after a Drain is refused', drained(), create(), rejected('INTERNAL')],
  [
    'B205',
    'Configure on CONFIGURED is taken for stale',
    configured(),
    configure({ token: token(1n, 1n) }),
    FENCED,
  ],
  ['B205', 'the same with an unknown past', Walk.from('CONFIGURED', false), configure(), FENCED],
  ['B206', 'a repeated Configure has an id of its own', configured(), configure(), acked('g', 'CONFIGURED')],
  ['B206', 'a repeated Create has no id', idle(), create(), acked('', 'IDLE')],
  ['B206', 'Create after a Drain has an id of its own', drained(), create(), acked('n', 'IDLE')],
  ['B207', 'Create on an unknown machine is accepted', absent(), create(), acked('n', 'CREATING')],
  ['B207', 'Configure on an unknown machine is taken for stale', absent(), configure(), FENCED],
  [
    'B207',
    'Drain on an unknown machine is INTERNAL',
    absent(),
    drain({ token: token(1n, 1n) }),
    rejected('INTERNAL'),
  ],
  ['B208', 'an empty id is looked up', absent(), create({ machineId: '' }), rejected('NOT_FOUND')],
  ['B208', 'an empty id is taken for stale', absent(), drain({ machineId: '' }), FENCED],
  ['B210', 'a negative grace is INTERNAL', configured(), drain({ grace: -1n }), rejected('INTERNAL')],
  ['B210', 'a negative grace is taken for stale', configured(), drain({ grace: -1n }), FENCED],
  ['B211', 'a negative epoch is taken for stale', idle(), configure({ token: token(-1n, 1n) }), FENCED],
  [
    'B211',
    'a negative sequence on Drain is NOT_FOUND',
    configured(),
    drain({ token: token(1n, -1n) }),
    rejected('NOT_FOUND'),
  ],
  ['B212', 'the largest token is taken for stale', idle(), configure({ token: token(MAX, MAX) }), FENCED],
  [
    'B212',
    'below the largest mark everything passes',
    marked(MAX, MAX),
    configure({ token: token(MAX, MAX - 1n) }),
    acked('f', 'CONFIGURING'),
  ],
  [
    'B209',
    'an oversized map is taken for stale',
    idle(),
    configure({ metadata: new Map([['k', 'x'.repeat(5000)]]) }),
    FENCED,
  ],
  [
    'B213',
    'an oversized blob is INTERNAL',
    idle(),
    configure({ blob: new Uint8Array(20_000) }),
    rejected('INTERNAL'),
  ],
  [
    'B1205',
    'Configure without a blob is taken for stale',
    idle(),
    configure({ blob: new Uint8Array(0) }),
    FENCED,
  ],
  ['B214', 'the id of an earlier operation is used again', configured(), drain(), acked('c', 'DRAINING')],
  ['B214', 'an accepted call has no id', configured(), drain(), acked('', 'DRAINING')],
  ['B215', 'Delete on an unknown machine is accepted', absent(), remove(), acked('n', 'DELETING')],

  [
    'B301',
    'a stale token on an unknown machine is NOT_FOUND',
    absent().call(create({ token: token(2n, 2n) }), rejected('NOT_FOUND')),
    create({ token: token(2n, 2n) }),
    rejected('NOT_FOUND'),
  ],
  ['B302', 'the mark of another shard fences', zombie(), drain({ token: token(1n, 1n, 'another') }), FENCED],
  [
    'B303',
    'an equal token is accepted',
    marked(2n, 2n),
    configure({ token: token(2n, 2n) }),
    acked('f', 'CONFIGURING'),
  ],
  [
    'B303',
    'a lower sequence is INTERNAL',
    marked(2n, 2n),
    configure({ token: token(2n, 1n) }),
    rejected('INTERNAL'),
  ],
  [
    'B303',
    'a higher epoch with a low sequence is fenced out',
    marked(2n, 2n),
    configure({ token: token(3n, 0n) }),
    FENCED,
  ],
  [
    'B306',
    'a stale Configure is answered from memory',
    marked(2n, 2n).call(configure(), acked('f', 'CONFIGURING')).sees('CONFIGURED'),
    configure({ token: token(2n, 2n) }),
    acked('f', 'CONFIGURED'),
  ],
  [
    'B307',
    'a stale Drain is answered from memory',
    drained().call(create({ token: token(2n, 2n) }), acked('c', 'IDLE')),
    drain({ token: token(2n, 2n) }),
    acked('d', 'IDLE'),
  ],
  ['B308', 'a call without a token is fenced out', marked(2n, 2n), configure(), FENCED],
  ['B308', 'Create again without a token is fenced out', idle(), create(), FENCED],
  [
    'B309',
    'the next token of a session is fenced out',
    marked(2n, 2n),
    configure({ token: token(2n, 3n) }),
    FENCED,
  ],
  ['B302', 'the first token of a shard is fenced out', idle(), configure({ token: token(1n, 1n) }), FENCED],
  [
    'B310',
    'a token of an older epoch is accepted',
    marked(2n, 2n),
    configure({ token: token(1n, 9n) }),
    acked('f', 'CONFIGURING'),
  ],
  [
    'B311',
    'a zombie’s rejected call has left no mark',
    zombie(),
    drain({ token: token(5n, 5n) }),
    acked('d', 'DRAINING'),
  ],
  ['B705', 'a FAILED machine takes a call', Walk.from('FAILED'), create(), acked('n', 'CREATING')],
  ['B705', 'a FAILED machine uses the fence’s code', Walk.from('FAILED'), create(), FENCED],
  ['B408', 'an ack holds no machine', configured(), configure(), acked('f', null)],
];

describe('a wrong reply to a mutation', () => {
  it.each(MUTATIONS)('breaks %s: %s', (behavior, _, { belief, config }, call, outcome) => {
    const { behaviors, expected, observed, aspect } = diagnoseMutation(belief, call, outcome, config, ALONE);
    expect(stepMutation(belief, call, outcome, config).belief).toEqual([]);
    expect(behaviors[0]).toBe(behavior);
    expect(expected.length).toBeGreaterThan(0);
    expect(observed).not.toBe('');
    expect(aspect).not.toBe('');
  });
});

describe('a token that another machine of its shard outranks', () => {
  it('is fenced out by B302, or by what the call asks for', () => {
    const { belief, config } = marked(2n, 2n);
    const call = configure({ token: token(2n, 3n) });
    const blamed = (around: Surroundings) =>
      diagnoseMutation(belief, call, FENCED, config, around).behaviors[0];
    expect([blamed({ outranks: () => true }), blamed(ALONE)]).toEqual(['B302', 'B309']);
  });
});

const configuring = () => idle().call(configure(), acked('f', 'CONFIGURING'));
const draining = () => configured().call(drain(), acked('d', 'DRAINING'));
const deleting = () => idle().call(remove(), acked('x', 'DELETING'));
const failed = () =>
  idle(FAULTS)
    .call(configure({ cluster: 'fault-error' }), acked('f', 'CONFIGURING', { cluster: 'fault-error' }))
    .sees('FAILED');

type WrongRecord = readonly [BehaviorId, string, Walk, Outcome<MachineRecord>];

const RECORDS: readonly WrongRecord[] = [
  ['B101', 'an error left in an IDLE machine', drained(), shown('IDLE', { lastError: 'left' })],
  ['B103', 'DRAINING during a Configure', configuring(), shown('DRAINING')],
  ['B105', 'IDLE again during a Configure', configuring(), shown('IDLE')],
  ['B104', 'CONFIGURING during a Drain', draining(), shown('CONFIGURING')],
  ['B105', 'CONFIGURED again during a Drain', draining(), shown('CONFIGURED')],
  [
    'B105',
    'CONFIGURED after a Create',
    speculative().call(create(), acked('c', 'CREATING')),
    shown('CONFIGURED'),
  ],
  ['B106', 'another cluster in CONFIGURED', configuring(), shown('CONFIGURED', { cluster: 'another' })],
  ['B106', 'no cluster in CONFIGURING', configuring(), shown('CONFIGURING', { cluster: '' })],
  ['B106', 'the cluster after the Drain', draining(), shown('IDLE', { cluster: 'cluster-a' })],
  ['B107', 'no host in IDLE', idle(), shown('IDLE', { host: null })],
  ['B803', 'a host before any Create', speculative(), shown('SPECULATIVE', { host: HOST })],
  ['B108', 'CONFIGURING once more, at rest', configured(), shown('CONFIGURING')],
  ['B108', 'DRAINING, though nobody called', Walk.from('IDLE', false), shown('DRAINING')],
  ['B109', 'DRAINING during a Delete', deleting(), shown('DRAINING')],

  ['B201', 'IDLE after a refused Create', configured().call(create(), rejected('INTERNAL')), shown('IDLE')],
  [
    'B202',
    'IDLE after a refused Configure',
    speculative().call(configure(), rejected('INTERNAL')),
    shown('IDLE'),
  ],
  ['B203', 'DRAINING after a refused Drain', idle().call(drain(), rejected('INTERNAL')), shown('DRAINING')],
  [
    'B203',
    'DRAINING after a Drain that was a no-op',
    idle().call(drain(), acked('c', 'IDLE')),
    shown('DRAINING'),
  ],
  [
    'B204',
    'DELETING after a refused Delete',
    configured().call(remove(), rejected('INTERNAL')),
    shown('DELETING'),
  ],
  [
    'B204',
    'DELETING after a Delete that was a no-op',
    speculative().call(remove(), acked('n', 'SPECULATIVE')),
    shown('DELETING'),
  ],
  [
    'B205',
    'another binding after a repeated Configure',
    configured().call(configure({ cluster: 'another' }), acked('f', 'CONFIGURED')),
    shown('CONFIGURED', { cluster: 'another' }),
  ],
  [
    'B205',
    'CONFIGURING after a repeated Configure',
    configured().call(configure(), acked('f', 'CONFIGURED')),
    shown('CONFIGURING'),
  ],
  ['B205', 'CREATING after a repeated Create', idle().call(create(), acked('c', 'IDLE')), shown('CREATING')],
  [
    'B207',
    'a machine that a Create called NOT_FOUND',
    absent().call(create(), rejected('NOT_FOUND')),
    shown('IDLE'),
  ],
  [
    'B210',
    'DRAINING after a refused negative grace',
    configured().call(drain({ grace: -1n }), rejected('INVALID_ARGUMENT')),
    shown('DRAINING'),
  ],
  [
    'B211',
    'CONFIGURING after a refused negative token',
    idle().call(configure({ token: token(-1n, 1n) }), rejected('INVALID_ARGUMENT')),
    shown('CONFIGURING'),
  ],
  ['B215', 'an unknown machine', absent(), shown('IDLE')],
  ['B215', 'an unknown machine is INTERNAL', absent(), rejected('INTERNAL')],
  [
    'B207',
    'a machine that a stale call made',
    absent()
      .call(create({ token: token(2n, 2n) }), rejected('NOT_FOUND'))
      .call(create({ token: token(2n, 2n) }), FENCED),
    shown('CREATING'),
  ],
  [
    'B303',
    'DRAINING after a stale Drain',
    zombie().call(drain({ token: token(5n, 5n) }), FENCED),
    shown('DRAINING'),
  ],
  ['B305', 'a read that is fenced', zombie().call(drain({ token: token(5n, 5n) }), FENCED), FENCED],
  ['B305', 'a read that fails', idle(), rejected('INTERNAL')],

  [
    'B501',
    'another value in CONFIGURED',
    configuring(),
    shown('CONFIGURED', { shardMetadata: new Map([['pool', 'BLUE']]) }),
  ],
  ['B502', 'the map after the Drain', draining(), shown('IDLE', { shardMetadata: LEFT })],
  ['B504', 'no map in CONFIGURING', configuring(), shown('CONFIGURING', { shardMetadata: new Map() })],
  ['B704', 'CONFIGURED after FAILED', failed(), shown('CONFIGURED', { cluster: 'fault-error' })],
  [
    'B705',
    'DRAINING after a refused Drain of a FAILED machine',
    failed().call(drain(), rejected('INTERNAL')),
    shown('DRAINING'),
  ],
  ['B707', 'another error than before', failed(), shown('FAILED', { lastError: 'another' })],

  ['B801', 'no state', idle(), shown('UNSPECIFIED')],
  ['B801', 'an unknown state', configuring(), shown('UNKNOWN(42)')],
  ['B801', 'no instance type', idle(), shown('IDLE', { instanceType: '' })],
  ['B801', 'the zone among the labels', idle(), shown('IDLE', { labels: new Map([['zone', 'z']]) })],
  ['B801', 'another machine', idle(), shown('IDLE', { id: 'another' })],
  ['B802', 'a price that is no number', idle(), shown('IDLE', { pricePerHour: Number.NaN })],
  ['B802', 'a spot machine without risk', idle(), shown('IDLE', { capacityType: 'SPOT' })],
  [
    'B804',
    'resources that cannot be read',
    idle(),
    shown('IDLE', { resources: new Map([['cpu', 'many']]), allocatable: new Map([['cpu', '1']]) }),
  ],
  [
    'B804',
    'nothing to divide by in both maps',
    idle(),
    shown('IDLE', { resources: new Map([['cpu', '4']]), allocatable: new Map([['memory', '8Gi']]) }),
  ],
  [
    'B804',
    'a divisor of zero and nothing else',
    idle(),
    shown('IDLE', { resources: new Map([['gpu', '0']]), allocatable: new Map([['gpu', '0']]) }),
  ],
  [
    'B805',
    'another host provider',
    configured(),
    shown('CONFIGURED', { host: { provider: 'clay', ref: 'rack-1' } }),
  ],
  ['B806', 'no zone with a host', idle(), shown('IDLE', { zone: '' })],
  ['B806', 'no capacity type at rest', idle(), shown('IDLE', { capacityType: 'UNSPECIFIED' })],
  ['B807', 'the host after a Delete', deleting(), shown('SPECULATIVE', { host: HOST })],
  ['B807', 'a cluster after a Delete', deleting(), shown('SPECULATIVE', { cluster: 'left' })],
  ['B807', 'a map after a Delete', deleting(), shown('SPECULATIVE', { shardMetadata: LEFT })],
];

describe('a wrong record', () => {
  it.each(RECORDS)('breaks %s: %s', (behavior, _, { belief, config }, outcome) => {
    const { behaviors, expected, observed } = diagnoseGet(belief, GET, outcome, config);
    expect(stepGet(belief, GET, outcome, config).belief).toEqual([]);
    expect(behaviors[0]).toBe(behavior);
    expect(expected.length).toBeGreaterThan(0);
    expect(observed).not.toBe('');
  });

  it('breaks B208 where Get takes an empty id', () => {
    const { belief, config } = absent();
    const call = { kind: 'Get', machineId: '' } as const;
    expect(diagnoseGet(belief, call, rejected('NOT_FOUND'), config).behaviors[0]).toBe('B208');
    expect(diagnoseGet(belief, call, shown('IDLE', { id: '' }), config).behaviors[0]).toBe('B208');
  });
});

describe('an explained reply', () => {
  const evidence = ({ belief }: Walk, call: MutationCall, rule: Rule) => {
    const [state] = belief;
    return state ? evidenceOfMoment(momentOf(state, call, rule)) : [];
  };

  it.each([
    ['a no-op of a Drain on IDLE', idle(), drain(), 'idempotency', ['B203', 'B206']],
    ['a refused Drain on IDLE', idle(), drain(), 'position', ['B203', 'B1203']],
    ['a no-op of a Delete on SPECULATIVE', speculative(), remove(), 'idempotency', ['B204', 'B206']],
    ['a repeated Configure', configured(), configure(), 'idempotency', ['B205', 'B206']],
    ['an accepted call without a token', idle(), configure(), 'accept', ['B103', 'B1203', 'B214', 'B308']],
    ['a stale token', marked(2n, 2n), configure({ token: token(2n, 1n) }), 'fence', ['B303']],
    [
      'a refused Configure without a blob',
      idle(),
      configure({ blob: new Uint8Array(0) }),
      'omission',
      ['B1205'],
    ],
  ] as const)('is evidence of what it shows: %s', (_, walk, call, rule, behaviors) => {
    expect(evidence(walk, call, rule)).toEqual(behaviors);
  });
});
