/** Histories written for contract sections 4 and 6, judged over a toy of the lifecycle and the fence. */
import { describe, expect, test } from 'vitest';
import { check, type HistoryCall } from '../../src/engine/linearize.js';
import { acked, FENCED, get, type LifecycleCall, lifecycle, mutation, REJECTED } from './lifecycle.js';
import { call } from './objects.js';

type History = readonly HistoryCall<LifecycleCall>[];

/** A machine created by operation `c` and settled, before time 0. */
const IDLE: History = [
  call(-20, -19, mutation('Create', { reply: acked('c', 'CREATING') })),
  call(-18, -17, get('IDLE')),
];
/** The same machine, configured for c1 by operation `f`. */
const CONFIGURED: History = [
  ...IDLE,
  call(-10, -9, mutation('Configure', { reply: acked('f', 'CONFIGURING', 'c1') })),
  call(-8, -7, get('CONFIGURED', 'c1')),
];
const burst = (ids: readonly string[]): History =>
  ids.map((id, lane) =>
    call(lane, 100 + lane, mutation('Create', { reply: acked(id, 'CREATING') }), 'x', lane),
  );
const sixteen = Array.from({ length: 16 }, () => 'op1');

const EXPLAINED: Record<string, History> = {
  'a Create is seen moving, then settled': [
    call(0, 1, mutation('Create', { reply: acked('op1', 'CREATING') })),
    call(2, 3, get('CREATING')),
    call(4, 5, get('IDLE')),
  ],
  'racing Creates share one operation id': burst(['op1', 'op1']),
  'sixteen racing Creates share one operation id': burst(sixteen),
  'the live epoch wins and the zombie beside it is fenced': [
    call(0, 10, mutation('Create', { token: ['a', 1, 9], reply: FENCED })),
    call(1, 9, mutation('Create', { token: ['a', 2, 1], reply: acked('op1', 'CREATING') })),
  ],
  'a zombie that came first is accepted, and the live epoch retries into its operation': [
    call(0, 10, mutation('Create', { token: ['a', 1, 9], reply: acked('op1', 'CREATING') })),
    call(1, 9, mutation('Create', { token: ['a', 2, 1], reply: acked('op1', 'IDLE') })),
  ],
  'a Drain that lost the race against Configure is rejected': [
    ...IDLE,
    call(0, 10, mutation('Configure', { reply: acked('f', 'CONFIGURING', 'c1') })),
    call(1, 9, mutation('Drain', { reply: REJECTED })),
  ],
  'a Drain beside Configure is accepted because Configure settled in between': [
    ...IDLE,
    call(0, 10, mutation('Configure', { reply: acked('f', 'CONFIGURING', 'c1') })),
    call(1, 9, mutation('Drain', { reply: acked('d', 'DRAINING', 'c1') })),
  ],
  'of two racing Configures the second does not rebind': [
    ...IDLE,
    call(0, 10, mutation('Configure', { cluster: 'c1', reply: acked('f', 'CONFIGURING', 'c1') })),
    call(1, 9, mutation('Configure', { cluster: 'c2', reply: acked('f', 'CONFIGURING', 'c1') })),
  ],
  'a Delete that lost the race against Configure is rejected': [
    ...IDLE,
    call(0, 10, mutation('Delete', { reply: REJECTED })),
    call(1, 9, mutation('Configure', { reply: acked('f', 'CONFIGURED', 'c1') })),
  ],
  'a lost Create took effect': [call(0, null, mutation('Create')), call(10, 11, get('IDLE'))],
  'a lost Create never took effect': [
    call(0, null, mutation('Create')),
    call(10, 11, get('SPECULATIVE')),
    call(12, 13, mutation('Drain', { reply: REJECTED })),
    call(14, 15, get('SPECULATIVE')),
  ],
  'a lost Create took effect late': [
    call(0, null, mutation('Create')),
    call(10, 11, get('SPECULATIVE')),
    call(12, 13, get('CREATING')),
  ],
  'the retry of a lost Create tells its operation id': [
    call(0, null, mutation('Create')),
    call(10, 11, get('IDLE')),
    call(12, 13, mutation('Create', { reply: acked('op1', 'IDLE') })),
    call(14, 15, mutation('Create', { reply: acked('op1', 'IDLE') })),
  ],
  'a lost call moved the mark': [
    call(0, null, mutation('Create', { token: ['a', 1, 5] })),
    call(10, 11, mutation('Create', { token: ['a', 1, 4], reply: FENCED })),
  ],
  'a lost Configure and a lost Drain both took effect': [
    ...IDLE,
    call(0, null, mutation('Configure')),
    call(1, null, mutation('Drain')),
    call(10, 11, get('DRAINING', 'c1')),
    call(12, 13, get('IDLE')),
  ],
  'a call rejected for its position moved the mark': [
    call(0, 1, mutation('Drain', { token: ['a', 1, 3], reply: REJECTED })),
    call(2, 3, mutation('Create', { token: ['a', 1, 2], reply: FENCED })),
  ],
  'one shard sends its sequence numbers out of order across machines': [
    call(0, 1, mutation('Create', { token: ['a', 1, 9], reply: acked('op1', 'CREATING') }), 'm1'),
    call(2, 3, mutation('Create', { token: ['a', 1, 2], reply: acked('op2', 'CREATING') }), 'm2'),
  ],
  'a higher epoch resets the sequence space': [
    call(0, 1, mutation('Create', { token: ['a', 1, 9], reply: acked('op1', 'CREATING') })),
    call(2, 3, mutation('Create', { token: ['a', 2, 0], reply: acked('op1', 'IDLE') })),
  ],
  'the marks of other shards never matter': [
    call(0, 1, mutation('Create', { token: ['a', 7, 9], reply: acked('op1', 'CREATING') })),
    call(2, 3, mutation('Create', { token: ['b', 0, 0], reply: acked('op1', 'CREATING') })),
  ],
  'overlapping reads see the transition in either order': [
    call(0, 1, mutation('Create', { reply: acked('op1', 'CREATING') })),
    call(2, 9, get('IDLE')),
    call(3, 8, get('CREATING')),
  ],
  'calls that touch at one instant overlap': [
    call(0, 5, mutation('Create', { token: ['a', 1, 1], reply: FENCED })),
    call(5, 9, mutation('Create', { token: ['a', 2, 1], reply: acked('op1', 'CREATING') })),
  ],
};

