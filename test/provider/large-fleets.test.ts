/** What a List costs in a large fleet, counted in machines looked at and not in time. */
import { expect, test } from 'vitest';
import type { Query } from '../../src/provider/call.js';
import { seed } from '../../src/provider/inventory.js';
import { listBytes } from '../../src/provider/list-bytes.js';
import { view } from '../../src/provider/record.js';
import { MachineList } from '../../src/wire/gen/provider.js';
import { observed } from './observe.js';

const FLEET = 10_000;

/** A large fleet, and how many machines its Lists have looked at. */
function counted() {
  let looked = 0;
  const seen = observed(
    {
      name: 'counting',
      says: 'Counts.',
      alter: (base) => ({
        matches(query: Query, machine) {
          looked += 1;
          return base.matches(query, machine);
        },
      }),
    },
    { seedCount: FLEET },
  );
  return {
    ...seen,
    looked(list: () => void): number {
      looked = 0;
      list();
      return looked;
    },
  };
}

test('a delta looks at what has changed, a page at what it holds and one more', async () => {
  const seen = counted();
  const since = seen.list().revision;
  await seen.race(8, ['Create', 'm-000003'], ['Create', 'm-009000']);
  expect(seen.looked(() => seen.list())).toBe(FLEET);
  expect(seen.looked(() => seen.list({ since }))).toBe(2);
  expect(seen.looked(() => seen.list({ maxResults: 100 }))).toBe(101);
});

test('a large reply is encoded in slices, with other work between them', async () => {
  const machines = Array.from({ length: FLEET }, (_, index) => view(seed(index + 1)));
  const revision = new Uint8Array([1, 2, 3]);
  let turns = 0;
  let encoding = true;
  const breathe = () => {
    turns += 1;
    if (encoding) setImmediate(breathe);
  };
  setImmediate(breathe);
  const first = await listBytes(machines, revision);
  encoding = false;
  expect(turns).toBeGreaterThan(10);
  const whole = MachineList.encode({ machines, revision }).finish();
  expect(first.equals(whole)).toBe(true);
  expect((await listBytes(machines, revision)).equals(whole)).toBe(true);
});
