/** Bugs of List: filter, cap, delta and pages (contract section 5). */
import type { Mutant } from '../alteration.js';
import { isTransitional, type Machine } from '../machine.js';
import type { Provider } from '../provider.js';
import { every } from '../scheduler.js';
import type { Alter } from './support.js';

/** How many changes a short-lived log of changes keeps. */
const LOG_LENGTH = 4;

/** Listing bugs. */
export const LISTING: readonly Mutant[] = [
  {
    name: 'union-filter-wrong',
    breaks: 'B901',
    says: 'Of several states in a filter, only the first counts.',
    alter: (base) => ({
      matches: (query, machine) => base.matches({ ...query, states: query.states.slice(0, 1) }, machine),
    }),
  },
  {
    name: 'filter-lets-moving-through',
    breaks: 'B901',
    says: 'Machines in a transitional state pass every filter.',
    alter: (base) => ({
      matches: (query, machine) => isTransitional(machine.state) || base.matches(query, machine),
    }),
  },
  {
    name: 'filter-leaves-configured-out',
    breaks: 'B901',
    says: 'A filter of three or more states leaves Configured machines out.',
    alter: (base) => ({
      matches: (query, machine) =>
        base.matches(query, machine) && !(query.states.length > 2 && machine.state === 'CONFIGURED'),
    }),
  },
  {
    name: 'cap-off-by-one',
    breaks: 'B902',
    says: 'A page holds one machine more than its cap.',
    alter: (base) => ({ limit: (query) => base.limit(query) + 1 }),
  },
  {
    name: 'cap-zero-means-100',
    breaks: 'B902',
    says: 'Without a cap, a List ends after 100 machines.',
    alter: (base) => ({ limit: (query) => (query.maxResults === 0 ? 100 : base.limit(query)) }),
  },
  {
    name: 'revision-static',
    breaks: 'B903',
    says: 'The revision is always the same.',
    alter: () => ({ nextRevision: () => 1 }),
  },
  {
    name: 'delta-misses-last-change',
    breaks: 'B903',
    says: 'A delta leaves the latest change out.',
    alter: inDelta((found, _after, provider) =>
      found.filter((machine) => machine.changedAt < provider.fleet.head),
    ),
  },
  {
    name: 'delta-misses-drained',
    breaks: 'B903',
    says: 'A delta leaves machines out that a Drain has brought back to Idle.',
    alter: inDelta((found) =>
      found.filter((machine) => machine.state !== 'IDLE' || machine.carriedBy?.kind !== 'Drain'),
    ),
  },
  {
    name: 'delta-too-wide',
    breaks: 'B904',
    says: 'A delta holds every machine that ever moved.',
    alter: inDelta((found, after, provider) => [
      ...found,
      ...[...provider.fleet.all()].filter(
        (machine) => machine.changedAt <= after && machine.carriedBy !== null,
      ),
    ]),
  },
  {
    name: 'retry-counts-as-change',
    breaks: 'B904',
    says: 'A retry without effect moves the revision, and its machine into the delta.',
    alter: (base) => ({
      idempotency(call, provider) {
        const reply = base.idempotency(call, provider);
        const machine = provider.fleet.get(call.machineId);
        if (reply?.ok && machine !== undefined) provider.put(machine);
        return reply;
      },
    }),
  },
  {
    name: 'read-counts-as-change',
    breaks: 'B904',
    says: 'A Get moves the revision, and its machine into the delta.',
    alter: (base) => ({
      get(id, provider) {
        const machine = provider.fleet.get(id);
        if (machine !== undefined) provider.put(machine);
        return base.get(id, provider);
      },
    }),
  },
  {
    name: 'delta-log-too-short',
    breaks: 'B905',
    says: `A delta knows only the last ${LOG_LENGTH} changes.`,
    alter: inDelta((found, _after, provider) =>
      found.filter((machine) => machine.changedAt > provider.fleet.head - LOG_LENGTH),
    ),
  },
  {
    name: 'revision-in-steps',
    breaks: 'B903',
    says: 'Several mutations in a row share a revision.',
    alter: (base) => ({
      nextRevision(page, cut, after, provider) {
        const revision = base.nextRevision(page, cut, after, provider);
        return cut ? revision : revision - (revision % 8);
      },
    }),
  },
  {
    name: 'page-doubles',
    breaks: 'B907',
    says: 'A page begins with the last machine of the page before.',
    alter: (base) => ({
      nextRevision: (page, cut, after, provider) =>
        (cut ? page.at(-2)?.changedAt : undefined) ?? base.nextRevision(page, cut, after, provider),
    }),
  },
  {
    name: 'page-skips',
    breaks: 'B907',
    says: 'The machine after a page is on no page.',
    alter: (base) => ({
      nextRevision: (page, cut, after, provider) =>
        base.nextRevision(page, cut, after, provider) + (cut ? 1 : 0),
    }),
  },
  {
    name: 'revision-bumped-by-tick',
    breaks: 'B908',
    says: 'Looking at a machine now and then moves the revision.',
    alter: () => ({
      background(provider) {
        every(provider.scheduler, 10, () => {
          const [machine] = provider.fleet.all();
          if (machine !== undefined && !isTransitional(machine.state)) provider.put(machine);
        });
      },
    }),
  },
];

/** Changes what a delta holds; pages are left alone, so that a walk still ends. */
function inDelta(
  change: (found: readonly Machine[], after: number, provider: Provider) => readonly Machine[],
): Alter {
  return (base) => ({
    select(query, after, provider) {
      const found = [...base.select(query, after, provider)];
      if (after === 0 || query.maxResults > 0) return found;
      return change(found, after, provider).filter((machine) => base.matches(query, machine));
    },
  });
}
