/** A worker process of the self-test: takes one job after another from its parent and sends back what came of it. */
import { endAllProcesses } from '../../lanes/owned-process.js';
import { JOBS, type Job, type Reply } from './jobs.js';

process.once('exit', endAllProcesses);
// The parent is gone: nobody waits for the rest.
process.once('disconnect', () => process.exit());
process.on('message', (job: Job) => {
  void work(job).then((reply) => process.send?.(reply));
});

async function work(job: Job): Promise<Reply> {
  try {
    return { ok: true, value: await JOBS[job.kind](job.input as never) };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
