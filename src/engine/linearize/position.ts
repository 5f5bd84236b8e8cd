import type { Entry, Timeline } from './timeline.js';

/**
 * The set of calls that a search has linearized so far.
 *
 * It is kept as a frontier (every reply before it is linearized) and a few bits for what is linearized
 * beyond: such a call was in flight when the frontier's reply came, so the bits number as many as calls are
 * in flight at once, however long the history is. Two positions are the same set exactly when frontier and
 * bits are equal.
 */
export class Position<C> {
  readonly #timeline: Timeline<C>;
  readonly #lostFrom: number;
  /** By kind: the last visit that offered a call of this kind. */
  readonly #offered: Uint32Array;
  #visit = 0;
  /** Index, by arrival, of the first reply that is not linearized. */
  frontier = 0;
  /** How many calls with a reply are linearized. */
  answered = 0;
  /** Bits of the linearized calls beyond the frontier, then bits of the lost calls that took effect. */
  readonly bits: Int32Array;
  readonly answeredWords: number;

  constructor(timeline: Timeline<C>) {
    this.#timeline = timeline;
    this.#offered = new Uint32Array(timeline.kinds);
    this.answeredWords = Math.ceil(timeline.width / 32);
    this.#lostFrom = this.answeredWords * 32;
    this.bits = new Int32Array(this.answeredWords + Math.ceil(timeline.lostCount / 32));
  }

  /** Whether every call with a reply is linearized; the lost ones need not be. */
  get complete(): boolean {
    return this.frontier === this.#timeline.byReturn.length;
  }

  /**
   * The calls that may take effect next: those invoked before any reply that is still to be explained.
   * Replies that came first are tried first and lost calls last. Of calls of one kind only the one whose reply
   * came first is offered: in an explanation that takes another one earlier, the two can change places.
   */
  candidates(): Entry<C>[] {
    const horizon = this.#timeline.byReturn[this.frontier]?.returned ?? Number.POSITIVE_INFINITY;
    const offered: Entry<C>[] = [];
    for (let e = this.#timeline.answered.next; e !== undefined && e.invoked < horizon; e = e.next)
      offered.push(e);
    offered.sort(byReply);
    const distinct = this.#firstOfKind(offered);
    for (let e = this.#timeline.lost.next; e !== undefined && e.invoked < horizon; e = e.next) {
      if (e.twin === undefined || e.twin.done) distinct.push(e);
    }
    return distinct;
  }

  #firstOfKind(entries: Entry<C>[]): Entry<C>[] {
    this.#visit += 1;
    let kept = 0;
    for (const entry of entries) {
      if (this.#offered[entry.kind] === this.#visit) continue;
      this.#offered[entry.kind] = this.#visit;
      entries[kept] = entry;
      kept += 1;
    }
    entries.length = kept;
    return entries;
  }

  /** Linearizes `entry` next. */
  take(entry: Entry<C>): void {
    entry.done = true;
    entry.previous.next = entry.next;
    if (entry.next !== undefined) entry.next.previous = entry.previous;
    this.#flip(entry);
    if (entry.lost) return;
    this.answered += 1;
    for (
      let e = this.#timeline.byReturn[this.frontier];
      e?.done;
      e = this.#timeline.byReturn[this.frontier]
    ) {
      this.#flip(e);
      this.frontier += 1;
    }
  }

  /** Undoes the latest `take`, which was of `entry` and found the frontier at `frontier`. */
  putBack(entry: Entry<C>, frontier: number): void {
    while (this.frontier > frontier) {
      this.frontier -= 1;
      const passed = this.#timeline.byReturn[this.frontier];
      if (passed !== undefined) this.#flip(passed);
    }
    this.#flip(entry);
    if (!entry.lost) this.answered -= 1;
    entry.done = false;
    entry.previous.next = entry;
    if (entry.next !== undefined) entry.next.previous = entry;
  }

  #flip(entry: Entry<C>): void {
    const slot = entry.lost ? this.#lostFrom + entry.slot : entry.slot;
    this.bits[slot >>> 5] = (this.bits[slot >>> 5] ?? 0) ^ (1 << (slot & 31));
  }
}

function byReply<C>(a: Entry<C>, b: Entry<C>): number {
  return a.returned - b.returned;
}
