/**
 * A linearizability checker for nondeterministic specifications: a Wing-Gong search with Lowe's memo, over
 * beliefs. It knows no provider; see `Specification` for the three functions that it asks for.
 *
 * Partitions are searched in turns, so that a hard one never hides an easy violation of another one.
 */
import { PartitionSearch } from './linearize/search.js';
import type { CheckOptions, HistoryCall, Specification, Verdict } from './linearize/specification.js';
import { Tally } from './linearize/tally.js';
import { timelines } from './linearize/timeline.js';

export type {
  CheckOptions,
  Explained,
  Final,
  HistoryCall,
  Specification,
  Undecided,
  Verdict,
  Violation,
} from './linearize/specification.js';

const DEFAULT_MAX_MEMO = 1 << 20;
const DEFAULT_SLICE = 1_000;

/**
 * Decides whether a history is linearizable: whether, on every partition, an order of its calls exists that
 * agrees with real time (a reply before an invocation; calls that touch at one instant overlap) and that the
 * specification can run along. The history may be in any order; no call and no partition is needed.
 * @throws RangeError when times are not in order, or a partition has no initial state.
 */
export function check<S, C>(
  spec: Specification<S, C>,
  history: readonly HistoryCall<C>[],
  options: CheckOptions = {},
): Verdict<S> {
  const turns = checkInTurns(spec, history, options);
  for (;;) {
    const turn = turns.next();
    if (turn.done) return turn.value;
  }
}

/**
 * The same check as an iterator that hands control back after every turn (one slice of one partition), for a
 * caller that has other work to do meanwhile.
 * @throws RangeError as `check` does, at the first turn.
 */
export function* checkInTurns<S, C>(
  spec: Specification<S, C>,
  history: readonly HistoryCall<C>[],
  options: CheckOptions = {},
): Generator<undefined, Verdict<S>> {
  const { budget = always, slice = DEFAULT_SLICE, maxMemo = DEFAULT_MAX_MEMO, allFinals = false } = options;
  let running: readonly PartitionSearch<S, C>[] = [];
  // Shares only grow, as partitions finish, so all together stay within maxMemo.
  const limit = (): number => Math.floor(maxMemo / Math.max(1, running.length));
  running = timelines(spec, history).map((line) => new PartitionSearch(spec, line, { limit, allFinals }));
  const tally = new Tally<S>();
  while (running.length > 0) {
    for (const search of running) {
      const withinBudget = searchSlice(search, slice, budget);
      const deadEnd = search.deadEnd();
      if (deadEnd !== undefined) {
        const belief = beliefAfter(spec, search.partition, history, deadEnd.longestPrefix);
        return {
          kind: 'violation',
          partition: search.partition,
          ...deadEnd,
          belief,
          steps: tally.steps(running),
        };
      }
      if (!withinBudget) return tally.spent(running);
      yield;
    }
    for (const search of running) if (search.finished) tally.add(search);
    running = running.filter((search) => !search.finished);
  }
  return tally.explained();
}

function always(): boolean {
  return true;
}

/** Searches one partition for a slice; false when the budget is spent. */
function searchSlice<S, C>(search: PartitionSearch<S, C>, slice: number, budget: () => boolean): boolean {
  for (let step = 0; step < slice && !search.finished; step++) {
    if (!budget()) return false;
    search.step();
  }
  return true;
}

/** All states after `order`; the search itself only carries those that it had not seen before. */
function beliefAfter<S, C>(
  spec: Specification<S, C>,
  partition: string,
  history: readonly HistoryCall<C>[],
  order: readonly number[],
): S[] {
  let belief = distinct(spec, spec.initial(partition));
  for (const index of order) {
    const taken = history[index];
    if (taken !== undefined)
      belief = distinct(
        spec,
        belief.flatMap((state) => spec.step(state, taken.call)),
      );
  }
  return belief;
}

function distinct<S, C>(spec: Specification<S, C>, states: readonly S[]): S[] {
  return [...new Map(states.map((state) => [spec.key(state), state])).values()];
}
