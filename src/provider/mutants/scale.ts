/** Bugs that only a large fleet shows (contract section 7, scale lane). */
import type { Mutant } from '../alteration.js';
import type { Machine } from '../machine.js';
import type { Policies } from '../policies.js';
import type { Provider } from '../provider.js';
import type { Alter } from './support.js';

/** Fleets above this size show the bugs. */
const LARGE = 4_096;

/** Milliseconds of a quadratic List for every pair of machines: half a second for ten thousand machines. */
const MS_A_PAIR = 5e-6;

/** How slow a slow call is, in milliseconds, and among how many calls one is slow. */
const SLOW_MS = 1_000;
const ONE_IN = 20;

/** Listing bugs in large fleets. */
export const SCALE: readonly Mutant[] = [
  {
    name: 'record-broken-at-scale',
    breaks: 'B1101',
    says: `In a fleet of more than ${LARGE} machines, the price of every 1,000th machine of a List is not a number.`,
    alter: listing((records) =>
      records.map((record, index) =>
        index % 1_000 === 999 ? { ...record, pricePerHour: Number.NaN } : record,
      ),
    ),
  },
  {
    name: 'list-cut-at-scale',
    breaks: 'B1101',
    says: `A List without a cap ends after ${LARGE} machines.`,
    alter: listing((records) => records.slice(0, LARGE)),
  },
  {
    name: 'list-doubles-at-scale',
    breaks: 'B1101',
    says: `A List of more than ${LARGE} machines has the one at the seam twice.`,
    alter: listing((records) => [...records.slice(0, LARGE), ...records.slice(LARGE - 1)]),
  },
  {
    name: 'delta-wrong-above-4096-machines',
    breaks: 'B1102',
    says: `In a fleet of more than ${LARGE} machines, a delta leaves out the change that came first.`,
    alter: inLargeDelta((found) => found.slice(1)),
  },
  {
    name: 'delta-too-wide-at-scale',
    breaks: 'B1102',
    says: `In a fleet of more than ${LARGE} machines, a delta holds a machine that has not changed.`,
    alter: inLargeDelta((found, provider) => {
      const [stranger] = provider.fleet.all();
      return found.length === 0 || stranger === undefined || found.includes(stranger)
        ? found
        : [stranger, ...found];
    }),
  },
  {
    name: 'page-skips-at-scale',
    breaks: 'B1103',
    says: `In a fleet of more than ${LARGE} machines, the machine after a page is on no page.`,
    alter: (base) => ({
      nextRevision: (page, cut, after, provider) =>
        base.nextRevision(page, cut, after, provider) + (cut && isLarge(provider) ? 1 : 0),
    }),
  },
  {
    name: 'page-doubles-at-scale',
    breaks: 'B1103',
    says: `In a fleet of more than ${LARGE} machines, a page begins with the last machine of the page before.`,
    alter: (base) => ({
      nextRevision: (page, cut, after, provider) =>
        (cut && isLarge(provider) ? page.at(-2)?.changedAt : undefined) ??
        base.nextRevision(page, cut, after, provider),
    }),
  },
  {
    name: 'slow-p99',
    breaks: 'B1106',
    says: `One Get in ${ONE_IN} takes ${SLOW_MS} ms.`,
    alter: sometimesSlow('Get'),
  },
  {
    name: 'slow-p99-of-create',
    breaks: 'B1106',
    says: `One Create in ${ONE_IN} takes ${SLOW_MS} ms.`,
    alter: sometimesSlow('Create'),
  },
  {
    name: 'quadratic-list',
    breaks: 'B1107',
    says: 'The time of a List grows with the square of the machines in it.',
    alter: (base) => ({
      replyTime(answered, random) {
        const { reply } = answered;
        const listed = reply.ok && 'machines' in reply ? reply.machines.length : 0;
        return base.replyTime(answered, random) + listed ** 2 * MS_A_PAIR;
      },
    }),
  },
];

/** Whether a fleet is one that shows the bugs. */
export function isLarge(provider: Provider): boolean {
  return provider.fleet.size > LARGE;
}

type Records = readonly ReturnType<Policies['view']>[];

/** Changes Lists of everything that have more than {@link LARGE} machines. */
function listing(change: (records: Records) => Records): Alter {
  return (base) => ({
    list(query, provider) {
      const listed = base.list(query, provider);
      const whole = query.maxResults === 0 && listed.ok && listed.machines.length > LARGE;
      return whole ? { ...listed, machines: change(listed.machines) } : listed;
    },
  });
}

/** Changes deltas in large fleets; pages are left alone, so that a walk still ends. */
function inLargeDelta(change: (found: readonly Machine[], provider: Provider) => readonly Machine[]): Alter {
  return (base) => ({
    select(query, after, provider) {
      const found = base.select(query, after, provider);
      return after > 0 && query.maxResults === 0 && isLarge(provider) ? change([...found], provider) : found;
    },
  });
}

/** Holds back one reply in {@link ONE_IN} of a kind of call. */
function sometimesSlow(rpc: Parameters<Policies['replyTime']>[0]['rpc']): Alter {
  return (base) => {
    let calls = 0;
    return {
      replyTime(answered, random) {
        const ms = base.replyTime(answered, random);
        if (answered.rpc !== rpc) return ms;
        calls += 1;
        return calls % ONE_IN === 0 ? SLOW_MS : ms;
      },
    };
  };
}
