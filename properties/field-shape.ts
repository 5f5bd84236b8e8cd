/** B801 to B807: every record looks as its state demands. The model checks each record that any program sees. */
import type { DirectedProperty } from './program.js';
import { configure, create, drain, get, list, remove, scenario } from './steps.js';

const base = { kind: 'directed', area: 'field-shape', umbrella: [], completionIsEvidence: false } as const;

export const FIELD_SHAPE_PROPERTIES: readonly DirectedProperty[] = [
  {
    ...base,
    name: 'inventory',
    decides: ['B801', 'B802', 'B803', 'B804', 'B806'],
    scenarios: [scenario('the whole inventory', [list(), create(), list(), configure(), list()])],
  },
  {
    ...base,
    name: 'stable-states',
    decides: ['B803', 'B805', 'B806'],
    scenarios: [
      scenario('one machine through every stable state, twice', [
        get(),
        create(),
        get(),
        list('IDLE'),
        configure(),
        get(),
        list('CONFIGURED'),
        drain(),
        get(),
        configure({ cluster: 'cluster-b' }),
        get(),
        drain(),
        list('IDLE'),
      ]),
    ],
  },
  {
    ...base,
    name: 'delete-clears',
    decides: ['B807'],
    scenarios: [
      scenario(
        'Delete after a binding',
        [create(), configure(), drain(), remove(), get(), list('SPECULATIVE'), create(), get()],
        {
          delete: true,
          speculative: true,
        },
      ),
    ],
  },
];
