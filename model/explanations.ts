/** Why each behavior matters, which rule decides it, and how providers get it right: what `explain` shows. */
import { CONCURRENCY_EXPLANATIONS } from './explanations/concurrency.js';
import { DURABILITY_EXPLANATIONS } from './explanations/durability.js';
import type { Explanation } from './explanations/explanation.js';
import { FENCING_EXPLANATIONS } from './explanations/fencing.js';
import { FIELD_SHAPE_EXPLANATIONS } from './explanations/field-shape.js';
import { LIFECYCLE_EXPLANATIONS } from './explanations/lifecycle.js';
import { LIST_EXPLANATIONS } from './explanations/list.js';
import { METADATA_EXPLANATIONS } from './explanations/metadata.js';
import { PROPERTY_EXPLANATIONS } from './explanations/property.js';
import { SCALE_EXPLANATIONS } from './explanations/scale.js';
import { TIMEOUTS_EXPLANATIONS } from './explanations/timeouts.js';
import { TRANSITION_MATRIX_EXPLANATIONS } from './explanations/transition-matrix.js';
import type { BehaviorId } from './registry.js';

export type { Explanation } from './explanations/explanation.js';

const EXPLANATIONS: Readonly<Record<BehaviorId, Explanation>> = {
  ...LIFECYCLE_EXPLANATIONS,
  ...TRANSITION_MATRIX_EXPLANATIONS,
  ...FENCING_EXPLANATIONS,
  ...CONCURRENCY_EXPLANATIONS,
  ...METADATA_EXPLANATIONS,
  ...TIMEOUTS_EXPLANATIONS,
  ...FIELD_SHAPE_EXPLANATIONS,
  ...LIST_EXPLANATIONS,
  ...DURABILITY_EXPLANATIONS,
  ...SCALE_EXPLANATIONS,
  ...PROPERTY_EXPLANATIONS,
};

/** The explanation of a behavior. Unlike the registry these texts may be improved at any time. */
export function explanationOf(id: BehaviorId): Explanation {
  return EXPLANATIONS[id];
}
