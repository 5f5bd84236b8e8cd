import type { Group } from './results.js';

/** How much is measured. */
export interface Settings {
  /** The long form: the largest sizes and half an hour of soak. */
  readonly full: boolean;
  /** Sequences at the same time: the default of the command line. */
  readonly concurrency: number;
}

/** The figures of a group, without its name. */
export type Figures = Omit<Group, 'name'>;
