/** A provider whose every wait is so many times longer: verdicts must not depend on how fast it is. */
import { type Scheduler, timerScheduler } from '../../provider/scheduler.js';

/** A scheduler on the process's own timers that stretches every wait by `factor`. */
export function scaledScheduler(factor: number): Scheduler {
  const timers = timerScheduler();
  return { after: (ms, task) => timers.after(ms * factor, task), close: () => timers.close() };
}