/** With the index of the reply that nothing explains. */
const VIOLATED: Record<string, readonly [stuck: number, history: History]> = {
  'racing Creates answer two operation ids': [1, burst(['op1', 'op2'])],
  'one of sixteen racing Creates answers another operation id': [15, burst([...sixteen.slice(1), 'op2'])],
  'a zombie is accepted after the live epoch was': [
    1,
    [
      call(0, 1, mutation('Create', { token: ['a', 2, 1], reply: acked('op1', 'CREATING') })),
      call(2, 3, mutation('Create', { token: ['a', 1, 9], reply: acked('op1', 'IDLE') })),
    ],
  ],
  'a call is fenced before any mark exists': [
    0,
    [
      call(0, 1, mutation('Create', { token: ['a', 1, 9], reply: FENCED })),
      call(2, 3, mutation('Create', { token: ['a', 2, 1], reply: acked('op1', 'CREATING') })),
    ],
  ],
  'a Drain is accepted before Configure was sent': [
    2,
    [
      ...IDLE,
      call(0, 1, mutation('Drain', { reply: acked('d', 'DRAINING', '') })),
      call(2, 3, mutation('Configure', { reply: acked('f', 'CONFIGURING', 'c1') })),
    ],
  ],
  'two racing Configures each show their own cluster': [
    2,
    [
      ...IDLE,
      call(0, 10, mutation('Configure', { cluster: 'c1', reply: acked('f', 'CONFIGURING', 'c1') })),
      call(1, 9, mutation('Configure', { cluster: 'c2', reply: acked('f', 'CONFIGURING', 'c2') })),
    ],
  ],
  'an ack shows state and binding of two instants': [
    2,
    [...IDLE, call(0, 1, mutation('Configure', { reply: acked('f', 'CONFIGURED', '') }))],
  ],
  'a binding outlives its Drain': [
    5,
    [
      ...CONFIGURED,
      call(0, 1, mutation('Drain', { reply: acked('d', 'DRAINING', 'c1') })),
      call(2, 3, get('IDLE', 'c1')),
    ],
  ],
  'a machine is created although nobody asked': [0, [call(0, 1, get('CREATING'))]],
  'a machine is created before the lost Create was sent': [
    0,
    [call(0, 1, get('IDLE')), call(2, null, mutation('Create'))],
  ],
  'two retries of a lost Create tell two operation ids': [
    2,
    [
      call(0, null, mutation('Create')),
      call(10, 11, mutation('Create', { reply: acked('op1', 'IDLE') })),
      call(12, 13, mutation('Create', { reply: acked('op2', 'IDLE') })),
    ],
  ],
  'a lost call cannot have moved the mark that far': [
    1,
    [
      call(0, null, mutation('Create', { token: ['a', 1, 5] })),
      call(10, 11, mutation('Create', { token: ['a', 1, 6], reply: FENCED })),
    ],
  ],
  'one lost Create cannot take effect twice': [
    5,
    [
      call(0, null, mutation('Create')),
      call(10, 11, get('IDLE')),
      call(12, 13, mutation('Delete', { reply: acked('e', 'DELETING') })),
      call(14, 15, get('SPECULATIVE')),
      call(16, 17, get('SPECULATIVE')),
      call(18, 19, get('IDLE')),
    ],
  ],
  'a call rejected for its position did not move the mark': [
    1,
    [
      call(0, 1, mutation('Drain', { token: ['a', 1, 3], reply: REJECTED })),
      call(2, 3, mutation('Create', { token: ['a', 1, 2], reply: acked('op1', 'CREATING') })),
    ],
  ],
  'an equal token is accepted twice': [
    1,
    [
      call(0, 1, mutation('Create', { token: ['a', 1, 3], reply: acked('op1', 'CREATING') })),
      call(2, 3, mutation('Create', { token: ['a', 1, 3], reply: acked('op1', 'CREATING') })),
    ],
  ],
  'the mark of another shard fences': [
    1,
    [
      call(0, 1, mutation('Create', { token: ['a', 7, 9], reply: acked('op1', 'CREATING') })),
      call(2, 3, mutation('Create', { token: ['b', 1, 1], reply: FENCED })),
    ],
  ],
  'a state goes backwards': [
    2,
    [
      call(0, 1, mutation('Create', { reply: acked('op1', 'CREATING') })),
      call(2, 3, get('IDLE')),
      call(4, 5, get('CREATING')),
    ],
  ],
  'an operation id comes back in the next cycle': [
    5,
    [
      ...CONFIGURED,
      call(0, 1, mutation('Drain', { reply: acked('d', 'IDLE') })),
      call(2, 3, mutation('Configure', { reply: acked('f', 'CONFIGURING', 'c1') })),
    ],
  ],
  'Delete and Configure both win the race': [
    2,
    [
      ...IDLE,
      call(0, 10, mutation('Delete', { reply: acked('e', 'DELETING') })),
      call(1, 9, mutation('Configure', { reply: acked('f', 'CONFIGURING', 'c1') })),
    ],
  ],
  'a wrong position is refused with the code of the fence': [
    0,
    [call(0, 1, mutation('Drain', { reply: FENCED }))],
  ],
  'only one of two machines is wrong': [
    1,
    [
      call(0, 1, mutation('Create', { reply: acked('op1', 'CREATING') }), 'm1'),
      call(0, 1, mutation('Drain', { reply: acked('op2', 'IDLE') }), 'm2'),
    ],
  ],
};

describe('contract histories that have an explanation', () => {
  test.each(Object.entries(EXPLAINED))('%s', (_, history) => {
    expect(check(lifecycle, history).kind).toBe('explained');
  });
});

describe('contract histories that have none', () => {
  test.each(Object.entries(VIOLATED))('%s', (_, [stuck, history]) => {
    expect(check(lifecycle, history)).toMatchObject({ kind: 'violation', stuck });
  });
});
