/** One direction of one connection: chunks go in as they come and out when the network lets them. */
import type { Socket } from 'node:net';
import type { Timers } from './timers.js';

/** Bytes waiting in one direction before the sender is made to wait, as a real network's buffers would. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;

/** A chunk on its way, or null for the end of the stream. */
interface Passenger {
  readonly bytes: Buffer | null;
  /** When it may leave, by the timers' clock. */
  readonly at: number;
}

export class Flow {
  private readonly queue: Passenger[] = [];
  private waitingBytes = 0;
  private lastAt = 0;
  private blockedUntil = 0;
  private cancelTimer: (() => void) | undefined;
  private ended = false;

  constructor(
    private readonly from: Socket,
    private readonly to: Socket,
    private readonly timers: Timers,
  ) {
    to.on('drain', () => this.balance());
  }

  /** Takes a chunk, to be passed on after `delayMs`, and never before one that came earlier. */
  push(bytes: Buffer | null, delayMs: number): void {
    this.lastAt = Math.max(this.lastAt, this.timers.now() + delayMs);
    this.queue.push({ bytes, at: this.lastAt });
    this.waitingBytes += bytes?.length ?? 0;
    this.balance();
    this.advance();
  }

  /** Lets nothing out before the instant `until`. */
  block(until: number): void {
    this.blockedUntil = Math.max(this.blockedUntil, until);
    this.advance();
  }

  /** Drops what waits. */
  stop(): void {
    this.ended = true;
    this.cancelTimer?.();
    this.queue.length = 0;
  }

  private advance(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    for (let first = this.queue[0]; first !== undefined && !this.ended; first = this.queue[0]) {
      const waitMs = Math.max(first.at, this.blockedUntil) - this.timers.now();
      if (waitMs > 0) {
        this.cancelTimer = this.timers.after(waitMs, () => this.advance());
        return;
      }
      this.queue.shift();
      this.release(first.bytes);
    }
  }

  private release(bytes: Buffer | null): void {
    if (bytes === null) {
      this.to.end();
      return;
    }
    this.waitingBytes -= bytes.length;
    this.to.write(bytes);
    this.balance();
  }

  private balance(): void {
    const full = this.waitingBytes + this.to.writableLength > MOST_WAITING_BYTES;
    if (full && !this.from.isPaused()) this.from.pause();
    else if (!full && this.from.isPaused()) this.from.resume();
  }
}
