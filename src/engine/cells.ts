/** Counts how often each cell of the model was visited. */
import type { Mutation } from '../../model/call.js';
import type { Relation } from '../../model/fencing.js';
import type { Phase } from '../../model/state.js';

/** How a token looks from the model's side: its relation to the mark, or why it has none. */
export type CellToken = Relation | 'negative' | 'shardless';
/** One square of the coverage grid. */
export interface Cell {
  readonly phase: Phase;
  readonly call: Mutation;
  readonly token: CellToken;
  readonly outcome: string;
}

/** Maps in maps: every mutation of a run is counted here, and a key put together from four words costs more to hash. */
export class Cells {
  private readonly phases = new Map<Phase, Map<Mutation, Map<CellToken, Map<string, number>>>>();

  /** The cell was visited `count` times more. */
  add({ phase, call, token, outcome }: Cell, count = 1): void {
    const outcomes = inside(inside(inside(this.phases, phase), call), token);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
  }

  /** Every visited cell with its count. */
  *[Symbol.iterator](): Generator<Cell & { readonly count: number }, void> {
    for (const [phase, calls] of this.phases)
      for (const [call, tokens] of calls)
        for (const [token, outcomes] of tokens)
          for (const [outcome, count] of outcomes) yield { phase, call, token, outcome, count };
  }
}

/** The map that `maps` has under `key`, made where there is none. */
function inside<K, K2, V>(maps: Map<K, Map<K2, V>>, key: K): Map<K2, V> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const fresh = new Map<K2, V>();
  maps.set(key, fresh);
  return fresh;
}
