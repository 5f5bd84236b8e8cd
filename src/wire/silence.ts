/** Notices that a provider answers nothing any more. */
import type { Outcome } from '../../model/call.js';

/** How long nothing may come back, and who is told once when nothing did. */
export interface SilenceLimit {
  /** From the first call that was lost after the latest answer, in milliseconds. */
  readonly limitMs: number;
  readonly tell: () => void;
}

/** Keeps account of when the provider was last heard of. Time in which nobody called does not count. */
export class Silence {
  private since: number | null = null;
  /** Whether the limit was passed; it stays so. */
  over = false;

  constructor(private readonly limit: SilenceLimit) {}

  /** A call that was sent at `invokedAt` has ended now, at `returnedAt`. */
  note({ kind, ...rest }: Outcome<unknown>, invokedAt: number, returnedAt: number): void {
    const lost = kind === 'indeterminate' && 'cause' in rest && rest.cause !== 'MALFORMED';
    if (!lost) this.since = null;
    else if (this.over) return;
    else {
      this.since ??= invokedAt;
      if (returnedAt - this.since < this.limit.limitMs) return;
      this.over = true;
      this.limit.tell();
    }
  }
}
