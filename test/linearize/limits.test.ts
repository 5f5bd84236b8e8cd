/** Budget, memory, turns between partitions, and histories wider than a machine word. */
import { describe, expect, test } from 'vitest';
import { timelines } from '../../src/engine/linearize/timeline.js';
import { check, checkInTurns, type HistoryCall } from '../../src/engine/linearize.js';
import { acked, type LifecycleCall, lifecycle, mutation } from './lifecycle.js';
import { type CounterCall, call, counter, keyedRegister, type RegisterCall, register } from './objects.js';

/** `width` overlapping writes and a read that none of them explains: every order must be tried. */
function hopeless(width: number, partition = 'hard'): HistoryCall<RegisterCall>[] {
  const writes = Array.from({ length: width }, (_, value) =>
    call<RegisterCall>(0, 10 + value, { op: 'write', value }, partition),
  );
  return [...writes, call(5, 100, { op: 'read', value: -1 }, partition)];
}
const wrongRead: HistoryCall<RegisterCall> = call(0, 1, { op: 'read', value: 7 }, 'easy');
const rightRead: HistoryCall<RegisterCall> = call(0, 1, { op: 'read', value: null }, 'fine');

/** A budget of so many steps. */
function steps(count: number): () => boolean {
  let left = count;
  return () => left-- > 0;
}

describe('budget', () => {
  test('is looked at before every step, and its end leaves the hard partitions undecided', () => {
    const verdict = check(register, [rightRead, ...hopeless(24)], { budget: steps(5_000) });
    expect(verdict).toEqual({
      kind: 'undecided',
      partitions: ['hard'],
      reason: 'the budget of the search was spent after 5000 steps',
      steps: 5_000,
    });
  });

  test('no budget at all decides nothing', () => {
    expect(check(register, [wrongRead], { budget: () => false }).kind).toBe('undecided');
  });

  test('an empty history needs none', () => {
    expect(check(register, [], { budget: () => false }).kind).toBe('explained');
  });

  test('what was explained stays explained when the search for all finals runs out of budget', () => {
    const adds = Array.from({ length: 20 }, (_, i) =>
      call<CounterCall>(0, null, { op: 'add', by: 2 ** i, total: null }),
    );
    const verdict = check(counter, [...adds, call(1, 2, { op: 'get', total: 0 })], {
      budget: steps(5_000),
      allFinals: true,
    });
    expect(verdict.kind).toBe('explained');
    expect(verdict).toMatchObject({ finals: new Map() });
  });
});

describe('turns', () => {
  test('a hard partition does not hide an easy violation beside it', () => {
    const verdict = check(register, [...hopeless(24), wrongRead], { slice: 500, budget: steps(1_000_000) });
    expect(verdict).toMatchObject({ kind: 'violation', partition: 'easy', stuck: 25 });
    expect(verdict.steps).toBeLessThan(600);
  });

  test('a violation that takes many slices is found beside many hard partitions', () => {
    const hard = Array.from({ length: 10 }, (_, i) => hopeless(24, `hard ${i}`)).flat();
    const alone = check(register, hopeless(8, 'easier'));
    const verdict = check(register, [...hard, ...hopeless(8, 'easier')], {
      slice: 100,
      budget: steps(1_000_000),
    });
    expect(verdict).toMatchObject({ kind: 'violation', partition: 'easier' });
    expect(alone.steps).toBeGreaterThan(1_000);
    expect(verdict.steps).toBeLessThan(11 * (alone.steps + 100));
  });

  test('control comes back after every slice, and the verdict is the same', () => {
    const history = [...hopeless(8), rightRead];
    const turns = checkInTurns(register, history, { slice: 10 });
    let count = 0;
    let turn = turns.next();
    for (; !turn.done; turn = turns.next()) count += 1;
    expect(count).toBeGreaterThan(100);
    expect(turn.value).toEqual(check(register, history));
  });
});

