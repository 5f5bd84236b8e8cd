/** Notices when bfcheck's own event loop stands still, so that a provider is not charged for it. */

/** How often the loop is looked at, and how late a look must come to count as a stall. */
const TICK_MS = 5;
const STALL_MS = 25;
/** Stalls older than this no longer overlap any call. */
const REMEMBERED_MS = 120_000;

interface Interval {
  readonly from: number;
  readonly to: number;
}

export class LoopWatch {
  private stalls: Interval[] = [];
  private stopped = false;

  constructor(
    private readonly clock: () => number,
    private readonly sleep: (ms: number) => Promise<void>,
    /** Called after every look. */
    private readonly onTick: () => void,
  ) {}

  /** Looks at the loop until {@link stop}. */
  async run(): Promise<void> {
    while (!this.stopped) {
      const from = this.clock();
      await this.sleep(TICK_MS);
      const to = this.clock();
      if (to - from > TICK_MS + STALL_MS) {
        this.stalls = this.stalls.filter((stall) => stall.to > to - REMEMBERED_MS);
        this.stalls.push({ from, to });
      }
      this.onTick();
    }
  }

  stop(): void {
    this.stopped = true;
  }

  /**
   * Whether the loop stood still at some time between two instants. A stall is known only once the loop has been
   * looked at again, so this must be asked in `onTick`.
   */
  stalledBetween(from: number, to: number): boolean {
    return this.stalls.some((stall) => stall.from < to && stall.to > from);
  }
}
