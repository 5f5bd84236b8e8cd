import { describe, expect, it } from 'vitest';
import type { Mark } from '../../model/fencing.js';
import { relationOf } from '../../model/fencing.js';
import type { TokenClass } from '../../properties/program.js';
import { INT64_MAX, TokenSource } from '../../src/engine/tokens.js';

const mark = (epoch: bigint, sequence: bigint): Mark => ({ epoch, sequence, applied: true });
const sight = (here?: Mark, elsewhere?: Mark) => ({ here: () => here, elsewhere: () => elsewhere });
const resolve = (kind: TokenClass, here?: Mark, elsewhere?: Mark) =>
  new TokenSource('p').resolve({ class: kind, shard: 0 }, sight(here, elsewhere)).token;
const relation = (kind: TokenClass, here: Mark) => relationOf(new Map([['p-0', here]]), resolve(kind, here));

describe('token classes', () => {
  it.each([
    ['fresh', 'newer-sequence'],
    ['replay', 'same'],
    ['lower-sequence', 'older-sequence'],
    ['lower-epoch', 'older-epoch'],
    ['higher-epoch', 'newer-epoch'],
    ['past-int32', 'newer-sequence'],
    ['past-double', 'newer-sequence'],
    ['zero', 'older-epoch'],
  ] as const)('%s is %s to the mark', (kind, wanted) => {
    expect(relation(kind, mark(3n, 5n))).toBe(wanted);
  });

  it('puts an older epoch on the boundary: its sequence is the higher one', () => {
    expect(resolve('lower-epoch', mark(3n, 5n)).sequence).toBeGreaterThan(5n);
    expect(resolve('higher-epoch', mark(3n, 5n)).sequence).toBeLessThan(5n);
  });

  it('uses on this machine what the same shard used on another one', () => {
    expect(resolve('other-machine', undefined, mark(4n, 9n))).toMatchObject({ epoch: 4n, sequence: 9n });
  });

  it('never sends one token twice as fresh, across machines', () => {
    const source = new TokenSource('p');
    const sent = Array.from(
      { length: 5 },
      () => source.resolve({ class: 'fresh', shard: 0 }, sight()).token.sequence,
    );
    expect(new Set(sent).size).toBe(5);
  });

  it('has no shard id for a call without a token, nor for numbers without a shard', () => {
    expect(resolve('none')).toEqual({ shard: '', epoch: 0n, sequence: 0n });
    expect(resolve('shardless')).toMatchObject({ shard: '', epoch: 1n });
  });

  it('goes on with a higher epoch, then with another shard, once the numbers are used up', () => {
    expect(resolve('fresh', mark(1n, INT64_MAX))).toEqual({ shard: 'p-0', epoch: 2n, sequence: 1n });
    const worn = resolve('fresh', mark(INT64_MAX, INT64_MAX));
    expect(worn.shard).not.toBe('p-0');
    expect(worn).toMatchObject({ epoch: 1n, sequence: 1n });
  });

  it('leaves a concrete token as it is', () => {
    const token = { shard: 3, epoch: '-1', sequence: '9223372036854775807' };
    const { token: sent, concrete } = new TokenSource('p').resolve(token, sight());
    expect(sent).toEqual({ shard: 'p-3', epoch: -1n, sequence: INT64_MAX });
    expect(concrete).toEqual(token);
  });
});
