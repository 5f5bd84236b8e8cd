/** Runs the lane in a process of its own, so that no run pays for another one's garbage. */
import type { LaneJob, LaneRun } from './lane.js';
import { node, script } from './processes.js';

export async function laneProcess(job: LaneJob, nodeArgs: readonly string[] = []): Promise<LaneRun> {
  const { stdout } = await node([...nodeArgs, script('lane-run'), JSON.stringify(job)]);
  return JSON.parse(stdout);
}
