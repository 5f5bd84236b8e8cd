/** Finds or boots the provider, checks it, tells the user, and says how to exit. */

import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { boot, type Launcher, shellLauncher } from '../lanes/boot.js';
import { endAllProcesses, OwnedProcess } from '../lanes/owned-process.js';
import { printSummary, terminalListener } from '../report/terminal.js';
import { writeReports } from '../report/write-reports.js';
import { awaitReady, ProviderClient } from '../wire/index.js';
import { check, type Subject } from './check.js';
import type { CheckOptions } from './check-options.js';
import { EXIT, UsageError } from './failure.js';

/** Separate HTTP/2 connections to a provider. */
const CONNECTIONS = 4;
const CODES = { CERTIFIED: EXIT.certified, FAILED: EXIT.failed, INCOMPLETE: EXIT.incomplete } as const;

/** Runs the main command. Returns the exit code. */
export async function runCheck(options: CheckOptions, write: (text: string) => void): Promise<number> {
  if (options.target && options.boot)
    throw new UsageError(
      '--target and --boot exclude each other: one says where the provider is, the other starts it',
    );
  process.once('exit', endAllProcesses);
  const subject = await subjectOf(options);
  const look = lookOf(options, write);
  try {
    const tools = {
      clock,
      sleep: (ms: number) => sleep(ms),
      timestamp: new Date().toISOString(),
      listen: terminalListener(look),
    };
    const run = await check(subject, options, tools);
    const files = await writeReports(options.out, run);
    printSummary(run, { ...look, files });
    return CODES[run.verdict];
  } finally {
    await subject.stop();
  }
}

const clock = (): number => performance.now();

function lookOf({ quiet, verbose }: CheckOptions, write: (text: string) => void) {
  const tty = process.stdout.isTTY === true;
  const level = quiet ? 'quiet' : verbose ? 'verbose' : 'normal';
  const color = process.env.NO_COLOR ? false : tty || Boolean(process.env.FORCE_COLOR);
  return { write, tty, color, columns: process.stdout.columns ?? 100, level, clock } as const;
}

async function subjectOf(options: CheckOptions): Promise<Subject & { stop(): Promise<void> }> {
  const bounds = {
    connections: CONNECTIONS,
    callTimeoutMs: options.callTimeout,
    clock,
    sleep: (ms: number) => sleep(ms),
  };
  if (options.target !== undefined) {
    const client = new ProviderClient({ ...bounds, target: options.target });
    const listing = await awaitReady(client, {
      ...bounds,
      deadlineMs: Math.min(options.bootTimeout, options.callTimeout),
    });
    return { client, listing, target: options.target, stop: async () => client.close() };
  }
  const launch = options.boot === undefined ? builtIn : shellLauncher(options.boot);
  const values = { seedCount: options.seedCount, state: '', provider: 'bfcheck' };
  const booted = await boot(launch, values, { ...bounds, bootTimeoutMs: options.bootTimeout });
  return { ...booted, target: options.boot === undefined ? 'the built-in provider' : booted.address };
}

/** The reference provider, as a child of this process that ends with it. */
const builtIn: Launcher = (port, { seedCount }) =>
  OwnedProcess.run(process.execPath, [
    fileURLToPath(new URL('./main.js', import.meta.url)),
    'serve',
    `--addr=127.0.0.1:${port}`,
    `--seed-count=${seedCount}`,
    '--until-stdin-closes',
  ]);