describe('memory', () => {
  test('is emptied when it is full, and said so when the budget ends', () => {
    const verdict = check(register, hopeless(24), { maxMemo: 1_000, budget: steps(200_000) });
    const emptied =
      verdict.kind === 'undecided' ? /emptied (\d+) times/.exec(verdict.reason)?.[1] : undefined;
    expect(Number(emptied)).toBeGreaterThan(10);
  });

  test('however small, never changes the verdict', () => {
    for (const maxMemo of [0, 1, 10, 100]) {
      expect(check(register, hopeless(6), { maxMemo })).toMatchObject({ kind: 'violation', stuck: 6 });
    }
  });

  test('a slot is handed on, so a long history needs no more of them than calls in flight', () => {
    const chain = Array.from({ length: 300 }, (_, i) =>
      call<RegisterCall>(3 * i, 3 * i + 5, { op: 'write', value: i }),
    );
    const [line] = timelines(register, chain);
    expect(line?.width).toBe(2);
  });
});

describe('width', () => {
  const racing = (ids: readonly string[]): HistoryCall<LifecycleCall>[] =>
    ids.map((id, lane) =>
      call(lane, 1_000 + lane, mutation('Create', { reply: acked(id, 'CREATING') }), 'm', lane),
    );
  const same = Array.from({ length: 63 }, () => 'op');

  test('64 identical racing retries are decided at once, for good and for bad', () => {
    const options = { budget: steps(2_000) };
    expect(check(lifecycle, racing([...same, 'op']), options).kind).toBe('explained');
    expect(check(lifecycle, racing([...same, 'other']), options)).toMatchObject({
      kind: 'violation',
      stuck: 63,
    });
  });

  test('identical lost calls are tried as one', () => {
    const lost = Array.from({ length: 64 }, () =>
      call<CounterCall>(0, null, { op: 'add', by: 1, total: null }),
    );
    const keyed = { ...counter, callKey: (c: CounterCall) => JSON.stringify(c) };
    const options = { budget: steps(2_000) };
    expect(check(keyed, [...lost, call(1, 2, { op: 'get', total: 64 })], options).kind).toBe('explained');
    expect(check(keyed, [...lost, call(1, 2, { op: 'get', total: 65 })], options).kind).toBe('violation');
  });

  test.each([33, 64, 100])('%i calls in flight, told apart beyond one word of bits', (width) => {
    const adds = Array.from({ length: width }, (_, i) =>
      call<CounterCall>(i, 1_000 - i, { op: 'add', by: 1, total: ((i * 7) % width) + 1 }),
    );
    // Every 7th total: a permutation, as no width here is a multiple of 7, so exactly one order explains it.
    const verdict = check(counter, adds);
    expect(verdict.kind).toBe('explained');
    const order = verdict.kind === 'explained' ? verdict.orders.get('x') : undefined;
    expect(order?.map((index) => ((index * 7) % width) + 1)).toEqual(
      Array.from({ length: width }, (_, i) => i + 1),
    );
    const twice = [...adds, call<CounterCall>(0, 2_000, { op: 'add', by: 1, total: 1 })];
    expect(check(counter, twice)).toMatchObject({ kind: 'violation', stuck: width });
  });

  test('lost calls that change nothing the replies speak of do not blow up the search', () => {
    const lost = Array.from({ length: 40 }, (_, i) =>
      call<RegisterCall>(i, null, { op: 'write', value: 1_000 + i }),
    );
    const reads = Array.from({ length: 100 }, (_, i) => [
      call<RegisterCall>(10 * i, 10 * i + 4, { op: 'write', value: i }),
      call<RegisterCall>(10 * i + 5, 10 * i + 9, { op: 'read', value: i }),
    ]).flat();
    expect(check(keyedRegister, [...lost, ...reads], { budget: steps(20_000) }).kind).toBe('explained');
    const wrong = call<RegisterCall>(2_000, 2_001, { op: 'read', value: 5_000 });
    expect(check(keyedRegister, [...lost, ...reads, wrong], { budget: steps(500_000) })).toMatchObject({
      kind: 'violation',
      stuck: 240,
    });
  });
});

describe('what cannot be a history or a specification', () => {
  test('a reply before its invocation, or a time that is no number', () => {
    const read: RegisterCall = { op: 'read', value: null };
    expect(() => check(register, [call(2, 1, read)])).toThrow(/call 0 .* 2 .* 1 /);
    expect(() => check(register, [call(Number.NaN, 1, read)])).toThrow(RangeError);
    expect(() => check(register, [call(1, Number.NaN, read)])).toThrow(RangeError);
  });

  test('an object that can be in no state', () => {
    expect(() => check({ ...register, initial: () => [] }, [wrongRead])).toThrow(/easy has no initial state/);
  });
});
