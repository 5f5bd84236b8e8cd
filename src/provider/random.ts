/** A source of chance that can be seeded, so that a provider started twice alike behaves alike. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
}

/** A small seeded generator (a Weyl sequence, mixed); not for secrets. */
export function seededRandom(seed: number): Random {
  let weyl = seed >>> 0;
  return {
    next() {
      weyl = (weyl + 0x9e3779b9) >>> 0;
      let mixed = Math.imul(weyl ^ (weyl >>> 16), 0x85ebca6b);
      mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
      return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
    },
  };
}

/** A number drawn evenly from [min, max). */
export function between(random: Random, min: number, max: number): number {
  return min + random.next() * (max - min);
}
