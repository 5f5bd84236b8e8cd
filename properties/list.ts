/** B901, B902 and B907: filters, caps and pages. Cursors are in `cursor.ts`; what is random is in `list-walk.ts`. */
import { LIFECYCLE_STATES } from '../model/machine.js';
import type { DirectedProperty, Step } from './program.js';
import { capped, configure, create, drain, get, holding, list, page, remove, scenario } from './steps.js';

const base = { kind: 'directed', area: 'list', umbrella: [], completionIsEvidence: false } as const;
const withCursors = { sinceRevision: true } as const;
const alone = { ...withCursors, alone: true } as const;
const hurried = { settle: false } as const;

/** Three calls, with steps after each. */
const lifecycle = (after: (n: number) => readonly Step[]): Step[] => [
  create(),
  ...after(1),
  configure(),
  ...after(2),
  drain(),
  ...after(3),
];

/** Each state as a filter of its own. */
const EACH_STATE = LIFECYCLE_STATES.map((state) => list(state));
const UNIONS = [
  list('IDLE', 'CONFIGURED'),
  list('CONFIGURED', 'IDLE'),
  list('CREATING', 'IDLE'),
  list('CONFIGURING', 'CONFIGURED'),
  list('DRAINING', 'DELETING', 'FAILED'),
  list('IDLE', 'CONFIGURED', 'DRAINING'),
  list('CREATING', 'CONFIGURING', 'DRAINING', 'DELETING'),
  list(...LIFECYCLE_STATES.filter((state) => state !== 'SPECULATIVE')),
];

/** Machine 0 moves through its lifecycle and machine 1 stays put, with a page or more after every call. */
const movingWalk = (size: number, pages: number): Step[] => [
  create({ machine: 1 }),
  page(size, pages),
  create({ ...hurried, machine: 0 }),
  page(size, pages),
  configure({ ...hurried, machine: 0 }),
  get(0),
  page(size, pages),
  configure({ machine: 2 }),
  page(size, pages),
  create({ machine: 2 }),
  page(size),
];

export const LIST_PROPERTIES: readonly DirectedProperty[] = [
  {
    ...base,
    name: 'filters',
    decides: ['B901'],
    scenarios: [
      scenario('each state, as a machine goes through its life', [
        ...EACH_STATE,
        ...lifecycle(() => EACH_STATE.slice(1)),
      ]),
      scenario(
        'unions, as a machine goes through its life',
        lifecycle(() => UNIONS),
      ),
      scenario(
        'each state while machines move',
        [
          create(hurried),
          list('IDLE'),
          create(),
          configure(hurried),
          list('CONFIGURED'),
          configure(),
          drain(hurried),
          list('IDLE', 'CONFIGURED'),
          drain(),
          create({ ...hurried, machine: 1 }),
          list('CREATING'),
          list('CREATING', 'IDLE'),
          remove(hurried),
          list('SPECULATIVE'),
        ],
        { alone: true },
      ),
    ],
  },
  {
    ...base,
    name: 'caps',
    decides: ['B902'],
    scenarios: [
      scenario('caps of 1, 2, 3 and none', [capped(1), capped(2), capped(3), list()]),
      scenario('no cap hides a machine that was just used', [
        create(),
        list(),
        capped(1, 'IDLE'),
        configure(),
        list(),
        capped(2, 'SPECULATIVE'),
        capped(3, 'SPECULATIVE', 'CONFIGURED'),
      ]),
    ],
  },
  {
    ...base,
    name: 'paging',
    decides: ['B907'],
    scenarios: [
      ...([1, 2, 7, 50, 100, 'fleet'] as const).map((size) =>
        holding(3, scenario(`pages of ${size}, nothing moves`, [page(size)], alone)),
      ),
      ...[2, 7, 50].map((size) =>
        holding(
          4,
          scenario(
            `pages of ${size}, and machines move in between`,
            movingWalk(size, Math.ceil(60 / size)),
            withCursors,
          ),
        ),
      ),
    ],
  },
];
