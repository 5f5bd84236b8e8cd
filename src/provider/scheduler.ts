/** The only way the domain knows time. */
export interface Scheduler {
  /** Runs `task` once, about `ms` milliseconds from now, unless the scheduler was closed before. */
  after(ms: number, task: () => void): void;
  /** Drops everything that is still waiting. */
  close(): void;
}

/** A scheduler on the process's own timers. */
export function timerScheduler(): Scheduler {
  const waiting = new Set<NodeJS.Timeout>();
  let closed = false;
  return {
    after(ms, task) {
      if (closed) return;
      const timer = setTimeout(() => {
        waiting.delete(timer);
        task();
      }, ms);
      waiting.add(timer);
    },
    close() {
      closed = true;
      for (const timer of waiting) clearTimeout(timer);
      waiting.clear();
    },
  };
}

/** Runs `task` every `ms` milliseconds until the scheduler is closed. */
export function every(scheduler: Scheduler, ms: number, task: () => void): void {
  scheduler.after(ms, () => {
    task();
    every(scheduler, ms, task);
  });
}

/** Resolves about `ms` milliseconds from now. */
export function pause(scheduler: Scheduler, ms: number): Promise<void> {
  return new Promise((resolve) => scheduler.after(ms, resolve));
}
