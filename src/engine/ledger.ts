/** Which operation_id belongs to which machine, over a whole run: a fresh one was never seen before (contract 4.6). */

/** Words of one place in the table: two of hash, the owner's number and one more, the life. */
const WORDS = 4;
const FIRST_PLACES = 1_024;

/**
 * Ids are kept as 64 bits of hash, some thirty bytes each, because half an hour mints millions of them. That two of
 * three million ids share a hash is to be expected once in some hundred thousand such runs, and the finding then does
 * not come up again when its program is run again.
 */
export class OperationLedger {
  private places = FIRST_PLACES;
  private table = new Uint32Array(FIRST_PLACES * WORDS);
  private size = 0;
  private readonly machines: string[] = [];
  private readonly numbers = new Map<string, number>();
  /** How often the provider was killed so far. */
  kills = 0;

  /** Notes that `operationId` was minted for `machineId`. Returns the machine that has it already, or null. */
  claim(operationId: string, machineId: string): string | null {
    const hash = hashOf(operationId);
    const at = this.placeOf(hash);
    const owner = this.table[at + 2] ?? 0;
    if (owner > 0) return this.machines[owner - 1] ?? null;
    this.table.set([hash.high, hash.low, this.numberOf(machineId), this.kills], at);
    this.size += 1;
    if (this.size * 2 > this.places) this.grow();
    return null;
  }

  /** Whether `operationId` was first seen before the provider was killed the last time. */
  isFromBefore(operationId: string): boolean {
    const at = this.placeOf(hashOf(operationId));
    return (this.table[at + 2] ?? 0) > 0 && (this.table[at + 3] ?? 0) < this.kills;
  }

  /** Whether `operationId` is known from anywhere. */
  has(operationId: string): boolean {
    return (this.table[this.placeOf(hashOf(operationId)) + 2] ?? 0) > 0;
  }

  /** Where in the table the hash is, or is to be. */
  private placeOf({ high, low }: Hash): number {
    const { table, places } = this;
    for (let place = low & (places - 1); ; place = (place + 1) & (places - 1)) {
      const at = place * WORDS;
      if (table[at + 2] === 0 || (table[at] === high && table[at + 1] === low)) return at;
    }
  }

  /** Machines are numbered from 1: 0 is a free place. */
  private numberOf(machineId: string): number {
    const known = this.numbers.get(machineId);
    if (known !== undefined) return known;
    const number = this.machines.push(machineId);
    this.numbers.set(machineId, number);
    return number;
  }

  private grow(): void {
    const full = this.table;
    this.places *= 2;
    this.table = new Uint32Array(this.places * WORDS);
    for (let at = 0; at < full.length; at += WORDS) {
      if (full[at + 2] === 0) continue;
      const hash = { high: full[at] ?? 0, low: full[at + 1] ?? 0 };
      this.table.set(full.subarray(at, at + WORDS), this.placeOf(hash));
    }
  }
}

interface Hash {
  readonly high: number;
  readonly low: number;
}

/** Two independent FNV-like sums over the UTF-16 code units, each mixed at the end. */
function hashOf(text: string): Hash {
  let [high, low] = [0x811c9dc5, 0x9747b28c];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca6b) ^ (low >>> 15);
  }
  return { high: mixed(high ^ text.length), low: mixed(low) };
}

function mixed(sum: number): number {
  let bits = Math.imul(sum ^ (sum >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
