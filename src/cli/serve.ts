/** `bfcheck serve`: the built-in reference provider, in this process. */
import { once } from 'node:events';
import type { TlsOptions } from '../wire/index.js';
import { UsageError } from './failure.js';

/** Options of `serve` as commander hands them over; durations in milliseconds. */
export interface ServeOptions extends TlsOptions {
  readonly addr: string;
  readonly seedCount: number;
  readonly provider: string;
  readonly latency: { readonly minMs: number; readonly maxMs: number };
  /** False after `--no-delete`. */
  readonly delete: boolean;
  readonly state?: string;
  readonly fault?: boolean;
  readonly transitionTimeout?: number;
  readonly mutant?: string;
  readonly variant?: string;
  /** End when standard input closes: what started this process is gone. */
  readonly untilStdinCloses?: boolean;
}

/** Serves until SIGINT or SIGTERM. */
export async function serve(options: ServeOptions, print: (line: string) => void): Promise<void> {
  const { startProvider } = await import('../provider/index.js');
  const { serverTls, tlsOptionsProblem } = await import('../wire/index.js');
  const problem = tlsOptionsProblem(options, 'server');
  if (problem !== null) throw new UsageError(problem);
  const running = await startProvider({
    addr: options.addr,
    credentials: await serverTls(options),
    seedCount: options.seedCount,
    providerName: options.provider,
    latency: options.latency,
    ...(options.delete ? {} : { deletes: false }),
    ...(options.state ? { statePath: options.state } : {}),
    ...(options.fault ? { fault: true } : {}),
    ...(options.transitionTimeout === undefined ? {} : { transitionTimeoutMs: options.transitionTimeout }),
    ...(options.mutant === undefined ? {} : { mutant: options.mutant }),
    ...(options.variant === undefined ? {} : { variant: options.variant }),
  }).catch((error: Error) => {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  });
  print(`serving bigfleet.v1alpha1.CapacityProvider on ${running.address}`);
  const ends = [once(process, 'SIGINT'), once(process, 'SIGTERM')];
  if (options.untilStdinCloses) ends.push(once(process.stdin.resume(), 'end'));
  await Promise.race(ends);
  await running.stop();
}
