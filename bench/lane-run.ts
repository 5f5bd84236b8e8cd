/** A process that runs the black-box lane once: its argument is a LaneJob, its output a LaneRun, both JSON. */
import { type LaneJob, runLane } from './lib/lane.js';

const job: LaneJob = JSON.parse(process.argv[2] ?? '{}');
process.stdout.write(JSON.stringify(await runLane(job)));
