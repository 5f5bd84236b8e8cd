import { describe, expect, it } from 'vitest';
import { inParallel, interleaved, widthFor } from '../../src/engine/parallel.js';

const groupsOf = (...sizes: number[]) =>
  sizes.map((size, group) => Array.from({ length: size }, (_, item) => ({ group, item })));
const named = (items: Iterable<{ group: number; item: number }>) =>
  [...items].map(({ group, item }) => `${group}.${item}`);

describe('interleaved', () => {
  it('takes one of each group in turn', () => {
    expect(named(interleaved(groupsOf(2, 3), 2))).toEqual(['0.0', '1.0', '0.1', '1.1', '1.2']);
  });

  it('goes on when all open groups end together', () => {
    expect(named(interleaved(groupsOf(1, 1, 1, 0, 1), 2))).toEqual(['0.0', '1.0', '2.0', '4.0']);
  });

  it.each([1, 2, 3, 16])('loses and doubles nothing with %i groups open', (width) => {
    const groups = groupsOf(10, 10, 3, 0, 7, 10, 1);
    expect(named(interleaved(groups, width)).toSorted()).toEqual(named(groups.flat()).toSorted());
  });

  it('asks for a group only when it is its turn', () => {
    let asked = 0;
    function* groups() {
      for (const group of groupsOf(1, 1, 1)) {
        asked += 1;
        yield group;
      }
    }
    const items = interleaved(groups(), 1);
    items.next();
    expect(asked).toBe(1);
  });
});

describe('inParallel', () => {
  it('works on every item once, never on more at a time than it may', async () => {
    const done: string[] = [];
    let [now, most] = [0, 0];
    await inParallel(interleaved(groupsOf(5, 5, 5), 2), 3, async ({ group, item }) => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
      done.push(`${group}.${item}`);
    });
    expect(done.toSorted()).toEqual(named(groupsOf(5, 5, 5).flat()).toSorted());
    expect(most).toBe(3);
  });

  it('ends with the first failure', async () => {
    const done: number[] = [];
    const work = inParallel([1, 2, 3], 1, async (item) => {
      if (item === 2) throw new Error('two');
      done.push(item);
    });
    await expect(work).rejects.toThrow('two');
    expect(done).toEqual([1]);
  });
});

describe('widthFor', () => {
  it('leaves ordinary fleets alone', () => {
    expect(widthFor(32, 256)).toBe(32);
    expect(widthFor(32, 0)).toBe(32);
  });

  it('runs fewer programs at once where every List of the fleet is large, and always one', () => {
    expect(widthFor(32, 100_000)).toBe(5);
    expect(widthFor(2, 100_000)).toBe(2);
    expect(widthFor(32, 10_000_000)).toBe(1);
  });
});
