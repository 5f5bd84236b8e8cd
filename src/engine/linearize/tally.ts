import type { PartitionSearch } from './search.js';
import type { Explained, Final, Undecided } from './specification.js';

/** What the partitions of a check came to, without the memory that their searches hold. */
export class Tally<S> {
  readonly #orders = new Map<string, readonly number[]>();
  readonly #finals = new Map<string, readonly Final<S>[]>();
  #steps = 0;
  #forgotten = 0;

  /** Takes over the results of a search that finished with an explanation. */
  add<C>(search: PartitionSearch<S, C>): void {
    this.#addOrder(search);
    this.#steps += search.steps;
    this.#forgotten += search.forgotten;
    const finals = search.finals();
    if (finals.length > 0) this.#finals.set(search.partition, finals);
  }

  /** Steps of all searches, those of `running` included. */
  steps<C>(running: readonly PartitionSearch<S, C>[]): number {
    return running.reduce((sum, search) => sum + search.steps, this.#steps);
  }

  explained(): Explained<S> {
    return { kind: 'explained', orders: this.#orders, finals: this.#finals, steps: this.#steps };
  }

  /**
   * The verdict when the budget is spent while `running` still search: explained when all of them only look
   * for more explanations, undecided otherwise.
   */
  spent<C>(running: readonly PartitionSearch<S, C>[]): Explained<S> | Undecided {
    const steps = this.steps(running);
    const partitions = running
      .filter((search) => search.order === undefined)
      .map((search) => search.partition);
    if (partitions.length > 0) {
      const forgotten = running.reduce((sum, search) => sum + search.forgotten, this.#forgotten);
      return { kind: 'undecided', partitions, reason: reason(steps, forgotten), steps };
    }
    for (const search of running) {
      if (search.finished) this.add(search);
      else this.#addOrder(search);
    }
    return { ...this.explained(), steps };
  }

  #addOrder<C>(search: PartitionSearch<S, C>): void {
    if (search.order !== undefined) this.#orders.set(search.partition, search.order);
  }
}

function reason(steps: number, forgotten: number): string {
  const full = forgotten === 0 ? '' : `; its memory was full and was emptied ${forgotten} times`;
  return `the budget of the search was spent after ${steps} steps${full}`;
}
