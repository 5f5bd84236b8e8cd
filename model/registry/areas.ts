/** The areas of the registry, in the order of their id ranges; a behavior never moves to another one. */
export const AREAS = Object.freeze([
  Object.freeze({ id: 'lifecycle', name: 'Lifecycle' }),
  Object.freeze({ id: 'transition-matrix', name: 'Transition matrix and errors' }),
  Object.freeze({ id: 'fencing', name: 'Fencing' }),
  Object.freeze({ id: 'concurrency', name: 'Concurrency and idempotency' }),
  Object.freeze({ id: 'metadata', name: 'Metadata' }),
  Object.freeze({ id: 'timeouts', name: 'Timeouts and failure' }),
  Object.freeze({ id: 'field-shape', name: 'Field shape and cost' }),
  Object.freeze({ id: 'list', name: 'List, revision and paging' }),
  Object.freeze({ id: 'durability', name: 'Durability and restart' }),
  Object.freeze({ id: 'scale', name: 'Scale and soak' }),
  Object.freeze({ id: 'property', name: 'Property and fuzz' }),
] as const);

/** A group of behaviors: its id as used in patterns and reports, and its display name. */
export type Area = (typeof AREAS)[number];
/** The id of an area. */
export type AreaId = Area['id'];
