/** The memo against the plainest set that does the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Memo } from '../../src/engine/linearize/memo.js';

interface Place {
  readonly frontier: number;
  readonly state: number;
  readonly answered: number;
  readonly lost: number;
}

/** Remembers every place and looks at all of them. */
class PlainMemo {
  #places: Place[] = [];

  admit(place: Place): boolean {
    const alike = (known: Place) =>
      known.frontier === place.frontier && known.state === place.state && known.answered === place.answered;
    if (this.#places.some((known) => alike(known) && (known.lost & ~place.lost) === 0)) return false;
    this.#places = this.#places.filter((known) => !(alike(known) && (place.lost & ~known.lost) === 0));
    this.#places.push(place);
    return true;
  }
}

const small = fc.integer({ min: 0, max: 7 });
const place: fc.Arbitrary<Place> = fc.record({ frontier: small, state: small, answered: small, lost: small });

test('admits exactly what no remembered position covers, also after it has grown many times', () => {
  let admitted = 0;
  let covered = 0;
  fc.assert(
    fc.property(fc.array(place, { minLength: 900, maxLength: 1_500, size: 'max' }), (places) => {
      const plain = new PlainMemo();
      const memo = new Memo(1, 2);
      for (const one of places) {
        const expected = plain.admit(one);
        expect(memo.admit(one.frontier, one.state, Int32Array.of(one.answered, one.lost))).toBe(expected);
        if (expected) admitted += 1;
        else covered += 1;
      }
    }),
    { seed: 7, numRuns: 20 },
  );
  expect(Math.min(admitted, covered)).toBeGreaterThan(1_000);
});

test('tells positions apart by every word', () => {
  const memo = new Memo(2, 2);
  for (let word = 0; word < 5_000; word++) {
    expect(memo.admit(0, 0, Int32Array.of(word, 0))).toBe(true);
    if (word > 0) expect(memo.admit(0, 0, Int32Array.of(0, word))).toBe(true);
  }
  expect(memo.size).toBe(9_999);
  expect(memo.admit(0, 0, Int32Array.of(4_999, 0))).toBe(false);
  expect(memo.admit(0, 0, Int32Array.of(0, 4_999))).toBe(false);
});

test('keeps a position in the place of one that it covers', () => {
  const memo = new Memo(1, 2);
  expect(memo.admit(0, 0, Int32Array.of(1, 0b111))).toBe(true);
  expect(memo.admit(0, 0, Int32Array.of(1, 0b011))).toBe(true);
  expect(memo.admit(0, 0, Int32Array.of(1, 0b101))).toBe(true);
  expect(memo.size).toBe(2);
  expect(memo.admit(0, 0, Int32Array.of(1, 0b111))).toBe(false);
});

test('forgets everything when it is cleared', () => {
  const memo = new Memo(1, 1);
  for (let state = 0; state < 1_000; state++) memo.admit(0, state, Int32Array.of(1));
  memo.clear();
  expect(memo.size).toBe(0);
  expect(memo.admit(0, 0, Int32Array.of(1))).toBe(true);
  expect(memo.admit(0, 0, Int32Array.of(1))).toBe(false);
});
