import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_TOKEN, type Token } from '../../model/call.js';
import {
  isAbsent,
  isNegative,
  isShardless,
  moveMark,
  NO_MARKS,
  passes,
  relationOf,
} from '../../model/fencing.js';
import { acked, configure, create, rejected, token, Walk } from './build.js';

const int64 = fc.oneof(
  fc.bigInt({ min: 0n, max: 3n }),
  fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  fc.constantFrom(2n ** 31n - 1n, 2n ** 31n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 2n, 2n ** 63n - 1n),
);
const tokens = fc.record({ shard: fc.constantFrom('a', 'b', 'c'), epoch: int64, sequence: int64 });

/** The order that the contract asks for, in other words: as numbers of one hundred and twenty-eight bits. */
const rank = ({ epoch, sequence }: Token): bigint => epoch * 2n ** 64n + sequence;

describe('the fence', () => {
  it('passes a token exactly where it is greater than all that its own shard had accepted', () => {
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 40 }), (stream) => {
        let marks = NO_MARKS;
        const highest = new Map<string, bigint>();
        for (const sent of stream) {
          const before = highest.get(sent.shard);
          const accepted = before === undefined || rank(sent) > before;
          expect(passes(relationOf(marks, sent))).toBe(accepted);
          if (!accepted) continue;
          highest.set(sent.shard, rank(sent));
          marks = moveMark(marks, sent, true);
        }
      }),
    );
  });

  it('says on which side of the mark a token is', () => {
    const marks = moveMark(NO_MARKS, token(5n, 5n), true);
    const places = [
      [4n, 9n, 'older-epoch'],
      [5n, 4n, 'older-sequence'],
      [5n, 5n, 'same'],
      [5n, 6n, 'newer-sequence'],
      [6n, 0n, 'newer-epoch'],
    ] as const;
    for (const [epoch, sequence, place] of places)
      expect(relationOf(marks, token(epoch, sequence))).toBe(place);
    expect(relationOf(marks, token(1n, 1n, 'another'))).toBe('first');
    expect(relationOf(marks, NO_TOKEN)).toBe('absent');
  });

  it.each([2n ** 31n, 2n ** 53n, 2n ** 63n - 2n])('tells %d from its neighbour', (number) => {
    const marks = moveMark(NO_MARKS, token(1n, number), true);
    expect(relationOf(marks, token(1n, number + 1n))).toBe('newer-sequence');
    expect(relationOf(moveMark(NO_MARKS, token(number, 1n), true), token(number + 1n, 0n))).toBe(
      'newer-epoch',
    );
  });

  it('knows the three kinds of odd tokens apart', () => {
    const kinds = [
      [NO_TOKEN, [true, false, false]],
      [token(0n, 0n), [false, false, false]],
      [token(0n, 1n, ''), [false, true, false]],
      [token(1n, 0n, ''), [false, true, false]],
      [token(-1n, 0n, ''), [false, true, false]],
      [token(-1n, 5n), [false, false, true]],
      [token(5n, -1n), [false, false, true]],
    ] as const;
    for (const [sent, kind] of kinds)
      expect([isAbsent(sent), isShardless(sent), isNegative(sent)]).toEqual(kind);
  });

  it('never changes the marks it was given', () => {
    const marks = moveMark(NO_MARKS, token(1n, 1n), true);
    moveMark(marks, token(2n, 1n), true);
    expect(marks.get('shard-a')).toEqual({ epoch: 1n, sequence: 1n, applied: true });
    expect(moveMark(marks, NO_TOKEN, true)).toBe(marks);
    expect(NO_MARKS.size).toBe(0);
  });
});

describe('a stream of calls', () => {
  it('is answered FAILED_PRECONDITION exactly where its token is not newer', () => {
    fc.assert(
      fc.property(fc.array(tokens, { minLength: 1, maxLength: 12 }), (stream) => {
        // FAILED rejects everything past the fence, so every reply is a rejection and only its code tells.
        let walk = Walk.from('FAILED');
        const highest = new Map<string, bigint>();
        for (const sent of stream) {
          const before = highest.get(sent.shard);
          const accepted = before === undefined || rank(sent) > before;
          const call = create({ token: sent });
          expect(walk.allows(call, rejected('FAILED_PRECONDITION'))).toBe(!accepted);
          expect(walk.allows(call, rejected('INTERNAL'))).toBe(accepted);
          walk = walk.call(call, rejected(accepted ? 'INTERNAL' : 'FAILED_PRECONDITION'));
          if (accepted) highest.set(sent.shard, rank(sent));
        }
      }),
    );
  });

  it('fences an unknown machine before it is not found, and keeps its mark', () => {
    const walk = Walk.from('ABSENT').call(create({ token: token(3n, 3n) }), rejected('NOT_FOUND'));
    const stale = create({ token: token(3n, 3n) });
    expect(walk.allows(stale, rejected('FAILED_PRECONDITION'))).toBe(true);
    expect(walk.allows(stale, rejected('NOT_FOUND'))).toBe(false);
    expect(walk.allows(create({ token: token(3n, 4n) }), rejected('NOT_FOUND'))).toBe(true);
  });

  it('moves the mark of a call that is rejected behind the fence', () => {
    const walk = Walk.from('SPECULATIVE').call(configure({ token: token(2n, 7n) }), rejected('INTERNAL'));
    expect(walk.allows(create({ token: token(2n, 7n) }), acked('c', 'CREATING'))).toBe(false);
    expect(walk.allows(create({ token: token(2n, 7n) }), rejected('FAILED_PRECONDITION'))).toBe(true);
    expect(walk.allows(create({ token: token(2n, 8n) }), acked('c', 'CREATING'))).toBe(true);
  });

  it('lets a call without a token through, whatever the marks', () => {
    const walk = Walk.from('SPECULATIVE').call(configure({ token: token(9n, 9n) }), rejected('INTERNAL'));
    expect(walk.allows(create(), acked('c', 'CREATING'))).toBe(true);
    expect(walk.allows(create(), rejected('FAILED_PRECONDITION'))).toBe(false);
  });

  it('takes (shard, 0, 0) for a token', () => {
    const walk = Walk.from('SPECULATIVE').call(create({ token: token(0n, 0n) }), acked('c', 'CREATING'));
    expect(walk.allows(create({ token: token(0n, 0n) }), rejected('FAILED_PRECONDITION'))).toBe(true);
    expect(walk.allows(create({ token: token(0n, 0n) }), acked('c', 'CREATING'))).toBe(false);
  });
});
