import type { Policies } from './policies.js';

/** A named change of some of a provider's decisions. */
export interface Alteration {
  /** Kebab-case, unique among its kind; what a user types. */
  readonly name: string;
  /** What is different, in one sentence. */
  readonly says: string;
  /** The decisions to replace, given those that would otherwise hold. Called once for every provider started. */
  readonly alter: (base: Policies) => Partial<Policies>;
  /** The only reading of the contract under which the name is deserved (section 9); both, where absent. */
  readonly reading?: 'literal' | 'reference';
}

/** A bug: correct in everything except one decision. */
export interface Mutant extends Alteration {
  /** The behavior whose sentence the bug breaks first. */
  readonly breaks: `B${number}`;
}

/** The policies after an alteration. */
export function altered(base: Policies, alteration: Alteration | undefined): Policies {
  return alteration === undefined ? base : { ...base, ...alteration.alter(base) };
}

/**
 * Finds an alteration by name.
 * @throws RangeError that names the nearest known ones, when there is none of that name
 */
export function findByName<T extends Alteration>(kind: string, known: readonly T[], name: string): T {
  const found = known.find((candidate) => candidate.name === name);
  if (found !== undefined) return found;
  const near = known
    .map((candidate) => ({ name: candidate.name, steps: editDistance(candidate.name, name) }))
    .toSorted((one, other) => one.steps - other.steps)
    .slice(0, 3)
    .map((candidate) => candidate.name);
  throw new RangeError(`no ${kind} is called ${JSON.stringify(name)}; did you mean ${near.join(', ')}?`);
}

/** Insertions, deletions and replacements that lead from one word to another. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
