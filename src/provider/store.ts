import type { Token } from './call.js';
import type { Machine } from './machine.js';

/**
 * One thing to remember: a mark that moved, a machine that changed, or that a new fleet is complete. A fleet whose
 * process ended before it was complete is not remembered at all, since nobody was told of it.
 */
export type Change =
  | { readonly mark: { readonly key: string; readonly token: Token } }
  | { readonly machine: Machine }
  | { readonly founded: { readonly cursorKey: string } };

/** What a store remembers of an earlier process. */
export interface Remembered {
  readonly machines: readonly Machine[];
  readonly marks: Iterable<readonly [string, Token]>;
  /** The key cursors were sealed with, so that they stay readable. */
  readonly cursorKey: string;
}

/**
 * Where a provider keeps what must survive it (contract section 7, durable lane). Changes are written in the
 * order in which they took effect; no reply leaves before what it promises is durable.
 */
export interface Store {
  /** What an earlier process left; undefined for a new fleet. */
  remembered(): Remembered | undefined;
  write(change: Change): void;
  /**
   * Resolves when everything written so far would survive the process.
   * @throws Error when it could not be written; the store then takes nothing any more
   */
  durable(): Promise<void>;
  /** Writes what is pending and lets go of the place it is kept in. */
  close(): Promise<void>;
}

/** A store that forgets: the fleet lives as long as its process. */
export const FORGETFUL: Store = {
  remembered: () => undefined,
  write: () => undefined,
  durable: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
