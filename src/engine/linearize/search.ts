import { Finals } from './finals.js';
import { Memo } from './memo.js';
import { Position } from './position.js';
import type { Final, Specification, Violation } from './specification.js';
import { StateTable } from './states.js';
import type { Entry, Timeline } from './timeline.js';

/** A position on the path of the search. */
interface Frame<C> {
  /** The call that led here; undefined at the start. */
  readonly taken: Entry<C> | undefined;
  /** Where the frontier was before that call. */
  readonly frontierBefore: number;
  /** Numbers of the states that the object may be in here and that were not looked at before. */
  readonly belief: readonly number[];
  readonly candidates: readonly Entry<C>[];
  /** Index of the candidate to try next. */
  next: number;
  /** Where each lost candidate leads, as far as that is new; undefined until the first one has its turn. */
  ahead: ReadonlyMap<Entry<C>, readonly number[]> | undefined;
}

/** How far a search came at best: replies explained in a row, then replies explained at all, and the path. */
interface Best {
  readonly frontier: number;
  readonly answered: number;
  readonly path: readonly number[];
}

/** What a search of one partition needs besides its calls. */
export interface SearchOptions {
  /** How much may be remembered now; may grow while the search runs. */
  readonly limit: () => number;
  readonly allFinals: boolean;
}

/**
 * The search for an explanation of one partition, depth first, in steps that can be taken a few at a time.
 *
 * Nondeterminism needs no branches of its own: a path carries the belief, the set of all states that the
 * object may be in. Of that set only states are kept in which the search was not at this position already,
 * for whatever follows from those was, or is being, tried.
 */
export class PartitionSearch<S, C> {
  readonly partition: string;
  readonly #timeline: Timeline<C>;
  readonly #position: Position<C>;
  readonly #states: StateTable<S, C>;
  readonly #memo: Memo;
  readonly #options: SearchOptions;
  readonly #finals: Finals<S, C>;
  readonly #stack: Frame<C>[] = [];
  #best: Best = { frontier: 0, answered: 0, path: [] };
  /** Size of what the latest forgetting had to keep. */
  #floor = 0;
  /** One order that explains the partition, once it was found. */
  order: readonly number[] | undefined;
  /** Whether there is nothing left to look for. */
  finished = false;
  steps = 0;
  /** How often the memory was full. */
  forgotten = 0;

  /** @throws RangeError when the specification names no initial state. */
  constructor(spec: Specification<S, C>, timeline: Timeline<C>, options: SearchOptions) {
    this.partition = timeline.partition;
    this.#timeline = timeline;
    this.#options = options;
    this.#position = new Position(timeline);
    this.#states = new StateTable(spec, timeline.kinds);
    this.#memo = new Memo(this.#position.answeredWords, this.#position.bits.length);
    this.#finals = new Finals(spec);
    const initial = this.#states.idsOf(spec.initial(timeline.partition));
    if (initial.length === 0) throw new RangeError(`partition ${timeline.partition} has no initial state`);
    this.#arrive(undefined, 0, this.#admitted(initial));
  }

  /** Takes one step: tries one call, or goes back by one. */
  step(): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) {
      this.finished = true;
      return;
    }
    this.steps += 1;
    const entry = frame.candidates[frame.next];
    if (entry === undefined) {
      this.#retreat(frame);
      return;
    }
    frame.next += 1;
    if (entry.lost) this.#goOnWithLost(frame, entry);
    else this.#goOn(entry, this.#states.after(frame.belief, entry));
  }

  #goOn(entry: Entry<C>, reached: readonly number[]): void {
    if (reached.length === 0) return;
    const { frontier } = this.#position;
    this.#position.take(entry);
    const belief = this.#admitted(reached);
    if (belief.length > 0) this.#arrive(entry, frontier, belief);
    else this.#position.putBack(entry, frontier);
  }

  /**
   * What one lost call leads to is remembered for all of them before any is followed. Else a chain of many
   * would be followed first, and again each time that a shorter one turns out to lead to the same states.
   */
  #goOnWithLost(frame: Frame<C>, entry: Entry<C>): void {
    frame.ahead ??= this.#lookAhead(frame.belief, frame.candidates.slice(frame.next - 1));
    const belief = frame.ahead.get(entry);
    if (belief === undefined) return;
    const { frontier } = this.#position;
    this.#position.take(entry);
    this.#arrive(entry, frontier, belief);
  }

  #lookAhead(belief: readonly number[], lost: readonly Entry<C>[]): Map<Entry<C>, readonly number[]> {
    const ahead = new Map<Entry<C>, readonly number[]>();
    for (const entry of lost) {
      const reached = this.#states.after(belief, entry);
      const { frontier } = this.#position;
      this.#position.take(entry);
      const fresh = this.#admitted(reached);
      if (fresh.length > 0) ahead.set(entry, fresh);
      this.#position.putBack(entry, frontier);
    }
    return ahead;
  }

  /** Those of the states that the search was not in at this position, nor at one that covers it. */
  #admitted(reached: readonly number[]): readonly number[] {
    const { frontier, bits } = this.#position;
    return reached.filter((id) => this.#memo.admit(frontier, id, bits));
  }

  /** Every state that an explanation ends in, as far as they were seen. */
  finals(): readonly Final<S>[] {
    return this.#finals.list();
  }

  /** Where a search that found no explanation got stuck; undefined while it may still find one. */
  deadEnd(): Pick<Violation<S>, 'longestPrefix' | 'stuck'> | undefined {
    const stuck = this.#timeline.byReturn[this.#best.frontier];
    if (!this.finished || this.order !== undefined || stuck === undefined) return undefined;
    return { longestPrefix: this.#best.path, stuck: stuck.index };
  }

  /** Puts the position that was just reached on the path. */
  #arrive(taken: Entry<C> | undefined, frontierBefore: number, belief: readonly number[]): void {
    const candidates = this.#position.candidates();
    this.#stack.push({ taken, frontierBefore, belief, candidates, next: 0, ahead: undefined });
    if (this.#position.complete) this.#explain(belief);
    if (this.#memo.size + this.#states.size - this.#floor > this.#options.limit()) this.#forget();
  }

  #explain(belief: readonly number[]): void {
    this.order ??= this.#path();
    if (!this.#options.allFinals) {
      this.finished = true;
      return;
    }
    const open: number[] = [];
    for (let e = this.#timeline.lost.next; e !== undefined; e = e.next) open.push(e.index);
    for (const state of this.#states.statesOf(belief)) this.#finals.add(state, open);
  }

  #retreat(frame: Frame<C>): void {
    const { frontier, answered } = this.#position;
    const best = this.#best;
    if (frontier > best.frontier || (frontier === best.frontier && answered > best.answered)) {
      this.#best = { frontier, answered, path: this.#path() };
    }
    this.#stack.pop();
    if (frame.taken !== undefined) this.#position.putBack(frame.taken, frame.frontierBefore);
  }

  #path(): number[] {
    return this.#stack.flatMap((frame) => (frame.taken === undefined ? [] : [frame.taken.index]));
  }

  /** Empties the memory but for the states on the path. Only time is lost: the memo never decides anything. */
  #forget(): void {
    this.forgotten += 1;
    this.#memo.clear();
    this.#states.keepOnly(
      new Set(
        this.#stack.flatMap(({ belief, ahead }) => [...belief, ...[...(ahead?.values() ?? [])].flat()]),
      ),
    );
    this.#floor = this.#states.size;
  }
}
