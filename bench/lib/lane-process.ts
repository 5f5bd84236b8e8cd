/** Runs the lane in a process of its own, so that no run pays for another one's garbage. */
import type { LaneJob, LaneRun } from './lane.js';
import { node, script } from './processes.js';

/** @throws Error when the run is not one that a figure can be taken from */
export async function laneProcess(job: LaneJob, nodeArgs: readonly string[] = []): Promise<LaneRun> {
  const { stdout } = await node([...nodeArgs, script('lane-run'), JSON.stringify(job)]);
  const run: LaneRun = JSON.parse(stdout);
  const whole =
    job.minutes === undefined ? run.generatedSequences === job.runs : run.wallMs >= job.minutes * 60_000;
  if (!whole || run.violations > 0) {
    const reasons = run.inconclusive.map(([reason, count]) => `${count} times ${reason}`).join('; ');
    throw new Error(
      `a run of ${job.runs} sequences came to ${run.generatedSequences}, with ${run.violations} violations (${reasons})`,
    );
  }
  return run;
}
