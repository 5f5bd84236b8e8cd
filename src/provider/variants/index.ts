import { findByName } from '../alteration.js';
import { CODES } from './codes.js';
import { CURSORS } from './cursors.js';
import { INVENTORIES } from './inventories.js';
import { TIMING } from './timing.js';
import type { Variant } from './variant.js';

export type { Variant } from './variant.js';

/** Every variant. */
export const VARIANTS: readonly Variant[] = [...TIMING, ...CODES, ...CURSORS, ...INVENTORIES];

/**
 * Finds a variant by name.
 * @throws RangeError with the nearest names, when there is none of that name
 */
export function findVariant(name: string): Variant {
  return findByName('variant', VARIANTS, name);
}
