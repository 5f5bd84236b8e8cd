/** B1001 to B1007: what a provider still knows after its process was killed and booted again on the same state. */
import fc from 'fast-check';
import { ORDERED_TOKENS, PLAIN_METADATA, walk } from './arbitraries.js';
import type {
  CrashStep,
  DirectedProperty,
  GenerativeProperty,
  MutationStep,
  Program,
  Step,
} from './program.js';
import { configure, create, delta, drain, get, list, mark, remove, scenario, token } from './steps.js';

const base = { kind: 'directed', area: 'durability', umbrella: [], completionIsEvidence: true } as const;

/** A kill, with `during` in flight for `afterMs` milliseconds. */
export function crash(during: MutationStep | null = null, afterMs = 0): CrashStep {
  return { call: 'Crash', during, afterMs };
}

const plain = { token: token('none') } as const;
const hurried = { token: token('none'), settle: false } as const;
const difficult = [
  ['', 'empty key'],
  ['empty value', ''],
  ['nul\u0000', 'a\u0000b'],
  ['__proto__', '\u{1f980}'],
  ['e\u0301', '\u00e9'],
] as const;

/** A kill in the middle of `call`, after ever longer pauses: one of them finds the transition under way. */
const cut = (prefix: readonly Step[], call: MutationStep) =>
  [0, 1, 3, 8, 20].map((afterMs) =>
    scenario(`killed ${afterMs} ms into ${call.call}`, [...prefix, crash(call, afterMs), get(), list()]),
  );

export const DURABILITY_PROPERTIES: readonly DirectedProperty[] = [
  {
    ...base,
    name: 'marks-survive',
    decides: ['B1001'],
    scenarios: [
      scenario('stale tokens after a restart', [
        create(),
        configure({ token: token('higher-epoch') }),
        configure(),
        crash(),
        configure({ token: token('replay') }),
        drain({ token: token('lower-sequence') }),
        drain({ token: token('lower-epoch') }),
        drain({ token: token('fresh') }),
        crash(),
        configure({ token: token('replay') }),
      ]),
      scenario('the mark of a rejected call', [
        create(),
        drain(),
        create({ token: token('fresh', 1) }),
        crash(),
        create({ token: token('replay', 1) }),
        drain({ token: token('replay') }),
      ]),
      scenario('numbers that are not exact as doubles', [
        create({ token: token('past-double') }),
        configure(),
        crash(),
        drain({ token: token('replay') }),
        drain(),
      ]),
      scenario('a mark on an unknown machine', [
        create({ machine: 'unknown', token: token('higher-epoch'), settle: false }),
        crash(),
        create({ machine: 'unknown', token: token('replay'), settle: false }),
      ]),
    ],
  },
  {
    ...base,
    name: 'operations-survive',
    decides: ['B1002'],
    scenarios: [
      scenario('retries after a restart', [
        create(plain),
        crash(),
        create(plain),
        configure(plain),
        crash(),
        configure(plain),
        drain(plain),
        crash(),
        drain(plain),
      ]),
    ],
  },
  {
    ...base,
    name: 'bindings-survive',
    decides: ['B1003'],
    scenarios: [
      scenario('cluster and map after two restarts', [
        create(),
        configure({ cluster: 'cluster-b', metadata: difficult }),
        crash(),
        get(),
        list('CONFIGURED'),
        crash(),
        get(),
        list('CONFIGURED'),
        drain(),
        crash(),
        get(),
      ]),
      scenario('the second of two bindings', [
        create(),
        configure({ cluster: 'cluster-a', metadata: [['first', 'map']] }),
        drain(),
        configure({ cluster: 'cluster-b', metadata: [['second', 'map']] }),
        crash(),
        get(),
      ]),
    ],
  },
  {
    ...base,
    name: 'inventory-survives',
    decides: ['B1004'],
    scenarios: [
      scenario('machines in every stable state', [
        create({ machine: 1 }),
        create({ machine: 2 }),
        configure({ machine: 2 }),
        crash(),
        get(0),
        get(1),
        get(2),
        list(),
      ]),
      scenario('a deleted machine', [create(), remove(), crash(), get(), list()], {
        delete: true,
        speculative: true,
      }),
    ],
  },
  {
    ...base,
    name: 'operations-stay-fresh',
    decides: ['B1005'],
    scenarios: [
      scenario('what changed since a cursor from before', [
        mark('before'),
        create(),
        configure(),
        crash(),
        delta('before', 'after'),
        drain(),
        delta('after'),
        delta('before'),
      ]),
      scenario('new operations after each restart', [
        create(),
        crash(),
        configure(),
        crash(),
        drain(),
        crash(),
        configure(),
      ]),
    ],
  },
  {
    ...base,
    completionIsEvidence: false,
    name: 'cut-transitions',
    decides: ['B1006'],
    scenarios: [
      ...cut([], create(hurried)),
      ...cut([create()], configure(hurried)),
      ...cut([create(), configure()], drain(hurried)),
      scenario('killed right after the ack of a Create', [create(hurried), crash(), get()]),
      scenario('killed right after the ack of a Configure', [create(), configure(hurried), crash(), get()]),
      scenario('killed right after the ack of a Drain', [
        create(),
        configure(),
        drain(hurried),
        crash(),
        get(),
      ]),
    ],
  },
  {
    ...base,
    name: 'marks-stay-isolated',
    decides: ['B1007'],
    scenarios: [
      scenario('a new shard starts low after a restart', [
        create({ token: token('past-int32') }),
        crash(),
        configure({ token: token('other-shard') }),
        drain({ token: token('other-shard') }),
      ]),
      scenario('the same shard on another machine', [
        create({ machine: 0, token: token('higher-epoch') }),
        crash(),
        create({ machine: 1, token: { shard: 0, epoch: '1', sequence: '1' } }),
      ]),
    ],
  },
];

const crashWalk = walk({
  minSteps: 5,
  maxSteps: 12,
  machines: 3,
  shards: 2,
  tokens: ORDERED_TOKENS,
  strangers: 2,
  metadata: PLAIN_METADATA,
  hurried: 40,
});

/** Two kills in a walk, one of them with a call in flight. */
function withCrashes(programs: fc.Arbitrary<Program>): fc.Arbitrary<Program> {
  const place = fc.record({ at: fc.nat({ max: 20 }), afterMs: fc.constantFrom(0, 0, 1, 2, 5, 15) });
  return fc.tuple(programs, place, place).map(([program, first, second]) => {
    const steps = [...program.steps];
    const at = first.at % steps.length;
    const [step] = steps.slice(at, at + 1);
    const during = step && 'token' in step ? step : null;
    steps.splice(at, during ? 1 : 0, crash(during, first.afterMs));
    steps.splice(second.at % (steps.length + 1), 0, crash());
    return { ...program, steps };
  });
}

/** Kills in each program of {@link CRASH_WALKS}. */
export const CRASHES_PER_WALK = 2;

export const CRASH_WALKS: readonly GenerativeProperty[] = [
  {
    kind: 'generative',
    area: 'durability',
    name: 'crash-walk',
    decides: ['B1004'],
    umbrella: [],
    completionIsEvidence: true,
    share: 1,
    programs: withCrashes(crashWalk),
  },
];
