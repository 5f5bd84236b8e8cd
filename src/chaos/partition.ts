/** When the network is cut in two, and when it heals. */
import type { ChaosOptions } from './options.js';
import type { Timers } from './timers.js';

export class PartitionClock {
  /** The instant at which the present partition heals, by the timers' clock; past or 0 where there is none. */
  until = 0;
  private cancelTimer: (() => void) | undefined;

  /** @param onCut is called at the start of every partition with the instant of its end. */
  constructor(
    private readonly partition: ChaosOptions['partition'],
    private readonly timers: Timers,
    private readonly onCut: (until: number) => void,
  ) {}

  /** Begins with a whole network: the cut comes at the end of each period. */
  start(): void {
    if (this.partition === null) return;
    const { lengthMs, periodMs } = this.partition;
    this.next(this.timers.now() + periodMs - lengthMs, lengthMs, periodMs);
  }

  stop(): void {
    this.cancelTimer?.();
  }

  /** Counted from instants that were planned, so that late timers do not add up. */
  private next(at: number, lengthMs: number, periodMs: number): void {
    this.cancelTimer = this.timers.after(Math.max(0, at - this.timers.now()), () => {
      this.until = at + lengthMs;
      this.onCut(this.until);
      this.next(at + periodMs, lengthMs, periodMs);
    });
  }
}
