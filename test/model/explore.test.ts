import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MutationCall } from '../../model/call.js';
import { canonicalState, keyOf } from '../../model/explore/canonical.js';
import {
  type Bounds,
  DEFAULT_BOUNDS,
  explore,
  INVARIANTS,
  ORACLE,
  type Oracle,
} from '../../model/explore.js';
import { NO_MARKS } from '../../model/fencing.js';
import { type Possibility, possibilities } from '../../model/possibilities.js';
import { firstMet, type MachineState, settled } from '../../model/state.js';
import { configure, create, drain, PLAIN, remove, token } from './build.js';

/** Large enough for every broken oracle below to be caught, small enough to be explored for each. */
const SMALL: Bounds = {
  ...DEFAULT_BOUNDS,
  spaces: DEFAULT_BOUNDS.spaces
    .filter(({ oddRequests }) => !oddRequests)
    .map((space) => ({ ...space, shards: ['a'] })),
  epochs: 1,
  sequences: 1,
};

describe('the model', () => {
  it('keeps every invariant in every state that it can reach', { timeout: 60_000 }, () => {
    const { violations, states, transitions, depth } = explore();
    expect(violations).toEqual([]);
    expect(states).toBeGreaterThan(10_000);
    expect(transitions).toBeGreaterThan(1_000_000);
    expect(depth).toBeGreaterThan(8);
  });

  it('finds the same on every exploration', () => {
    expect(explore(SMALL)).toEqual(explore(SMALL));
  });

  it('gives a space up that does not end', () => {
    const endless: Oracle = {
      ...ORACLE,
      possibilities: broken((answer, call) => {
        const mark = answer.next.marks.get(call.token.shard);
        if (mark === undefined) return answer;
        const marks = new Map([['a', { ...mark, epoch: mark.epoch + 1n }]]);
        return { ...answer, next: { ...answer.next, marks } };
      }),
    };
    expect(() => explore({ ...SMALL, maxStates: 2_000 }, endless)).toThrow(RangeError);
  });
});

type Change = (answer: Possibility, call: MutationCall, state: MachineState) => Possibility;

/** The model's possibilities, each changed by `change`. */
function broken(change: Change): Oracle['possibilities'] {
  return (state, call, config) =>
    possibilities(state, call, config).map((answer) => change(answer, call, state));
}

const byRule =
  (
    rule: Possibility['rule'],
    change: (answer: Possibility, state: MachineState) => Partial<Possibility>,
  ): Change =>
  (answer, _call, state) =>
    answer.rule === rule ? { ...answer, ...change(answer, state) } : answer;

/** For each invariant a model that does not keep it. */
const BROKEN: Readonly<Record<string, Partial<Oracle>>> = {
  'record-table': { mismatchOf: () => null },
  'binding-lifespan': { settled: (state) => ({ ...settled(state), binding: state.binding }) },
  'failed-is-terminal': {
    possibilities: broken(byRule('terminal', ({ next }) => ({ next: { ...next, phase: 'IDLE' } }))),
  },
  'silent-steps-end-transitions': { settled: (state) => ({ ...settled(state), marks: NO_MARKS }) },
  'only-acceptance-moves': {
    possibilities: broken(byRule('existence', ({ next }) => ({ next: { ...next, phase: 'CREATING' } }))),
  },
  total: {
    possibilities: (state, call, config) =>
      state.phase === 'DRAINING' && call.kind === 'Drain' ? [] : possibilities(state, call, config),
  },
  'rejection-changes-nothing': {
    possibilities: broken(byRule('position', ({ next }) => ({ next: { ...next, binding: null } }))),
  },
  'marks-never-fall': {
    possibilities: broken(
      byRule('accept', ({ next }, { marks }) => ({
        next: { ...next, marks: marks.size > 0 ? NO_MARKS : next.marks },
      })),
    ),
  },
  'stale-changes-nothing': {
    possibilities: (state, call, config) => possibilities({ ...state, marks: NO_MARKS }, call, config),
  },
  'passing-moves-the-mark': {
    possibilities: broken(byRule('position', ({ next }, { marks }) => ({ next: { ...next, marks } }))),
  },
  'fencing-code-is-the-fences': {
    possibilities: broken(
      byRule('position', () => ({ expect: { kind: 'codes', codes: ['FAILED_PRECONDITION'] } })),
    ),
  },
  'no-op-mints-nothing': {
    possibilities: broken(
      byRule('idempotency', ({ expect: wanted }) => ({
        expect: wanted.kind === 'ack' ? { ...wanted, operation: 'fresh' } : wanted,
      })),
    ),
  },
  'one-operation-in-flight': {
    possibilities: (state, call, config) =>
      state.phase === 'CONFIGURING' && call.kind === 'Drain'
        ? possibilities({ ...state, phase: 'CONFIGURED' }, call, config)
        : possibilities(state, call, config),
  },
  'acceptance-starts-on-its-edge': {
    possibilities: broken(byRule('accept', ({ next }) => ({ next: settled(next) }))),
  },
};

describe('an invariant', () => {
  it('is listed once, with its section, and has a model that breaks it', () => {
    expect(INVARIANTS.map(({ name }) => name)).toEqual(Object.keys(BROKEN));
    for (const { section, says } of INVARIANTS) {
      expect(section).toMatch(/^[0-9]/);
      expect(says).not.toBe('');
    }
  });

  it.each(Object.entries(BROKEN))('%s fails for a model that does not keep it', (name, part) => {
    const { violations } = explore(SMALL, { ...ORACLE, ...part });
    const violation = violations.find(({ invariant }) => invariant === name) ?? expect.fail('not found');
    expect(violation.detail).not.toBe('');
    const needsState = name !== 'record-table';
    expect(violation.path.length > 0).toBe(needsState);
  });

  it('is reported with the shortest way to where it fails', () => {
    const oracle = { ...ORACLE, ...BROKEN['binding-lifespan'] };
    const { violations } = explore(SMALL, oracle);
    expect(violations).toEqual([
      {
        invariant: 'binding-lifespan',
        section: '3',
        detail: 'a binding in IDLE',
        path: [
          'met in IDLE',
          'Configure cluster-a: accept',
          'becomes CONFIGURED',
          'Drain: accept',
          'becomes IDLE',
        ],
      },
    ]);
  });
});

describe('the canonical form of a state', () => {
  const calls = [create(), configure(), drain(), remove(), create({ token: token(1n, 1n) })];
  const moves = fc.array(fc.oneof(fc.constantFrom(...calls), fc.constant('settle' as const)), {
    maxLength: 24,
  });

  /** What a state may answer, without the names of its operations. */
  const answers = (state: MachineState) =>
    calls.map((call) =>
      possibilities(state, call, PLAIN).map(({ rule, expect: wanted, next }) => [
        rule,
        wanted.kind,
        wanted.kind === 'ack' && typeof wanted.operation !== 'string' ? 'known' : wanted,
        keyOf(canonicalState(next)),
      ]),
    );

  it('answers every call as the state itself does, after any history', () => {
    fc.assert(
      fc.property(moves, fc.boolean(), (history, known) => {
        let minted = 0;
        let state = firstMet('SPECULATIVE', known);
        for (const move of history) {
          const [first] = move === 'settle' ? [] : possibilities(state, move, PLAIN);
          state = move === 'settle' ? settled(state) : (first?.next ?? state);
          if (state.operations?.id === null) {
            minted += 1;
            state = { ...state, operations: { ...state.operations, id: `op-${minted}` } };
          }
          expect(answers(canonicalState(state))).toEqual(answers(state));
        }
      }),
    );
  });
});
