/** A checker too simple to be wrong: it tries every order of every choice of lost calls, one state at a time. */
import type { HistoryCall, Specification } from '../../src/engine/linearize.js';

/** What every order of one partition's history comes to. */
export interface BruteForce {
  readonly explained: boolean;
  /** Each final as text: the key of its state and the lost calls still open. All of them, covered ones too. */
  readonly finals: ReadonlySet<string>;
  /** The most replies, in the order of their arrival, that one order explains. */
  readonly explainedInARow: number;
  /** The most replies that an order explains at all, of those that explain so many in a row. */
  readonly explainedThen: number;
}

export function bruteForce<S, C>(
  spec: Specification<S, C>,
  history: readonly HistoryCall<C>[],
  partition: string,
): BruteForce {
  const finals = new Set<string>();
  let explainedInARow = 0;
  let explainedThen = 0;
  const arrivals = byArrival(history);
  const visit = (state: S, done: ReadonlySet<number>): void => {
    const missing = arrivals.findIndex((index) => !done.has(index));
    const inARow = missing === -1 ? arrivals.length : missing;
    const answered = arrivals.filter((index) => done.has(index)).length;
    if (inARow > explainedInARow) explainedThen = 0;
    explainedInARow = Math.max(explainedInARow, inARow);
    if (inARow === explainedInARow) explainedThen = Math.max(explainedThen, answered);
    if (missing === -1) finals.add(finalText(spec.key(state), openAfter(history, done)));
    for (const [index, one] of history.entries()) {
      if (done.has(index) || mustWait(history, done, one)) continue;
      for (const next of spec.step(state, one.call)) visit(next, new Set([...done, index]));
    }
  };
  for (const state of spec.initial(partition)) visit(state, new Set());
  return { explained: finals.size > 0, finals, explainedInARow, explainedThen };
}

/** Indices of the calls with a reply, as the replies came; at one instant in the order of the history. */
export function byArrival(history: readonly HistoryCall<unknown>[]): readonly number[] {
  return history
    .flatMap(({ returnedAt }, index) => (returnedAt === null ? [] : [{ returnedAt, index }]))
    .sort((a, b) => a.returnedAt - b.returnedAt || a.index - b.index)
    .map(({ index }) => index);
}

export function finalText(key: string | number, open: readonly number[]): string {
  return `${key} open ${[...open].sort((a, b) => a - b).join(' ')}`;
}

function openAfter(history: readonly HistoryCall<unknown>[], done: ReadonlySet<number>): number[] {
  return [...history.keys()].filter((index) => history[index]?.returnedAt === null && !done.has(index));
}

/** Whether some call that is not done was over before `one` began. */
function mustWait<C>(
  history: readonly HistoryCall<C>[],
  done: ReadonlySet<number>,
  one: HistoryCall<C>,
): boolean {
  return history.some(
    ({ returnedAt }, index) => !done.has(index) && returnedAt !== null && returnedAt < one.invokedAt,
  );
}
