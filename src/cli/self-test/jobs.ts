/** Jobs for several processes: one thread of JavaScript fills one core, and trials are independent. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runTrial } from './run-trial.js';
import { shortest } from './shortest.js';

/** What a worker can do, by name. */
export const JOBS = { trial: runTrial, shortest } as const;

type Kind = keyof typeof JOBS;
type InputOf<K extends Kind> = Parameters<(typeof JOBS)[K]>[0];
type OutputOf<K extends Kind> = Awaited<ReturnType<(typeof JOBS)[K]>>;

/** One job as it travels. */
export interface Job {
  readonly kind: Kind;
  readonly input: unknown;
}
/** What came of it as it travels back. */
export type Reply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string };

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));

/**
 * Runs `inputs` in `workers` processes and returns the outputs in the order of the inputs. All processes have ended
 * when it resolves or rejects.
 * @throws Error when a job fails or a worker dies
 */
export async function inWorkers<K extends Kind>(
  kind: K,
  inputs: readonly InputOf<K>[],
  workers: number,
  each: (output: OutputOf<K>, done: number) => void = () => {},
): Promise<OutputOf<K>[]> {
  const queue = [...inputs.entries()];
  const outputs: OutputOf<K>[] = [];
  let done = 0;
  const processes: ChildProcess[] = [];
  const drain = async (): Promise<void> => {
    const worker = fork(WORKER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    processes.push(worker);
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, input] = next;
      const output = (await ask(worker, { kind, input })) as OutputOf<K>;
      outputs[index] = output;
      done += 1;
      each(output, done);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(workers, inputs.length) }, drain));
    return outputs;
  } finally {
    for (const worker of processes) worker.kill('SIGKILL');
  }
}

function ask(worker: ChildProcess, job: Job): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const died = (code: number | null, signal: string | null): void =>
      reject(new Error(`a worker of the self-test ended with ${signal ?? code}`));
    worker.once('exit', died);
    worker.once('message', (reply: Reply) => {
      worker.off('exit', died);
      if (reply.ok) resolve(reply.value);
      else reject(new Error(`${job.kind} ${JSON.stringify(job.input)}: ${reply.error}`));
    });
    worker.send(job);
  });
}
