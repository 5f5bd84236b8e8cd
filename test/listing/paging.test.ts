import { describe, expect, it } from 'vitest';
import { Walk } from '../../model/paging.js';
import type { MachineRecord } from '../../model/record.js';
import { atRest, bytes, machine, own, reply } from './support.js';

const FLEET = ['a', 'b', 'c', 'd', 'e'].map((id) => machine(id));
const [A, B, C, D, E] = FLEET;
const inventory = (machines: readonly (MachineRecord | undefined)[]) =>
  new Map(machines.flatMap((one) => (one ? [[one.id, one] as const] : [])));
const page = (revision: number, ...machines: (MachineRecord | undefined)[]) =>
  reply(
    machines.flatMap((one) => one ?? []),
    revision,
  );
/** The program holds `a` and `c`, and nobody calls them. */
const held = own({ a: atRest(A ?? null), c: atRest(C ?? null) });
const HELD = new Set(held.keys());

/** A walk that has turned these pages without a breach. */
function walked(...pages: ReturnType<typeof page>[]): Walk {
  const walk = new Walk(2, inventory(FLEET));
  for (const turned of pages) expect(walk.turn(turned, held)).toBeNull();
  return walk;
}

describe('a walk', () => {
  it('is complete where every machine was on a page', () => {
    const walk = walked(page(1, A, B), page(2, C, D), page(3, E), page(3));
    expect(walk).toMatchObject({ ended: true, pages: 3, met: 5 });
    expect(walk.unmet()).toEqual([]);
    expect(walk.lost(inventory(FLEET), HELD)).toEqual([]);
  });

  it('goes on from the cursor of the page before', () => {
    const walk = walked(page(1, A, B));
    expect(walk.cursor).toEqual(bytes(1));
    expect(walk.ended).toBe(false);
  });

  it('meets no machine twice that did not move', () => {
    const walk = walked(page(1, A, B));
    expect(walk.turn(page(2, B, A), held)).toMatchObject({ behaviors: ['B907'], aspect: 'paged twice' });
  });

  it('may meet a machine twice that moved, was refreshed, or is another client’s', () => {
    const walk = walked(page(1, A, B));
    const moved = own({ a: atRest(A ?? null, { touches: 1 }) });
    expect(walk.turn(page(2, B, A), moved)).toBeNull();
    const refreshed = walked(page(1, A, B));
    expect(refreshed.turn(page(2, machine('a', 'IDLE', { pricePerHour: 1 })), held)).toBeNull();
  });

  it('does not come back to a cursor that it had before', () => {
    expect(walked(page(1, A, B), page(2, D)).turn(page(1, E), held)).toMatchObject({
      behaviors: ['B907'],
      aspect: 'walk in a circle',
    });
    expect(walked(page(1, A, B)).turn(page(1, D), held)?.aspect).toBe('walk in a circle');
    expect(new Walk(2, inventory(FLEET)).turn({ machines: FLEET, revision: bytes() }, held)?.aspect).toBe(
      'walk in a circle',
    );
  });
});

describe('a walk that has ended', () => {
  it('has lost own machines, and others that look the same before and after', () => {
    const walk = walked(page(1, A, B), page(2, E), page(2));
    expect(walk.unmet()).toEqual(['c', 'd']);
    expect(walk.lost(inventory(FLEET), HELD)).toEqual(['c', 'd']);
    const busy = inventory([A, B, machine('c', 'CONFIGURED'), machine('d', 'CONFIGURED'), E]);
    expect(walk.lost(busy, HELD)).toEqual(['c']);
    expect(walk.lost(inventory([A, B, E]), HELD)).toEqual([]);
  });

  it('tells how many machines a capped poller would never have seen', () => {
    const walk = walked(page(1, A, B), page(2));
    const breach = walk.lossBreach(walk.lost(inventory(FLEET), HELD));
    expect(breach).toMatchObject({ behaviors: ['B907'], aspect: 'lost in paging' });
    expect(breach.observed).toContain('never have seen 3 of 5 machines, such as "c"');
  });

  it('lost them to a cursor that names the head where nothing is behind it', () => {
    const walk = walked(page(9, A, B), page(9));
    expect(walk.namesHead(page(9), inventory(FLEET))).toBe(true);
    expect(walk.namesHead(page(10, C), inventory(FLEET))).toBe(true);
  });

  it('lost them to a page that skips where the others are behind the first cursor', () => {
    const walk = walked(page(1, A, B), page(2, D, E), page(2));
    expect(walk.namesHead(page(9, D, E), inventory(FLEET))).toBe(false);
  });
});
