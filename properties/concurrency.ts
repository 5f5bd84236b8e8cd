/** B401 to B409: calls in flight together. Whether an order explains their replies is for the engine to search. */
import type { DirectedProperty, MutationStep, Needs, Step } from './program.js';
import { configure, create, drain, get, race, remove, token } from './steps.js';

const base = { kind: 'directed', area: 'concurrency', umbrella: [], completionIsEvidence: true } as const;
const speculative = { speculative: true } as const;

/** How many identical retries race, and how often: a race needs luck. */
const RETRIES = 16;
const ROUNDS = 4;

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const unfenced = { token: token('none'), settle: false } as const;

/** The same burst, round after round, each on a machine of its own. */
function burst(name: string, prefix: Step[], retry: MutationStep, needs: Needs = {}) {
  return times(ROUNDS, (round) =>
    race(
      `${name}, round ${round + 1}`,
      prefix,
      times(RETRIES, () => [retry]),
      needs,
    ),
  );
}

export const CONCURRENCY_PROPERTIES: readonly DirectedProperty[] = [
  {
    ...base,
    name: 'racing-creates',
    decides: ['B401', 'B406', 'B408'],
    scenarios: burst('sixteen identical Creates', [], create(unfenced), speculative),
  },
  {
    ...base,
    name: 'racing-configures',
    decides: ['B402', 'B406', 'B408'],
    scenarios: burst('sixteen identical Configures', [create()], configure(unfenced)),
  },
  {
    ...base,
    name: 'racing-drains',
    decides: ['B403', 'B406', 'B408'],
    scenarios: burst('sixteen identical Drains', [create(), configure()], drain(unfenced)),
  },
  {
    ...base,
    name: 'racing-deletes',
    decides: ['B409'],
    scenarios: burst('sixteen identical Deletes', [create()], remove(unfenced), {
      delete: true,
      ...speculative,
    }),
  },
  {
    ...base,
    name: 'conflicting-calls',
    decides: ['B404', 'B408'],
    scenarios: times(ROUNDS, (round) => [
      race(
        `Configure against Drain, round ${round + 1}`,
        [create(), configure()],
        [
          ...times(4, () => [configure({ ...unfenced, cluster: 'cluster-b' }), get()]),
          ...times(4, () => [drain(unfenced), get()]),
        ],
      ),
      race(
        `Configure against Drain from Idle, round ${round + 1}`,
        [create()],
        [
          ...times(3, () => [configure(unfenced), get(), get()]),
          ...times(4, () => [get(), drain(unfenced), drain(unfenced), get()]),
        ],
      ),
      race(
        `two Configures with different maps, round ${round + 1}`,
        [create()],
        [
          ...times(4, () => [
            configure({ ...unfenced, cluster: 'cluster-a', metadata: [['from', 'a']] }),
            get(),
          ]),
          ...times(4, () => [
            configure({ ...unfenced, cluster: 'cluster-b', metadata: [['from', 'b']] }),
            get(),
          ]),
        ],
      ),
      race(
        `Configure against Delete, round ${round + 1}`,
        [create()],
        [...times(3, () => [configure(unfenced), get()]), ...times(3, () => [remove(unfenced), get()])],
        { delete: true, ...speculative },
      ),
    ]).flat(),
  },
  {
    ...base,
    name: 'zombie-against-live',
    decides: ['B405'],
    scenarios: times(ROUNDS, (round) => [
      race(
        `the old epoch retries while the new one works, round ${round + 1}`,
        [create(), configure({ token: token('higher-epoch') })],
        [
          ...times(4, () => [drain({ token: token('lower-epoch'), settle: false })]),
          [drain({ settle: false }), get()],
          ...times(3, () => [configure({ token: token('lower-epoch'), settle: false })]),
        ],
      ),
      race(
        `both epochs race for the first mark, round ${round + 1}`,
        [create()],
        [
          ...times(3, () => [configure({ token: { shard: 0, epoch: '1', sequence: '9' }, settle: false })]),
          ...times(3, () => [configure({ token: { shard: 0, epoch: '2', sequence: '0' }, settle: false })]),
          [get(), get()],
        ],
      ),
    ]).flat(),
  },
  {
    ...base,
    name: 'many-machines-at-once',
    decides: ['B407'],
    scenarios: times(ROUNDS, (round) =>
      race(
        `eight machines created together, round ${round + 1}`,
        [],
        times(8, (machine) => [
          create({ ...unfenced, machine }),
          get(machine),
          create({ ...unfenced, machine }),
        ]),
        speculative,
      ),
    ),
  },
];
