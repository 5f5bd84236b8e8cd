import type { Machine } from './machine.js';

/**
 * The machines, in the order in which they last changed.
 *
 * Every visible change takes the next revision, so revisions are a total order over machines. That makes a page
 * boundary nothing but a revision: what changed later than it comes later, and a machine that does not move can be
 * neither lost nor met twice by a walk, whatever the others do meanwhile (contract section 5).
 */
export class Fleet {
  // A Map iterates in insertion order; deleting before setting moves a machine to the end.
  readonly #machines = new Map<string, Machine>();
  #head = 0;

  /** The revision of the latest change; 0 before the first. */
  get head(): number {
    return this.#head;
  }

  /** How many machines there are. */
  get size(): number {
    return this.#machines.size;
  }

  get(id: string): Machine | undefined {
    return this.#machines.get(id);
  }

  /** Stores a machine as changed now, and returns it with its new revision. */
  put(machine: Machine): Machine {
    this.#head += 1;
    const stamped = { ...machine, changedAt: this.#head };
    this.#machines.delete(machine.id);
    this.#machines.set(machine.id, stamped);
    return stamped;
  }

  /** Takes over machines that keep the revisions they had, as after a restart. */
  restore(machines: readonly Machine[]): void {
    for (const machine of machines.toSorted((one, other) => one.changedAt - other.changedAt)) {
      this.#machines.set(machine.id, machine);
      this.#head = Math.max(this.#head, machine.changedAt);
    }
  }

  /** Every machine, the longest unchanged first. */
  all(): IterableIterator<Machine> {
    return this.#machines.values();
  }
}
