/**
 * Time that passes only when nobody has anything left to do: a minute of waiting costs nothing, and the same seed
 * gives the same order of events on a busy machine and on an idle one.
 */

interface Event {
  readonly at: number;
  /** Events of one instant happen in the order in which they were asked for. */
  readonly order: number;
  readonly task: () => void;
}

/** Work that pauses for other work, without waiting for an event, is given so many turns of the event loop. */
const PATIENCE = 1_000;

export class VirtualTime {
  private readonly heap: Event[] = [];
  private orders = 0;
  private instant = 0;

  /** The present instant, in milliseconds. */
  readonly clock = (): number => this.instant;

  /** Resolves `ms` milliseconds from now. */
  readonly sleep = (ms: number): Promise<void> => new Promise((resolve) => this.after(ms, resolve));

  /** Runs `task` `ms` milliseconds from now; never, where that is no finite number. */
  after(ms: number, task: () => void): void {
    if (!Number.isFinite(ms)) return;
    this.orders += 1;
    push(this.heap, { at: this.instant + Math.max(0, ms), order: this.orders, task });
  }

  /**
   * Lets time pass until `work` has ended, and returns what it came to.
   * @throws Error when `work` waits for something that no event will bring
   */
  async run<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const watched = work.finally(() => {
      ended = true;
    });
    watched.catch(() => undefined);
    for (let idle = 0; idle < PATIENCE; idle++) {
      // Everything that follows from the last event, without waiting, happens before the next one.
      await new Promise((resolve) => setImmediate(resolve));
      if (ended) return watched;
      const event = pop(this.heap);
      if (event === undefined) continue;
      idle = 0;
      this.instant = event.at;
      event.task();
    }
    throw new Error('virtual time stands still: nothing is left to happen');
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** A binary heap, the earliest event first. */
function push(heap: Event[], event: Event): void {
  let at = heap.length;
  heap.push(event);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !isBefore(event, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = event;
}

function pop(heap: Event[]): Event | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    const left = heap[2 * at + 1];
    const right = heap[2 * at + 2];
    if (left === undefined) break;
    const goesRight = right !== undefined && isBefore(right, left);
    const child = goesRight ? right : left;
    if (!isBefore(child, last)) break;
    heap[at] = child;
    at = 2 * at + (goesRight ? 2 : 1);
  }
  heap[at] = last;
  return first;
}
