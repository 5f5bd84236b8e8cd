/** A source of chance that can be seeded, so that a network started twice alike draws alike. */
export interface ChaosRandom {
  /** A number in [0, 1). */
  next(): number;
}

/** A number drawn evenly from [min, max). */
export function between(random: ChaosRandom, min: number, max: number): number {
  return min === max ? min : min + random.next() * (max - min);
}
