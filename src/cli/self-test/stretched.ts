import type { Scheduler } from '../../provider/index.js';

/** A scheduler whose every wait is `factor` times longer: verdicts must not depend on how fast a provider is. */
export function stretched(timers: Scheduler, factor: number): Scheduler {
  return { after: (ms, task) => timers.after(ms * factor, task), close: () => timers.close() };
}
