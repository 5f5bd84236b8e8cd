import type { Alteration } from '../alteration.js';

/** A provider that is unusual, and right: whoever accuses it reads more into the contract than is there. */
export interface Variant extends Alteration {
  /** Whether it implements Delete, where the caller does not say. */
  readonly deletes?: boolean;
}
