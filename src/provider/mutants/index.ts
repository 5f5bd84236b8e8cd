import { findByName, type Mutant } from '../alteration.js';
import { FENCING } from './fencing.js';
import { LIFECYCLE } from './lifecycle.js';
import { MATRIX } from './matrix.js';
import { OPERATION_IDS } from './operation-ids.js';

export type { Mutant } from '../alteration.js';

/** Every mutant: a provider with one honest bug, for a checker to find. */
export const MUTANTS: readonly Mutant[] = [...FENCING, ...LIFECYCLE, ...MATRIX, ...OPERATION_IDS];

/**
 * Finds a mutant by name.
 * @throws RangeError with the nearest names, when there is none of that name
 */
export function findMutant(name: string): Mutant {
  return findByName('mutant', MUTANTS, name);
}
