/** B101 to B109: around the four edges, what is seen on the way and at rest. */
import type { DirectedProperty } from './program.js';
import { configure, create, drain, get, list, remove, scenario, watch } from './steps.js';

const base = { kind: 'directed', area: 'lifecycle', umbrella: [], completionIsEvidence: false } as const;
const cycle = (metadata: [string, string][]) => [configure({ metadata }), get(), drain(), get()];

export const LIFECYCLE_PROPERTIES: readonly DirectedProperty[] = [
  {
    ...base,
    name: 'round-trips',
    decides: ['B101', 'B103', 'B104', 'B105', 'B106', 'B107'],
    scenarios: [
      scenario('one cycle, every state read', [
        get(),
        create(),
        list(),
        configure(),
        list(),
        drain(),
        list(),
      ]),
      scenario('four round trips', [
        create(),
        ...cycle([['a', '1']]),
        ...cycle([['b', '2']]),
        ...cycle([]),
        ...cycle([['a', '4']]),
      ]),
      scenario('reads while each transition runs', [
        create({ settle: false }),
        get(),
        get(),
        create(),
        configure({ settle: false }),
        get(),
        get(),
        configure(),
        drain({ settle: false }),
        get(),
        get(),
        drain(),
      ]),
    ],
  },
  {
    ...base,
    name: 'four-round-trips-through-delete',
    decides: ['B101', 'B109'],
    scenarios: [
      scenario(
        'four lives of one machine',
        [1, 2, 3, 4].flatMap((life) => [
          create(),
          configure({ cluster: `life-${life}` }),
          drain(),
          remove(),
          get(),
        ]),
        { delete: true, speculative: true },
      ),
      scenario('reads while a Delete runs', [create(), remove({ settle: false }), get(), get(), remove()], {
        delete: true,
        speculative: true,
      }),
    ],
  },
  {
    ...base,
    name: 'stability',
    decides: ['B108'],
    scenarios: [
      scenario('a created machine stays Idle', [create(), watch()], { speculative: true }),
      scenario('a configured machine stays Configured', [create(), configure(), watch()]),
      scenario('a drained machine stays Idle', [create(), configure(), drain(), watch()]),
      scenario('a deleted machine stays Speculative', [create(), remove(), watch()], {
        delete: true,
        speculative: true,
      }),
    ],
  },
];
