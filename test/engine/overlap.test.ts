/** How deep calls overlapped: on one machine where branches contend for it, over machines where they do not. */
import { describe, expect, it } from 'vitest';
import { deepestOverlap, type RaceEntry } from '../../src/engine/race.js';
import type { Tenant } from '../../src/engine/tenant.js';

const machine = (id: string): Tenant => ({ id, belief: [] }) as unknown as Tenant;
const [one, two] = [machine('one'), machine('two')];

/** A call of `branch` on `tenant` from `invokedAt` to `returnedAt`; only these matter. */
function entry(branch: number, tenant: Tenant, invokedAt: number, returnedAt: number): RaceEntry {
  return { branch, tenant, invokedAt, returnedAt } as unknown as RaceEntry;
}

describe('deepestOverlap', () => {
  it('counts calls in flight on one machine', () => {
    expect(deepestOverlap([entry(0, one, 0, 4), entry(1, one, 1, 3), entry(2, one, 5, 6)])).toBe(2);
  });

  it('does not count other machines where branches contend for one', () => {
    expect(deepestOverlap([entry(0, one, 0, 2), entry(1, one, 3, 4), entry(2, two, 0, 9)])).toBe(1);
  });

  it('counts over machines where every branch has its own', () => {
    expect(deepestOverlap([entry(0, one, 0, 3), entry(1, two, 1, 2)])).toBe(2);
    expect(deepestOverlap([entry(0, one, 0, 1), entry(1, two, 1, 2)])).toBe(1);
  });

  it('is nothing without calls', () => {
    expect(deepestOverlap([])).toBe(0);
  });
});
