/** B301 to B312: the fence, case by case. What is random about it is in `property.ts`. */
import type { DirectedProperty } from './program.js';
import { configure, create, drain, get, list, remove, scenario, token } from './steps.js';

const base = { kind: 'directed', area: 'fencing', umbrella: [], completionIsEvidence: false } as const;

export const FENCING_PROPERTIES: readonly DirectedProperty[] = [
  {
    ...base,
    name: 'fence-before-existence',
    decides: ['B301'],
    scenarios: [create, configure, drain].map((call) =>
      scenario(`stale ${call.name} on an unknown machine`, [
        call({ machine: 'unknown', settle: false }),
        call({ machine: 'unknown', token: token('replay'), settle: false }),
        call({ machine: 'unknown', token: token('lower-sequence'), settle: false }),
        call({ machine: 'unknown', token: token('fresh'), settle: false }),
      ]),
    ),
  },
  {
    ...base,
    name: 'marks-are-isolated',
    decides: ['B302'],
    scenarios: [
      scenario('a high mark of one shard does not fence another', [
        create({ token: token('higher-epoch') }),
        configure({ token: token('fresh', 1) }),
        drain({ token: token('replay', 1) }),
        drain({ token: token('replay', 0) }),
        drain({ token: token('fresh', 1) }),
      ]),
      scenario('one shard, two machines, tokens out of order', [
        create({ machine: 0, token: token('higher-epoch') }),
        create({ machine: 0, token: token('past-int32') }),
        create({ machine: 1, token: { shard: 0, epoch: '1', sequence: '2' } }),
        configure({ machine: 1, token: { shard: 0, epoch: '1', sequence: '1' } }),
        configure({ machine: 1, token: token('other-machine') }),
        configure({ machine: 0, token: token('replay') }),
      ]),
    ],
  },
  {
    ...base,
    name: 'token-order',
    decides: ['B303', 'B309', 'B310'],
    scenarios: [
      scenario('every relation to the mark, on one machine', [
        create({ token: token('fresh') }),
        configure({ token: token('replay') }),
        configure({ token: token('lower-sequence') }),
        configure({ token: token('fresh') }),
        drain({ token: token('lower-epoch') }),
        drain({ token: token('higher-epoch') }),
        configure({ token: token('lower-epoch') }),
        configure({ token: token('replay') }),
        configure({ token: token('fresh') }),
      ]),
      scenario('a session in order over all calls', [create(), configure(), drain(), configure(), drain()]),
      scenario('stale tokens on every call', [
        create(),
        create({ token: token('replay') }),
        configure(),
        configure({ token: token('lower-sequence') }),
        drain(),
        drain({ token: token('lower-sequence') }),
        get(),
      ]),
      scenario('a stale Delete', [create(), remove({ token: token('replay') }), get(), remove()], {
        delete: true,
      }),
      scenario('a new epoch starts low, the old one is over', [
        create(),
        configure(),
        drain({ token: token('higher-epoch') }),
        configure({ token: token('lower-epoch') }),
        get(),
        configure({ token: token('fresh') }),
      ]),
      scenario('(shard, 0, 0) is a real token', [
        create({ token: token('zero', 1) }),
        configure({ token: token('zero', 1) }),
        configure({ token: token('fresh', 1) }),
      ]),
    ],
  },
  {
    ...base,
    name: 'reads-are-never-fenced',
    decides: ['B305'],
    scenarios: [
      scenario('reads among fenced-out mutations', [
        create(),
        create({ token: token('replay') }),
        get(),
        list(),
        configure({ token: token('lower-sequence') }),
        get(),
        list('IDLE'),
        configure({ token: token('lower-epoch') }),
        get(),
        list(),
      ]),
    ],
  },
  {
    ...base,
    name: 'fence-before-idempotency',
    decides: ['B306', 'B307'],
    scenarios: [
      scenario('a stale replay of an applied Configure', [
        create(),
        configure(),
        configure({ token: token('replay') }),
        get(),
        configure({ token: token('lower-sequence') }),
        get(),
      ]),
      scenario('a stale replay of an applied Drain', [
        create(),
        configure(),
        drain(),
        drain({ token: token('replay') }),
        get(),
        drain({ token: token('lower-epoch') }),
        get(),
      ]),
    ],
  },
  {
    ...base,
    name: 'absent-token',
    decides: ['B308'],
    scenarios: [
      scenario('Create twice without a token', [
        create({ token: token('none') }),
        create({ token: token('none') }),
      ]),
      scenario('calls without a token after a mark', [
        create({ token: token('higher-epoch') }),
        configure({ token: token('none') }),
        drain({ token: token('none') }),
        configure({ token: token('replay') }),
      ]),
      scenario('a token without a shard', [
        create({ token: token('none') }),
        configure({ token: token('shardless') }),
        get(),
        drain({ token: token('none') }),
      ]),
    ],
  },
  {
    ...base,
    name: 'failed-operation-moves-the-mark',
    decides: ['B311'],
    scenarios: [
      scenario('out of position', [
        create(),
        configure(),
        create({ token: token('fresh', 1) }),
        create({ token: token('replay', 1) }),
        drain({ token: token('replay', 1) }),
        drain({ token: token('fresh', 1) }),
      ]),
      scenario('on an unknown machine', [
        drain({ machine: 'unknown', settle: false }),
        create({ machine: 'unknown', token: token('replay'), settle: false }),
      ]),
    ],
  },
];
