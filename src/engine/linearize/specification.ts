/**
 * What a caller of the linearizability checker says (a specification and a history) and what it is told.
 * Nothing here knows a provider: any object whose steps can be written down can be checked.
 */

/**
 * A sequential, nondeterministic specification of one object of each partition. All functions must be
 * pure: the search calls them in any order, and as often as it likes. A state is any value but undefined.
 */
export interface Specification<S, C> {
  /** The states that the object of `partition` may be in before the first call; at least one. */
  initial(partition: string): readonly S[];
  /**
   * Every state that explains `call` (its outcome is inside C) when it takes effect in `state`, silent steps
   * of the object before and after it included. Empty: not explained from here. For a lost call these are
   * the states after it took effect; "it never did" is the checker's business.
   */
  step(state: S, call: C): readonly S[];
  /** Equal keys promise equal states: the same steps for every call from here on. */
  key(state: S): string | number;
  /**
   * Equal keys promise the same steps from every state. Optional, and never changes a verdict: it lets the
   * search try one of many identical calls in flight (racing retries, equal reads) instead of each.
   */
  callKey?(call: C): string | number;
}

/** One call of a concurrent history. */
export interface HistoryCall<C> {
  /** Calls of different partitions touch different objects and are explained independently. */
  readonly partition: string;
  /** The call with its outcome, as the specification wants it. */
  readonly call: C;
  /** When the call was sent, milliseconds on one monotonic clock (any unit does: only the order counts). */
  readonly invokedAt: number;
  /** When its reply came; null when the reply was lost, so it may take effect at any later time, or never. */
  readonly returnedAt: number | null;
  /** Who sent it (a branch, a client). The search does not look at it: overlap is decided by time alone. */
  readonly lane: number;
}

/** Limits of a check, and what to look for. */
export interface CheckOptions {
  /** True while the search may go on; asked before every step, so it should be cheap. Default: always. */
  readonly budget?: () => boolean;
  /**
   * How many positions, states and transitions may be remembered at once, over all partitions (default
   * 1,048,576; a position takes 16 bytes and 4 more for every 32 calls in flight or lost). When it is full the
   * memory is emptied and the search goes on: slower, but no less right.
   */
  readonly maxMemo?: number;
  /** Steps of one partition before the next one has its turn (default 1,000). */
  readonly slice?: number;
  /** Visit every explanation instead of one, so that `finals` is filled. Default false. */
  readonly allFinals?: boolean;
}

/** A state in which the object may be after the last reply. */
export interface Final<S> {
  readonly state: S;
  /** Lost calls, as indices of the history, that have not taken effect in this state and still may. */
  readonly open: readonly number[];
}

/** An order exists, on every partition, that agrees with real time and that the specification can run along. */
export interface Explained<S> {
  readonly kind: 'explained';
  /** One such order for each partition: indices of the history, lost calls included where they took effect. */
  readonly orders: ReadonlyMap<string, readonly number[]>;
  /**
   * With `allFinals`, every state that some explanation ends in, also after lost calls that took effect late.
   * A final with the same state and fewer open calls is left out, for it allows nothing more. A partition is
   * missing when the budget was spent before all its explanations were seen.
   */
  readonly finals: ReadonlyMap<string, readonly Final<S>[]>;
  readonly steps: number;
}

/** No order explains the calls of one partition. */
export interface Violation<S> {
  readonly kind: 'violation';
  readonly partition: string;
  /** Of the orders that explain the most replies in the order of their arrival, the longest: indices. */
  readonly longestPrefix: readonly number[];
  /** The states that the object may be in after `longestPrefix`. */
  readonly belief: readonly S[];
  /** The first reply, by arrival, that no order explains together with all the replies before it: an index. */
  readonly stuck: number;
  readonly steps: number;
}

/** The budget was spent first. Nothing may be concluded about the partitions named. */
export interface Undecided {
  readonly kind: 'undecided';
  readonly partitions: readonly string[];
  /** In plain words: how far the search came, and whether its memory was too small. */
  readonly reason: string;
  readonly steps: number;
}

/** The answer of a check. A violation of any partition wins over undecided others. */
export type Verdict<S> = Explained<S> | Violation<S> | Undecided;
