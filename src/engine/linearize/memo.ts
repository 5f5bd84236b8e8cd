/** Entries before the first growth; a power of two. */
const FIRST_CAPACITY = 256;
/** Words before the bits of an entry: the next entry of its chain, the frontier, the state. */
const HEADER = 3;

/**
 * The positions that a search has been to, each with a state: a hash set in two flat arrays of 32-bit
 * words, because strings as keys cost more than all the rest of a search.
 *
 * Lost calls never have to be linearized, so a position that took fewer of them, all else equal, can still
 * do whatever the other one can. Such a position covers the other, and only uncovered ones are kept.
 */
export class Memo {
  readonly #answeredWords: number;
  readonly #stride: number;
  /** By hash: offset of the first entry of the chain, 0 for none. */
  #heads = new Int32Array(FIRST_CAPACITY);
  /** Entries of `#stride` words; the first one is never used, so that offset 0 can mean none. */
  #entries: Int32Array;
  /** How many positions are remembered. */
  size = 0;

  /** @param answeredWords words of the bits that belong to calls with a reply; the others are of lost calls. */
  constructor(answeredWords: number, words: number) {
    this.#answeredWords = answeredWords;
    this.#stride = HEADER + words;
    this.#entries = new Int32Array((FIRST_CAPACITY + 1) * this.#stride);
  }

  /** Remembers a position with a state. False when it was covered already. */
  admit(frontier: number, state: number, bits: Int32Array): boolean {
    const hash = this.#hash(frontier, state, bits, 0);
    const entries = this.#entries;
    let at = read(this.#heads, hash & (this.#heads.length - 1));
    for (; at !== 0; at = read(entries, at)) {
      if (read(entries, at + 1) !== frontier || read(entries, at + 2) !== state) continue;
      if (!this.#sameAnswered(at, bits)) continue;
      if (this.#lostWithin(entries, at + HEADER, bits, 0)) return false;
      if (this.#lostWithin(bits, 0, entries, at + HEADER)) {
        entries.set(bits, at + HEADER);
        return true;
      }
    }
    this.#insert(hash, frontier, state, bits);
    return true;
  }

  /** Forgets everything and gives the memory back. */
  clear(): void {
    this.#heads = new Int32Array(FIRST_CAPACITY);
    this.#entries = new Int32Array((FIRST_CAPACITY + 1) * this.#stride);
    this.size = 0;
  }

  #insert(hash: number, frontier: number, state: number, bits: Int32Array): void {
    if (this.size === this.#heads.length) this.#grow();
    this.size += 1;
    const at = this.size * this.#stride;
    const head = hash & (this.#heads.length - 1);
    this.#entries[at] = read(this.#heads, head);
    this.#entries[at + 1] = frontier;
    this.#entries[at + 2] = state;
    this.#entries.set(bits, at + HEADER);
    this.#heads[head] = at;
  }

  #grow(): void {
    const capacity = this.#heads.length * 2;
    const entries = new Int32Array((capacity + 1) * this.#stride);
    entries.set(this.#entries);
    const heads = new Int32Array(capacity);
    for (let at = this.#stride; at <= this.size * this.#stride; at += this.#stride) {
      const hash = this.#hash(read(entries, at + 1), read(entries, at + 2), entries, at + HEADER);
      const head = hash & (capacity - 1);
      entries[at] = read(heads, head);
      heads[head] = at;
    }
    this.#heads = heads;
    this.#entries = entries;
  }

  /** Leaves the bits of lost calls out: positions that may cover each other must share a chain. */
  #hash(frontier: number, state: number, bits: Int32Array, from: number): number {
    let hash = mix(mix(0x9e3779b9, frontier), state);
    for (let word = 0; word < this.#answeredWords; word++) hash = mix(hash, read(bits, from + word));
    return hash ^ (hash >>> 15);
  }

  #sameAnswered(at: number, bits: Int32Array): boolean {
    for (let word = 0; word < this.#answeredWords; word++) {
      if (read(this.#entries, at + HEADER + word) !== read(bits, word)) return false;
    }
    return true;
  }

  /** Whether every lost call of `a` is one of `b`. */
  #lostWithin(a: Int32Array, fromA: number, b: Int32Array, fromB: number): boolean {
    for (let word = this.#answeredWords; word < this.#stride - HEADER; word++) {
      if ((read(a, fromA + word) & ~read(b, fromB + word)) !== 0) return false;
    }
    return true;
  }
}

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

/** Every offset in this file is inside its array; the fallback only tells the compiler so. */
function read(words: Int32Array, at: number): number {
  return words[at] ?? 0;
}
