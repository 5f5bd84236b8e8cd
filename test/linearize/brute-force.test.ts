/** The checker against one that tries every order: they must agree on every small history. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CheckOptions,
  check,
  type HistoryCall,
  type Specification,
} from '../../src/engine/linearize.js';
import { type BruteForce, bruteForce, byArrival, finalText } from './brute-force.js';
import { acked, FENCED, get, type LifecycleCall, lifecycle, mutation, REJECTED } from './lifecycle.js';
import {
  type CounterCall,
  call,
  coinRegister,
  counter,
  keyedRegister,
  type RegisterCall,
  register,
} from './objects.js';

const value = fc.integer({ min: 0, max: 1 });

/** Times on a coarse grid, so that calls often touch; one in five replies is lost. */
function histories<C>(
  answered: fc.Arbitrary<C>,
  lost: fc.Arbitrary<C>,
  maxLength: number,
): fc.Arbitrary<HistoryCall<C>[]> {
  const from = fc.integer({ min: 0, max: 12 });
  const one = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(from, fc.integer({ min: 0, max: 6 }), answered) },
    { weight: 1, arbitrary: fc.tuple(from, fc.constant(null), lost) },
  );
  return fc.array(
    one.map(([at, length, what]) => call(at, length === null ? null : at + length, what)),
    { minLength: 1, maxLength },
  );
}

const write = fc.record({ op: fc.constant('write' as const), value });
const cas = (ok: boolean | null) =>
  fc.record({ op: fc.constant('cas' as const), from: value, to: value, ok: fc.constant(ok) });
const registerCalls = histories<RegisterCall>(
  fc.oneof(
    write,
    fc.record({ op: fc.constant('read' as const), value: fc.option(value, { freq: 6 }) }),
    cas(true),
    cas(false),
  ),
  fc.oneof(write, cas(null)),
  6,
);
const by = fc.integer({ min: 1, max: 2 });
const counterCalls = histories<CounterCall>(
  fc.oneof(
    fc.record({ op: fc.constant('add' as const), by, total: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ op: fc.constant('get' as const), total: fc.integer({ min: 0, max: 4 }) }),
  ),
  fc.record({ op: fc.constant('add' as const), by, total: fc.constant(null) }),
  4,
);
const token = fc.option(fc.tuple(fc.constantFrom('a'), fc.integer({ min: 1, max: 2 }), value), { freq: 1 });
const kind = fc.constantFrom('Create' as const, 'Configure' as const);
const lifecycleCalls = histories<LifecycleCall>(
  fc.oneof(
    fc
      .tuple(token, fc.constantFrom(acked('1', 'CREATING'), acked('1', 'IDLE'), FENCED))
      .map(([t, reply]) => mutation('Create', { token: t, reply })),
    fc
      .tuple(token, fc.constantFrom(acked('2', 'CONFIGURING', 'c1'), REJECTED, FENCED))
      .map(([t, reply]) => mutation('Configure', { token: t, reply })),
    fc.constantFrom(get('SPECULATIVE'), get('CREATING'), get('IDLE'), get('CONFIGURED', 'c1')),
  ),
  fc.tuple(token, kind).map(([t, k]) => mutation(k, { token: t })),
  5,
);

interface Tally {
  explained: number;
  violations: number;
}

/** Runs both checkers over `runs` histories and says how the verdicts were spread. */
function agree<S, C>(
  spec: Specification<S, C>,
  made: fc.Arbitrary<HistoryCall<C>[]>,
  runs: number,
  options: CheckOptions = {},
): Tally {
  const tally = { explained: 0, violations: 0 };
  const same = (history: HistoryCall<C>[]) => {
    const truth = bruteForce(spec, history, 'x');
    const verdict = check(spec, history, { allFinals: true, ...options });
    expect(verdict.kind).toBe(truth.explained ? 'explained' : 'violation');
    if (verdict.kind === 'explained') {
      tally.explained += 1;
      expectOrder(spec, history, verdict.orders.get('x') ?? []);
      expectFinals(spec, verdict.finals.get('x') ?? [], truth);
    } else if (verdict.kind === 'violation') {
      tally.violations += 1;
      expect(verdict.stuck).toBe(byArrival(history)[truth.explainedInARow]);
      expectPrefix(spec, history, verdict, truth);
    }
  };
  fc.assert(fc.property(made, same), { seed: 20_240_501, numRuns: runs });
  return tally;
}

