/** B201 to B215: every call at the wrong time, at the wrong machine, or misshapen. */
import type { DirectedProperty, Step, TokenClass } from './program.js';
import { configure, create, drain, get, remove, scenario, token, watch } from './steps.js';

const base = {
  kind: 'directed',
  area: 'transition-matrix',
  umbrella: [],
  completionIsEvidence: false,
} as const;
const speculative = { speculative: true } as const;
const withDelete = { delete: true } as const;

/** More keys, or longer values, than any shard sends. */
const MANY_KEYS: [string, string][] = Array.from({ length: 2000 }, (_, i) => [`key-${i}`, `value ${i}`]);
const LONG_VALUE: [string, string][] = [['long', 'x'.repeat(512 * 1024)]];

/** The same call with a token and without one, each followed by a look at the machine. */
const twice = (call: (options: { token: ReturnType<typeof token> }) => Step): Step[] => [
  call({ token: token('fresh') }),
  get(),
  call({ token: token('none') }),
  get(),
];

export const TRANSITION_MATRIX_PROPERTIES: readonly DirectedProperty[] = [
  {
    ...base,
    name: 'out-of-position',
    decides: ['B201', 'B202', 'B203', 'B204'],
    scenarios: [
      scenario('Create on Configured', [create(), configure(), ...twice(create), watch()]),
      scenario('Configure on Speculative', [...twice(configure), watch()], speculative),
      scenario('Drain on Speculative', twice(drain), speculative),
      scenario('Drain on Idle, never drained', [create(), ...twice(drain), watch()]),
      scenario('Drain on Idle, drained before', [create(), configure(), drain(), ...twice(drain), watch()]),
      scenario('Delete on Speculative', [...twice(remove), watch()], speculative),
      scenario('Delete on Configured', [create(), configure(), ...twice(remove), watch()]),
      scenario('Delete on Speculative, deleted before', [create(), remove(), ...twice(remove)], {
        ...withDelete,
        ...speculative,
      }),
    ],
  },
  {
    ...base,
    name: 'repeats',
    decides: ['B205', 'B206', 'B214'],
    scenarios: [
      scenario('Create again', [create(), ...twice(create)], speculative),
      scenario('Configure again', [
        create(),
        configure(),
        ...twice(configure),
        configure({ cluster: 'cluster-b', metadata: [['other', 'map']] }),
        get(),
      ]),
      scenario('Drain again', [create(), configure(), drain(), ...twice(drain)]),
      scenario('Create after a Drain', [create(), configure(), drain(), ...twice(create)], speculative),
      scenario('every cycle has its own operation_id', [
        create(),
        ...[1, 2, 3].flatMap((n) => [configure({ cluster: `cluster-${n}` }), drain()]),
      ]),
      scenario('every life has its own operation_id', [create(), remove(), create(), remove(), create()], {
        ...withDelete,
        ...speculative,
      }),
    ],
  },
  {
    ...base,
    name: 'unknown-machine',
    decides: ['B207', 'B215'],
    scenarios: [create, configure, drain, remove].map((call) =>
      scenario(`${call.name} on an unknown machine`, [
        get('unknown'),
        call({ machine: 'unknown', settle: false }),
        get('unknown'),
        call({ machine: 'unknown', token: token('none'), settle: false }),
        get('unknown'),
      ]),
    ),
  },
  {
    ...base,
    name: 'empty-machine-id',
    decides: ['B208'],
    scenarios: [
      scenario('every call with an empty id', [
        get('empty'),
        ...[create, configure, drain, remove].flatMap((call) => [
          call({ machine: 'empty', settle: false }),
          call({ machine: 'empty', token: token('none'), settle: false }),
        ]),
        get('empty'),
      ]),
    ],
  },
  {
    ...base,
    name: 'oversized',
    decides: ['B209', 'B213'],
    scenarios: [
      scenario('too many metadata keys', [
        create(),
        configure({ metadata: MANY_KEYS }),
        get(),
        drain(),
        get(),
      ]),
      scenario('a very long metadata value', [
        create(),
        configure({ metadata: LONG_VALUE }),
        get(),
        drain(),
        get(),
      ]),
      scenario('a large bootstrap_blob', [
        create(),
        configure({ blobBytes: 1024 * 1024 }),
        get(),
        drain(),
        get(),
      ]),
    ],
  },
  {
    ...base,
    name: 'negative-grace',
    decides: ['B210'],
    scenarios: ['-1', '-9223372036854775808'].map((grace) =>
      scenario(`a grace of ${grace}`, [create(), configure(), drain({ grace }), get(), watch()]),
    ),
  },
  {
    ...base,
    name: 'misshapen-anywhere',
    decides: ['B1205'],
    scenarios: [
      scenario('a negative grace wherever the machine is', [
        drain({ grace: '-1' }),
        drain({ grace: '-1', token: token('none') }),
        create(),
        drain({ grace: '-1', token: token('none') }),
        drain({ grace: '-1' }),
        get(),
      ]),
      scenario('a negative grace after a Drain', [
        create(),
        configure(),
        drain(),
        drain({ grace: '-1' }),
        get(),
      ]),
      ...([create, configure, drain, remove] as const).map((call) =>
        scenario(`a malformed ${call.name} of an unknown machine`, [
          call({ machine: 'unknown', token: token('negative-epoch'), settle: false }),
          call({ machine: 'unknown', token: token('negative-sequence'), settle: false }),
          get('unknown'),
        ]),
      ),
    ],
  },
  {
    ...base,
    name: 'negative-token',
    decides: ['B211'],
    scenarios: (['negative-epoch', 'negative-sequence'] as const).flatMap((kind: TokenClass) => [
      scenario(`${kind} on Create`, [create({ token: token(kind) }), get()], speculative),
      scenario(`${kind} on Configure`, [create(), configure({ token: token(kind, 1) }), get()]),
      scenario(`${kind} on Drain`, [create(), configure(), drain({ token: token(kind, 1) }), get()]),
      scenario(`${kind} on Delete`, [create(), remove({ token: token(kind, 1) }), get()], withDelete),
      scenario(`${kind} after a mark`, [create(), configure({ token: token(kind) }), get()]),
    ]),
  },
  {
    ...base,
    name: 'int64-extremes',
    decides: ['B212'],
    scenarios: [
      scenario('the largest token is accepted and fences', [
        create({ token: token('none') }),
        configure({ token: token('extreme') }),
        configure({ token: token('replay') }),
        drain({ token: token('lower-sequence') }),
        drain({ token: token('fresh', 1) }),
      ]),
      scenario('neighbours beyond 2^53 are told apart', [
        create({ token: token('past-double') }),
        configure({ token: token('past-double') }),
        drain({ token: token('past-double') }),
        configure({ token: token('replay') }),
      ]),
      scenario('neighbours beyond 2^31 are told apart', [
        create({ token: token('past-int32') }),
        configure({ token: token('past-int32') }),
        drain({ token: token('past-int32') }),
        configure({ token: token('replay') }),
      ]),
    ],
  },
];
