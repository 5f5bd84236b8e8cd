export const LIFECYCLE_STATES = [
  'SPECULATIVE',
  'CREATING',
  'IDLE',
  'CONFIGURING',
  'CONFIGURED',
  'DRAINING',
  'DELETING',
  'FAILED',
] as const;
/** A state of the lifecycle (contract section 3). */
export type LifecycleState = (typeof LIFECYCLE_STATES)[number];