function run<S, C>(
  spec: Specification<S, C>,
  history: readonly HistoryCall<C>[],
  order: readonly number[],
): string[] {
  let states = [...spec.initial('x')];
  for (const index of order) {
    const one = history[index];
    if (one !== undefined) states = states.flatMap((state) => spec.step(state, one.call));
  }
  return [...new Set(states.map((state) => String(spec.key(state))))].sort();
}

function expectRealTime(history: readonly HistoryCall<unknown>[], order: readonly number[]): void {
  expect(new Set(order).size).toBe(order.length);
  for (const [place, later] of order.entries()) {
    for (const earlier of order.slice(0, place)) {
      const over = history[later]?.returnedAt ?? Number.POSITIVE_INFINITY;
      expect(over).toBeGreaterThanOrEqual(history[earlier]?.invokedAt ?? Number.NaN);
    }
  }
}

function expectOrder<S, C>(
  spec: Specification<S, C>,
  history: readonly HistoryCall<C>[],
  order: readonly number[],
) {
  expectRealTime(history, order);
  for (const index of byArrival(history)) expect(order).toContain(index);
  expect(run(spec, history, order)).not.toEqual([]);
}

function expectPrefix<S, C>(
  spec: Specification<S, C>,
  history: readonly HistoryCall<C>[],
  found: { readonly longestPrefix: readonly number[]; readonly belief: readonly S[] },
  truth: BruteForce,
): void {
  expectRealTime(history, found.longestPrefix);
  expect(found.longestPrefix).toEqual(
    expect.arrayContaining(byArrival(history).slice(0, truth.explainedInARow)),
  );
  expect(found.longestPrefix.filter((index) => history[index]?.returnedAt !== null)).toHaveLength(
    truth.explainedThen,
  );
  expect(found.belief).not.toEqual([]);
  expect(found.belief.map((state) => String(spec.key(state))).sort()).toEqual(
    run(spec, history, found.longestPrefix),
  );
}

/** Found finals are true ones; true ones are found, or one with more calls open is (alike calls may stand in). */
function expectFinals<S, C>(
  spec: Specification<S, C>,
  finals: readonly { readonly state: S; readonly open: readonly number[] }[],
  truth: BruteForce,
): void {
  const found = finals.map(({ state, open }) => ({ key: String(spec.key(state)), open }));
  for (const { key, open } of found) expect(truth.finals).toContain(finalText(key, open));
  for (const text of truth.finals) {
    const [key = '', open = ''] = text.split(' open ');
    const needed = open === '' ? [] : open.split(' ').map(Number);
    const matches = found.some(
      (final) =>
        final.key === key &&
        (spec.callKey
          ? final.open.length >= needed.length
          : needed.every((index) => final.open.includes(index))),
    );
    expect(matches, `${text} is among the finals`).toBe(true);
  }
}

/** Both verdicts must be common, or agreeing would mean little. */
function expectBoth({ explained, violations }: Tally, runs: number): void {
  expect(explained + violations).toBe(runs);
  expect(Math.min(explained, violations)).toBeGreaterThan(runs / 10);
}

test('a register with compare-and-set', () => {
  expectBoth(agree(register, registerCalls, 3_000), 3_000);
});

test('a register that says which calls are alike', () => {
  expectBoth(agree(keyedRegister, registerCalls, 3_000), 3_000);
});

test('a register whose writes and values may vanish', () => {
  expectBoth(agree(coinRegister, registerCalls, 2_000), 2_000);
});

test('a counter', () => {
  expectBoth(agree(counter, counterCalls, 2_000), 2_000);
});

test('the lifecycle and the fence', () => {
  expectBoth(agree(lifecycle, lifecycleCalls, 2_000), 2_000);
});

test('a memory of one entry changes no verdict', () => {
  expectBoth(agree(coinRegister, registerCalls, 1_000, { maxMemo: 1 }), 1_000);
  expectBoth(agree(keyedRegister, registerCalls, 1_000, { maxMemo: 1 }), 1_000);
});
