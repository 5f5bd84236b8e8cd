/** Every property, in the order in which a run takes them: directed ones first, then the generative ones. */
import { CONCURRENCY_PROPERTIES } from './concurrency.js';
import { CURSOR_PROPERTIES } from './cursor.js';
import { FENCING_PROPERTIES } from './fencing.js';
import { FIELD_SHAPE_PROPERTIES } from './field-shape.js';
import { LIFECYCLE_PROPERTIES } from './lifecycle.js';
import { LIST_PROPERTIES } from './list.js';
import { LIST_WALK } from './list-walk.js';
import { METADATA_PROPERTIES } from './metadata.js';
import type { DirectedProperty, GenerativeProperty } from './program.js';
import { GENERATIVE_PROPERTIES as WALKS } from './property.js';
import { TRANSITION_MATRIX_PROPERTIES } from './transition-matrix.js';

export const DIRECTED_PROPERTIES: readonly DirectedProperty[] = [
  ...LIFECYCLE_PROPERTIES,
  ...TRANSITION_MATRIX_PROPERTIES,
  ...FENCING_PROPERTIES,
  ...CONCURRENCY_PROPERTIES,
  ...METADATA_PROPERTIES,
  ...FIELD_SHAPE_PROPERTIES,
  ...CURSOR_PROPERTIES,
  ...LIST_PROPERTIES,
];
export const GENERATIVE_PROPERTIES: readonly GenerativeProperty[] = [...WALKS, LIST_WALK];
