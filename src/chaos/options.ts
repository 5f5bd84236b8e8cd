/** What a broken network does, and the words in which a user asks for it. */

/** How a network misbehaves. Times are milliseconds, chances are per chunk of forwarded bytes, in [0, 1]. */
export interface ChaosOptions {
  /** How long every chunk is held back, drawn evenly from the range. */
  readonly latency: { readonly minMs: number; readonly maxMs: number };
  /** What is added to the latency of a chunk, drawn evenly from 0 to this. */
  readonly jitterMs: number;
  /** The chance that a chunk is lost together with its connection, which both ends see as a reset. */
  readonly reset: number;
  /** A chance that a connection falls silent in one direction while the other works on, and for how long. */
  readonly stall: { readonly chance: number; readonly ms: number };
  /** How long nothing passes, at the end of every period; null for never. */
  readonly partition: { readonly lengthMs: number; readonly periodMs: number } | null;
}

/** A network that only carries bytes. */
export const CALM: ChaosOptions = {
  latency: { minMs: 0, maxMs: 0 },
  jitterMs: 0,
  reset: 0,
  stall: { chance: 0, ms: 0 },
  partition: null,
};
