/** One of several processes that share a run: part `index`, counted from 1, of `of`. */
export interface Part {
  readonly index: number;
  readonly of: number;
}

/** The items that fall to `part` with their places among all: every `of`-th; all where the run is not shared. */
export function shareOf<T>(
  items: readonly T[],
  part: Part | undefined,
): (readonly [place: number, item: T])[] {
  const all = [...items.entries()];
  return part === undefined ? all : all.filter(([place]) => place % part.of === part.index - 1);
}
