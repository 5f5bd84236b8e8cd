import type { HistoryCall, Specification } from './specification.js';

/** A place in a list of entries that are not linearized yet, kept in the order of invocation. */
export interface Link<C> {
  next: Entry<C> | undefined;
}

/** One call as the search handles it: times are replaced by ranks, and its place in every set is fixed. */
export interface Entry<C> extends Link<C> {
  /** Index in the history as it was given. */
  readonly index: number;
  readonly call: C;
  /** Rank of the invocation among all invocations and replies of the partition. */
  readonly invoked: number;
  /** Rank of the reply among the same; infinite for a lost call. */
  returned: number;
  readonly lost: boolean;
  /** Equal for calls that the specification cannot tell apart. */
  readonly kind: number;
  /**
   * Bit of this call in a set of linearized calls. A call that returned hands its slot on to a later one, so
   * slots number as many as calls are in flight at once; lost calls have slots of their own and keep them.
   */
  slot: number;
  /** Of a lost call: the lost call of the same kind that was invoked just before. */
  readonly twin: Entry<C> | undefined;
  done: boolean;
  previous: Link<C>;
}

/** The calls of one partition, ready to be searched. */
export interface Timeline<C> {
  readonly partition: string;
  /** Calls with a reply, in the order in which the replies came. */
  readonly byReturn: readonly Entry<C>[];
  /** Head of the list of calls with a reply, by invocation. */
  readonly answered: Link<C>;
  /** Head of the list of lost calls, by invocation. */
  readonly lost: Link<C>;
  readonly lostCount: number;
  /** How many calls with a reply are in flight at once at most. */
  readonly width: number;
  readonly kinds: number;
}

interface Moment<C> {
  readonly at: number;
  /** 0 for an invocation, 1 for a reply: at the same instant calls overlap, so invocations come first. */
  readonly order: 0 | 1;
  readonly index: number;
  readonly source: HistoryCall<C>;
}

/**
 * Sorts a history into one timeline for each partition.
 * @throws RangeError when a time is not a number or a reply comes before its invocation.
 */
export function timelines<S, C>(
  spec: Specification<S, C>,
  history: readonly HistoryCall<C>[],
): readonly Timeline<C>[] {
  const moments = new Map<string, Moment<C>[]>();
  for (const [index, source] of history.entries()) {
    requireOrder(source, index);
    const own = moments.get(source.partition) ?? [];
    moments.set(source.partition, own);
    own.push({ at: source.invokedAt, order: 0, index, source });
    if (source.returnedAt !== null) own.push({ at: source.returnedAt, order: 1, index, source });
  }
  return [...moments].map(([partition, own]) => timeline(spec, partition, own));
}

function requireOrder(call: HistoryCall<unknown>, index: number): void {
  const { invokedAt, returnedAt } = call;
  if (Number.isNaN(invokedAt) || (returnedAt !== null && !(returnedAt >= invokedAt))) {
    throw new RangeError(
      `call ${index} of the history: invokedAt ${invokedAt} and returnedAt ${returnedAt} are not times in order`,
    );
  }
}

function timeline<S, C>(spec: Specification<S, C>, partition: string, moments: Moment<C>[]): Timeline<C> {
  moments.sort((a, b) => a.at - b.at || a.order - b.order || a.index - b.index);
  const kinds = new Kinds(spec);
  const slots = new Slots();
  const entries = new Map<number, Entry<C>>();
  const byReturn: Entry<C>[] = [];
  const heads: Record<'answered' | 'lost', Link<C>> = {
    answered: { next: undefined },
    lost: { next: undefined },
  };
  const tails = { ...heads };
  let lostCount = 0;
  for (const [rank, { order, index, source }] of moments.entries()) {
    const known = entries.get(index);
    if (order === 1 && known !== undefined) {
      known.returned = rank;
      slots.release(known.slot);
      byReturn.push(known);
      continue;
    }
    const lost = source.returnedAt === null;
    const list = lost ? 'lost' : 'answered';
    const entry: Entry<C> = {
      index,
      call: source.call,
      invoked: rank,
      returned: Number.POSITIVE_INFINITY,
      lost,
      ...kinds.of(source.call, lost),
      slot: lost ? lostCount++ : slots.take(),
      done: false,
      previous: tails[list],
      next: undefined,
    };
    kinds.remember(entry);
    entries.set(index, entry);
    tails[list].next = entry;
    tails[list] = entry;
  }
  return { partition, byReturn, ...heads, lostCount, width: slots.count, kinds: kinds.count };
}

/** Numbers the kinds of calls; a lost call is never of the same kind as one with a reply. */
class Kinds<S, C> {
  readonly #spec: Specification<S, C>;
  readonly #latest = {
    answered: new Map<string | number, Entry<C>>(),
    lost: new Map<string | number, Entry<C>>(),
  };
  count = 0;

  constructor(spec: Specification<S, C>) {
    this.#spec = spec;
  }

  of(call: C, lost: boolean): Pick<Entry<C>, 'kind' | 'twin'> {
    const key = this.#spec.callKey?.(call);
    const like = key === undefined ? undefined : this.#latest[lost ? 'lost' : 'answered'].get(key);
    return { kind: like?.kind ?? this.count++, twin: lost ? like : undefined };
  }

  remember(entry: Entry<C>): void {
    const key = this.#spec.callKey?.(entry.call);
    if (key !== undefined) this.#latest[entry.lost ? 'lost' : 'answered'].set(key, entry);
  }
}

/** Hands out the smallest numbers that nobody holds. */
class Slots {
  readonly #free: number[] = [];
  count = 0;

  take(): number {
    return this.#free.pop() ?? this.count++;
  }

  release(slot: number): void {
    this.#free.push(slot);
  }
}
