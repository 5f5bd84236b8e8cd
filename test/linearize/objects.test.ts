/** Registers, counters and locks with verdicts that can be worked out by hand. */
import { describe, expect, test } from 'vitest';
import { check, type HistoryCall, type Specification, type Verdict } from '../../src/engine/linearize.js';
import {
  type CounterCall,
  call,
  coinRegister,
  counter,
  type LockCall,
  lock,
  type RegisterCall,
  register,
} from './objects.js';

const write = (value: number): RegisterCall => ({ op: 'write', value });
const read = (value: number | null): RegisterCall => ({ op: 'read', value });
const cas = (from: number, to: number, ok: boolean | null): RegisterCall => ({ op: 'cas', from, to, ok });
const add = (by: number, total: number | null): CounterCall => ({ op: 'add', by, total });
const total = (value: number): CounterCall => ({ op: 'get', total: value });
const locks = (who: string, ok: boolean | null): LockCall => ({ op: 'lock', who, ok });
const unlocks = (who: string, ok: boolean | null): LockCall => ({ op: 'unlock', who, ok });

function kind<S, C>(spec: Specification<S, C>, ...history: HistoryCall<C>[]): Verdict<S>['kind'] {
  // The order in which a history is written down must not matter.
  const verdict = check(spec, history).kind;
  expect(check(spec, history.toReversed()).kind).toBe(verdict);
  return verdict;
}

describe('a register', () => {
  test('reads overlapping a write may see either value', () => {
    expect(kind(register, call(0, 9, write(1)), call(1, 4, read(null)), call(5, 8, read(1)))).toBe(
      'explained',
    );
  });
  test('a value once seen does not go away', () => {
    expect(kind(register, call(0, 9, write(1)), call(1, 4, read(1)), call(5, 8, read(null)))).toBe(
      'violation',
    );
  });
  test('a read after the write sees it', () => {
    expect(kind(register, call(0, 1, write(1)), call(2, 3, read(null)))).toBe('violation');
  });
  test('a read that touches the write overlaps it', () => {
    expect(kind(register, call(0, 2, write(1)), call(2, 3, read(null)))).toBe('explained');
  });
  test('two swaps from one value cannot both win', () => {
    const start = call(0, 1, write(0));
    expect(kind(register, start, call(2, 9, cas(0, 1, true)), call(2, 9, cas(0, 2, false)))).toBe(
      'explained',
    );
    expect(kind(register, start, call(2, 9, cas(0, 1, true)), call(2, 9, cas(0, 2, true)))).toBe('violation');
  });
  test('a lost write may be seen late, once it was sent', () => {
    expect(kind(register, call(0, null, write(1)), call(1, 2, read(null)), call(3, 4, read(1)))).toBe(
      'explained',
    );
    expect(kind(register, call(5, null, write(1)), call(3, 4, read(1)))).toBe('violation');
  });
  test('a lost write is seen once', () => {
    const history = [call(0, null, write(1)), call(1, 2, read(1)), call(3, 4, write(2)), call(5, 6, read(1))];
    expect(kind(register, ...history)).toBe('violation');
    expect(kind(register, ...history, call(0, null, write(1)))).toBe('explained');
  });
});

describe('a register whose writes may not stick', () => {
  test('the old value may stay', () => {
    const history = [call(0, 1, write(1)), call(2, 3, read(1)), call(4, 5, write(2)), call(6, 7, read(1))];
    expect(kind(coinRegister, ...history)).toBe('explained');
    expect(kind(register, ...history)).toBe('violation');
  });
  test('a read settles whether it stuck', () => {
    expect(kind(coinRegister, call(0, 1, write(1)), call(2, 3, read(null)), call(4, 5, read(1)))).toBe(
      'violation',
    );
  });
});

describe('a counter', () => {
  test('overlapping adds tell totals in some order', () => {
    expect(kind(counter, call(0, 9, add(1, 3)), call(0, 9, add(2, 2)), call(10, 11, total(3)))).toBe(
      'explained',
    );
  });
  test('no two adds tell the same total', () => {
    expect(kind(counter, call(0, 9, add(1, 1)), call(0, 9, add(1, 1)))).toBe('violation');
  });
  test('a total needs as many adds as were sent', () => {
    expect(
      kind(counter, call(0, null, add(1, null)), call(1, null, add(1, null)), call(2, 3, total(2))),
    ).toBe('explained');
    expect(
      kind(counter, call(0, null, add(1, null)), call(4, null, add(1, null)), call(2, 3, total(2))),
    ).toBe('violation');
  });
});

describe('a lock', () => {
  test('of two overlapping tries one wins', () => {
    expect(kind(lock, call(0, 9, locks('a', true)), call(0, 9, locks('b', false)))).toBe('explained');
    expect(kind(lock, call(0, 9, locks('a', true)), call(0, 9, locks('b', true)))).toBe('violation');
  });
  test('both win when an unlock fits in between', () => {
    expect(
      kind(lock, call(0, 9, locks('a', true)), call(0, 9, locks('b', true)), call(0, 9, unlocks('a', true))),
    ).toBe('explained');
  });
  test('only the holder unlocks', () => {
    expect(kind(lock, call(0, 1, locks('a', true)), call(2, 3, unlocks('b', true)))).toBe('violation');
  });
  test('a lost unlock explains the next holder, a lost try the refusal', () => {
    expect(
      kind(
        lock,
        call(0, 1, locks('a', true)),
        call(2, null, unlocks('a', null)),
        call(3, 4, locks('b', true)),
      ),
    ).toBe('explained');
    expect(kind(lock, call(0, null, locks('a', null)), call(3, 4, locks('b', false)))).toBe('explained');
    expect(kind(lock, call(5, null, locks('a', null)), call(3, 4, locks('b', false)))).toBe('violation');
  });
});
