/** Records of whole fleets that may be held at once, at some 1.4 kB each. */
const MOST_RECORDS = 500_000;

/**
 * How many programs run at the same time: `concurrency`, or fewer where the fleet has so many `machines` that the Lists
 * of all of them would not fit into memory.
 */
export function widthFor(concurrency: number, machines: number): number {
  return Math.max(1, Math.min(concurrency, Math.floor(MOST_RECORDS / Math.max(1, machines))));
}

/** Runs `work` on every item in order, at most `limit` at a time. The first failure ends it. */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = oneByOne(items);
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, limit) }, worker));
}

function* oneByOne<T>(items: Iterable<T>): Generator<T, void, undefined> {
  yield* items;
}

/**
 * The items of `groups`, one of each in turn, from `width` groups at a time. A group is asked for only when its turn
 * comes, so that no more of them than that are held.
 */
export function* interleaved<T extends object>(
  groups: Iterable<readonly T[]>,
  width: number,
): Generator<T, void, undefined> {
  const waiting = groups[Symbol.iterator]();
  const refill = (open: T[][]): T[][] => {
    while (open.length < width) {
      const next = waiting.next();
      if (next.done) break;
      if (next.value.length > 0) open.push([...next.value]);
    }
    return open;
  };
  for (let open = refill([]); open.length > 0; open = refill(open.filter(({ length }) => length > 0))) {
    for (const group of open) {
      const item = group.shift();
      if (item !== undefined) yield item;
    }
  }
}
