/** The only way the proxy knows time. */
export interface Timers {
  /** Monotonic, in milliseconds. */
  now(): number;
  /** Runs `task` once, about `ms` milliseconds from now, unless what it returns is called before. */
  after(ms: number, task: () => void): () => void;
}

/** The process's own timers, on a monotonic clock. */
export function processTimers(): Timers {
  const startedAt = process.hrtime.bigint();
  return {
    now: () => Number(process.hrtime.bigint() - startedAt) / 1e6,
    after(ms, task) {
      const timer = setTimeout(task, ms);
      return () => clearTimeout(timer);
    },
  };
}
