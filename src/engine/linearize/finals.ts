import type { Final, Specification } from './specification.js';

/** Collects the states that explanations end in, without those that a freer one covers. */
export class Finals<S, C> {
  readonly #spec: Specification<S, C>;
  readonly #byState = new Map<string | number, Final<S>[]>();

  constructor(spec: Specification<S, C>) {
    this.#spec = spec;
  }

  add(state: S, open: readonly number[]): void {
    const key = this.#spec.key(state);
    const known = this.#byState.get(key) ?? [];
    if (known.some((final) => covers(final.open, open))) return;
    this.#byState.set(key, [...known.filter((final) => !covers(open, final.open)), { state, open }]);
  }

  list(): readonly Final<S>[] {
    return [...this.#byState.values()].flat();
  }
}

/** Whether every call that is open in `less` is open in `more` as well. */
function covers(more: readonly number[], less: readonly number[]): boolean {
  return less.every((index) => more.includes(index));
}
