/** What a network has done so far. */
export interface ChaosStats {
  /** Connections that were opened through it. */
  connections: number;
  /** Chunks and bytes that came in, in both directions. */
  chunks: number;
  bytes: number;
  /** Connections that it reset. */
  resets: number;
  /** Times that one direction of a connection fell silent. */
  stalls: number;
  /** Times that nothing passed at all. */
  partitions: number;
}

/** Nothing done yet. */
export function noStats(): ChaosStats {
  return { connections: 0, chunks: 0, bytes: 0, resets: 0, stalls: 0, partitions: 0 };
}
