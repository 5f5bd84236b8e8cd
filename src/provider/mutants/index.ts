import { findByName, type Mutant } from '../alteration.js';
import { CURSORS } from './cursors.js';
import { DURABILITY } from './durability.js';
import { DURABLE_FLEET } from './durable-fleet.js';
import { DURABLE_MARKS } from './durable-marks.js';
import { FAILED_MACHINES } from './failed-machines.js';
import { FAULTS } from './faults.js';
import { FENCING } from './fencing.js';
import { FENCING_RARELY } from './fencing-rarely.js';
import { FIELDS } from './fields.js';
import { LIFECYCLE } from './lifecycle.js';
import { LISTING } from './listing.js';
import { MATRIX } from './matrix.js';
import { METADATA } from './metadata.js';
import { OPERATION_IDS } from './operation-ids.js';
import { RACES } from './races.js';
import { RESIDUE } from './residue.js';
import { SCALE } from './scale.js';
import { SHAPES } from './shapes.js';
import { SOAK } from './soak.js';

export type { Mutant } from '../alteration.js';

/** Every mutant: a provider with one honest bug, for a checker to find. */
export const MUTANTS: readonly Mutant[] = [
  ...LIFECYCLE,
  ...RESIDUE,
  ...MATRIX,
  ...SHAPES,
  ...OPERATION_IDS,
  ...FENCING,
  ...FENCING_RARELY,
  ...RACES,
  ...METADATA,
  ...FIELDS,
  ...LISTING,
  ...CURSORS,
  ...FAULTS,
  ...FAILED_MACHINES,
  ...DURABILITY,
  ...DURABLE_FLEET,
  ...DURABLE_MARKS,
  ...SCALE,
  ...SOAK,
];

/**
 * Finds a mutant by name.
 * @throws RangeError with the nearest names, when there is none of that name
 */
export function findMutant(name: string): Mutant {
  return findByName('mutant', MUTANTS, name);
}
