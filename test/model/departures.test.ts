/** Contract section 9, second table: B210 and B211 read literally, and as the reference reads them. */
import { describe, expect, it } from 'vitest';
import type { Ack, MutationCall, Outcome } from '../../model/call.js';
import { stepMutation } from '../../model/contract.js';
import { acked, configured, create, drain, idle, PLAIN, rejected, shown, token, Walk } from './build.js';

function departuresOf(walk: Walk, call: MutationCall, outcome: Outcome<Ack>): readonly string[] | null {
  const { belief, departures } = stepMutation(walk.belief, call, outcome, PLAIN);
  return belief.length === 0 ? null : departures;
}

describe('a negative grace', () => {
  const call = drain({ grace: -1n });

  it('is INVALID_ARGUMENT, and the machine stays', () => {
    expect(departuresOf(configured(), call, rejected('INVALID_ARGUMENT'))).toEqual([]);
    const refused = configured().call(call, rejected('INVALID_ARGUMENT'));
    expect(refused.allowsGet(shown('CONFIGURED'))).toBe(true);
    expect(refused.allowsGet(shown('DRAINING'))).toBe(false);
  });

  it('that drains departs from B210 alone, and the Drain must then complete', () => {
    expect(departuresOf(configured(), call, acked('d', 'DRAINING'))).toEqual(['B210']);
    const drained = configured().call(call, acked('d', 'DRAINING'));
    expect(drained.allowsGet(shown('CONFIGURED'))).toBe(false);
    expect(drained.sees('IDLE').allows(drain(), acked('d', 'IDLE'))).toBe(true);
  });

  it.each(['FAILED_PRECONDITION', 'INTERNAL', 'NOT_FOUND'] as const)('that is %s is neither', (code) => {
    expect(departuresOf(configured(), call, rejected(code))).toBeNull();
  });

  it('that drains in a way no Drain may is neither', () => {
    expect(departuresOf(configured(), call, acked('f', 'DRAINING'))).toBeNull();
    expect(departuresOf(configured(), call, acked('d', 'CONFIGURED'))).toBeNull();
  });
});

describe('a negative token', () => {
  const sent = [token(-1n, 5n), token(5n, -1n)];

  it.each(sent)('($epoch, $sequence) is INVALID_ARGUMENT', (negative) => {
    const walk = Walk.from('SPECULATIVE');
    expect(departuresOf(walk, create({ token: negative }), rejected('INVALID_ARGUMENT'))).toEqual([]);
    expect(departuresOf(walk, create({ token: negative }), rejected('FAILED_PRECONDITION'))).toBeNull();
    const refused = walk.call(create({ token: negative }), rejected('INVALID_ARGUMENT'));
    expect(refused.allowsGet(shown('CREATING'))).toBe(false);
  });

  it.each(sent)('($epoch, $sequence) that is accepted departs from B211 alone', (negative) => {
    const call = create({ token: negative });
    expect(departuresOf(Walk.from('SPECULATIVE'), call, acked('c', 'CREATING'))).toEqual(['B211']);
  });

  it('of a shard that has a mark is stale at most', () => {
    const walk = idle().call(create({ token: token(1n, 1n) }), acked('c', 'IDLE'));
    const call = drain({ token: token(1n, -1n) });
    expect(departuresOf(walk, call, rejected('FAILED_PRECONDITION'))).toEqual([]);
    expect(departuresOf(walk, call, acked('d', 'DRAINING'))).toBeNull();
  });

  it('without a shard is not this defect', () => {
    expect(
      departuresOf(Walk.from('SPECULATIVE'), create({ token: token(-1n, 1n, '') }), acked('c', 'CREATING')),
    ).toEqual([]);
  });
});

describe('an empty machine id', () => {
  it('is INVALID_ARGUMENT in either reading', () => {
    const call = create({ machineId: '' });
    expect(departuresOf(Walk.from('ABSENT'), call, rejected('INVALID_ARGUMENT'))).toEqual([]);
    for (const code of ['NOT_FOUND', 'FAILED_PRECONDITION', 'UNIMPLEMENTED'] as const) {
      expect(departuresOf(Walk.from('ABSENT'), call, rejected(code))).toBeNull();
    }
    expect(departuresOf(Walk.from('ABSENT'), call, acked('c', 'CREATING', { id: '' }))).toBeNull();
  });
});
