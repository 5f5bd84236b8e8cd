/** B701 to B708: transitions that fail, chosen over the wire (contract section 7, Fault). */

import fc from 'fast-check';
import { ORDERED_TOKENS, PLAIN_METADATA, walk } from './arbitraries.js';
import type { DirectedProperty, GenerativeProperty, Program, Scenario, Step } from './program.js';
import { configure, create, drain, get, list, remove, scenario, token, watch } from './steps.js';

const base = { kind: 'directed', area: 'timeouts', umbrella: [], completionIsEvidence: false } as const;

/** Everything a shard might still try on a FAILED machine, with and without a token, and a stale one (the fence is first). */
const everything: readonly Step[] = [
  ...[create, configure, drain, remove].flatMap((call) => [call(), call({ token: token('none') })]),
  configure({ token: token('replay') }),
  get(),
  list('FAILED'),
  get(),
];

const configured = (cluster: string): Step[] => [create(), configure({ cluster })];
const doomed = (name: string, steps: readonly Step[]): Scenario => {
  const { program, needs } = scenario(name, steps, { speculative: true });
  return { name, needs, program: { ...program, doomed: true } };
};

export const TIMEOUT_PROPERTIES: readonly DirectedProperty[] = [
  {
    ...base,
    name: 'configure-errors',
    decides: ['B701', 'B705', 'B707'],
    scenarios: [
      scenario('the actuator errors', [...configured('fault-error'), ...everything, watch()]),
      scenario('the actuator errors in the second cycle', [
        ...configured('cluster-a'),
        drain(),
        configure({ cluster: 'fault-error', metadata: [['k', 'v']] }),
        ...everything,
      ]),
      scenario('beside a healthy machine', [
        ...configured('fault-error'),
        create({ machine: 1 }),
        configure({ machine: 1 }),
        get(0),
        drain({ machine: 1 }),
        get(0),
      ]),
    ],
  },
  {
    ...base,
    name: 'create-errors',
    decides: ['B702', 'B705', 'B707'],
    scenarios: [doomed('the actuator errors', [create(), ...everything, watch()])],
  },
  {
    ...base,
    name: 'transition-times-out',
    decides: ['B703', 'B705', 'B707'],
    scenarios: [
      scenario('the actuator blocks', [...configured('fault-timeout'), ...everything, watch()]),
      scenario('read while it blocks', [
        create(),
        configure({ cluster: 'fault-timeout', settle: false }),
        get(),
        configure({ cluster: 'fault-timeout', settle: false }),
        drain({ token: token('none'), settle: false }),
        configure({ cluster: 'fault-timeout' }),
        ...everything,
      ]),
    ],
  },
  {
    ...base,
    name: 'late-completion',
    decides: ['B704'],
    scenarios: [
      scenario('success comes after the timeout', [
        ...configured('fault-slow-ok'),
        watch(),
        ...everything,
        watch(),
      ]),
    ],
  },
  {
    ...base,
    name: 'drain-errors',
    decides: ['B706'],
    scenarios: [
      scenario('a Drain without grace', [
        ...configured('fault-drain-error'),
        drain({ grace: '0' }),
        get(),
        watch(),
      ]),
      scenario('a Drain with grace', [
        ...configured('fault-drain-error'),
        drain({ grace: '1' }),
        get(),
        watch(),
      ]),
    ],
  },
  {
    ...base,
    name: 'readiness-never-comes',
    decides: ['B708'],
    scenarios: [
      scenario('the node never becomes Ready', [...configured('fault-readiness-block'), get(), watch()]),
      scenario('read while it waits', [
        create(),
        configure({ cluster: 'fault-readiness-block', settle: false }),
        ...Array.from({ length: 6 }, () => get()),
        configure({ cluster: 'fault-readiness-block' }),
        ...everything,
      ]),
    ],
  },
];

const CLUSTERS = [
  'cluster-a',
  'cluster-a',
  'fault-error',
  'fault-timeout',
  'fault-slow-ok',
  'fault-drain-error',
  'fault-readiness-block',
];

/** Healthy and doomed Configures side by side, so that waiting for timeouts overlaps. */
function withFaults(programs: fc.Arbitrary<Program>): fc.Arbitrary<Program> {
  return fc.tuple(programs, fc.infiniteStream(fc.constantFrom(...CLUSTERS))).map(([program, clusters]) => ({
    ...program,
    steps: program.steps.map((step) =>
      step.call === 'Configure' ? { ...step, cluster: clusters.next().value } : step,
    ),
  }));
}

export const FAULT_WALKS: readonly GenerativeProperty[] = [
  {
    kind: 'generative',
    area: 'timeouts',
    name: 'fault-walk',
    decides: [],
    umbrella: [],
    completionIsEvidence: true,
    share: 1,
    programs: withFaults(
      walk({
        minSteps: 4,
        maxSteps: 10,
        machines: 2,
        shards: 2,
        tokens: ORDERED_TOKENS,
        strangers: 0,
        metadata: PLAIN_METADATA,
        hurried: 30,
      }),
    ),
  },
];
