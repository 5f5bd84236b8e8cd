/** Notices when bfcheck's own event loop stands still, so that a provider is not charged for it. */

/** How often the loop is looked at, and how late a look must come to count as a stall, in milliseconds. */
const TICK_MS = 5;
const STALL_MS = 5;
/** Stalls that ended longer ago than this no longer overlap a call that is still to be booked. */
const REMEMBERED_MS = 60_000;

interface Interval {
  readonly from: number;
  readonly to: number;
}

export class LoopWatch {
  private readonly stalls: Interval[] = [];
  private watchedMs = 0;
  private stalledMs = 0;
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
      const due = this.clock() + TICK_MS;
      await this.sleep(TICK_MS);
      const to = this.clock();
      this.watchedMs += to - due + TICK_MS;
      if (to - due > STALL_MS) {
        this.stalls.push({ from: due, to });
        this.stalledMs += to - due;
      }
      this.onTick();
      const [oldest] = this.stalls;
      if (oldest !== undefined && oldest.to < to - REMEMBERED_MS) this.stalls.shift();
    }
  }

  stop(): void {
    this.stopped = true;
  }

  /** The part of the time, from 0 to 1, in which the loop stood still. */
  get share(): number {
    return this.watchedMs > 0 ? this.stalledMs / this.watchedMs : 0;
  }

  /**
   * How long the loop stood still between two instants, in milliseconds. A stall is known only once the loop has
   * been looked at again, so this must be asked in `onTick`.
   */
  stalledBetween(from: number, to: number): number {
    let stalled = 0;
    for (let i = this.stalls.length - 1; i >= 0; i--) {
      const stall = this.stalls[i];
      if (stall === undefined || stall.to < from) break;
      stalled += Math.max(0, Math.min(stall.to, to) - Math.max(stall.from, from));
    }
    return stalled;
  }
}
