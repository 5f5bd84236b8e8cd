import type { Specification } from './specification.js';
import type { Entry } from './timeline.js';

/** Small numbers for the states of a specification, and what each kind of call makes of each. */
export class StateTable<S, C> {
  readonly #spec: Specification<S, C>;
  readonly #kinds: number;
  #ids = new Map<string | number, number>();
  #states = new Map<number, S>();
  /** By state and kind of call: the states after it. */
  #after = new Map<number, readonly number[]>();
  #nextId = 0;

  constructor(spec: Specification<S, C>, kinds: number) {
    this.#spec = spec;
    this.#kinds = kinds;
  }

  /** How much is remembered: states and transitions. */
  get size(): number {
    return this.#states.size + this.#after.size;
  }

  /** The numbers of `states`, each once. */
  idsOf(states: readonly S[]): readonly number[] {
    return [...new Set(states.map((state) => this.#idOf(state)))];
  }

  /** The states with these numbers. */
  statesOf(ids: readonly number[]): S[] {
    return ids.map((id) => this.#stateOf(id));
  }

  /** The states that explain `entry` from some state of `belief`, each once. */
  after(belief: readonly number[], entry: Entry<C>): readonly number[] {
    const [only] = belief;
    if (belief.length === 1 && only !== undefined) return this.#afterOne(only, entry);
    const reached = new Set<number>();
    for (const id of belief) for (const next of this.#afterOne(id, entry)) reached.add(next);
    return [...reached];
  }

  /** Forgets all but the states of these numbers, which keep their numbers. */
  keepOnly(ids: Iterable<number>): void {
    const kept = new Map<number, S>();
    for (const id of ids) kept.set(id, this.#stateOf(id));
    this.#states = kept;
    this.#ids = new Map([...kept].map(([id, state]) => [this.#spec.key(state), id]));
    this.#after = new Map();
  }

  #afterOne(id: number, entry: Entry<C>): readonly number[] {
    const transition = id * this.#kinds + entry.kind;
    let ids = this.#after.get(transition);
    if (ids === undefined) {
      ids = this.idsOf(this.#spec.step(this.#stateOf(id), entry.call));
      this.#after.set(transition, ids);
    }
    return ids;
  }

  #idOf(state: S): number {
    const key = this.#spec.key(state);
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#nextId++;
      this.#ids.set(key, id);
      this.#states.set(id, state);
    }
    return id;
  }

  #stateOf(id: number): S {
    const state = this.#states.get(id);
    if (state === undefined) throw new RangeError(`state ${id} was forgotten`);
    return state;
  }
}
