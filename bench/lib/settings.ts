/** How much is measured. */
export interface Settings {
  /** The long form: the largest sizes and the half hour of soak. */
  readonly full: boolean;
  /** Sequences at the same time: the default of the command line. */
  readonly concurrency: number;
}
