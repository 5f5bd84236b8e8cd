import type { Machine } from './machine.js';

/** How many outdated changes are kept however small the fleet is. */
const SPARE_CHANGES = 64;

/** A machine, and the place of its latest change among all changes. */
interface Slot {
  readonly machine: Machine;
  readonly place: number;
}

/**
 * The machines, in the order in which they last changed.
 *
 * Every visible change takes the next revision, so revisions are a total order over machines. That makes a page
 * boundary nothing but a revision: what changed later than it comes later, and a machine that does not move can be
 * neither lost nor met twice by a walk, whatever the others do meanwhile (contract section 5).
 */
export class Fleet {
  readonly #slots = new Map<string, Slot>();
  // Every change in its order, so that a delta costs what has changed and not what there is. The entry of a machine
  // that has changed again is empty; once most are, they are dropped.
  #changes: (Machine | undefined)[] = [];
  #revisions: number[] = [];
  #head = 0;

  /** The revision of the latest change; 0 before the first. */
  get head(): number {
    return this.#head;
  }

  /** How many machines there are. */
  get size(): number {
    return this.#slots.size;
  }

  get(id: string): Machine | undefined {
    return this.#slots.get(id)?.machine;
  }

  /** Stores a machine as changed now, and returns it with its new revision. */
  put(machine: Machine): Machine {
    const stamped = { ...machine, changedAt: this.#head + 1 };
    const before = this.#slots.get(machine.id);
    if (before !== undefined) this.#changes[before.place] = undefined;
    this.#append(stamped);
    if (this.#changes.length > 2 * this.size + SPARE_CHANGES) this.#compact();
    return stamped;
  }

  /** Takes over machines that keep the revisions they had, as after a restart. */
  restore(machines: readonly Machine[]): void {
    for (const machine of machines.toSorted((one, other) => one.changedAt - other.changedAt)) {
      this.#append(machine);
    }
  }

  /** Every machine, the longest unchanged first. */
  all(): Generator<Machine> {
    return this.changedAfter(0);
  }

  /** The machines that changed after a revision, the longest unchanged first. */
  *changedAfter(revision: number): Generator<Machine> {
    const changes = this.#changes;
    for (let place = firstAbove(revision, this.#revisions); place < changes.length; place += 1) {
      const machine = changes[place];
      if (machine !== undefined) yield machine;
    }
  }

  #append(machine: Machine): void {
    this.#slots.set(machine.id, { machine, place: this.#changes.length });
    this.#changes.push(machine);
    this.#revisions.push(machine.changedAt);
    this.#head = machine.changedAt;
  }

  #compact(): void {
    const machines = [...this.all()];
    this.#changes = [];
    this.#revisions = [];
    for (const machine of machines) this.#append(machine);
  }
}

/** Where in rising numbers those above a bound begin. */
function firstAbove(bound: number, rising: readonly number[]): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? 0) > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}
