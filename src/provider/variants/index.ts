import { type Alteration, findByName } from '../alteration.js';

/** A provider that is unusual, and right: whoever accuses it reads more into the contract than is there. */
export interface Variant extends Alteration {
  /** Whether it implements Delete, where the caller does not say. */
  readonly deletes?: boolean;
}

/** Every variant. */
export const VARIANTS: readonly Variant[] = [
  {
    name: 'no-delete',
    says: 'Every Delete is UNIMPLEMENTED.',
    deletes: false,
    alter: () => ({}),
  },
];

/**
 * Finds a variant by name.
 * @throws RangeError with the nearest names, when there is none of that name
 */
export function findVariant(name: string): Variant {
  return findByName('variant', VARIANTS, name);
}
