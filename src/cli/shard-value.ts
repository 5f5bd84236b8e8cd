/** `--shard 3/8`: which part of a run this process does. */
import { InvalidArgumentError } from 'commander';

/** Part `index` of `of`, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** More parts than this would hold less than a batch each in any sensible run. */
export const MOST_SHARDS = 10_000;

/** Reads K/N. */
export function shardOf(text: string): Shard {
  const [, index, of] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index >= 1 && shard.index <= shard.of && shard.of <= MOST_SHARDS) return shard;
  throw new InvalidArgumentError(
    `expected a part such as 3/8, the first being 1/8, saw ${JSON.stringify(text)}.`,
  );
}
