/** Runs the main command: checks, tells the user, writes the reports, and says how to exit. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { endAllProcesses } from '../lanes/owned-process.js';
import { printSummary, terminalListener } from '../report/terminal.js';
import { writeReports } from '../report/write-reports.js';
import { check } from './check.js';
import type { CheckOptions } from './check-options.js';
import { EXIT } from './failure.js';
import { Supply } from './supply.js';

const CODES = { CERTIFIED: EXIT.certified, FAILED: EXIT.failed, INCOMPLETE: EXIT.incomplete } as const;

/** Runs the main command. Returns the exit code. */
export async function runCheck(options: CheckOptions, write: (text: string) => void): Promise<number> {
  process.once('exit', endAllProcesses);
  const look = lookOf(options, write);
  const over = new AbortController();
  try {
    const run = await check(new Supply(options), options, {
      clock,
      sleep: (ms: number) => sleep(ms),
      timestamp: new Date().toISOString(),
      listen: terminalListener(look),
      interrupted: interruption(options.timeLimit, over.signal),
    });
    const files = await writeReports(options.out, run);
    printSummary(run, { ...look, files });
    // What an interrupted run left under way would keep the process alive.
    if (run.interrupted) process.exit(CODES[run.verdict]);
    return CODES[run.verdict];
  } finally {
    over.abort();
  }
}

const clock = (): number => performance.now();

/** Resolves with a reason when the user or the clock ends the run early. */
async function interruption(limitMs: number | undefined, signal: AbortSignal): Promise<string> {
  const causes = [
    once(process, 'SIGINT', { signal }).then(() => 'interrupted by SIGINT'),
    once(process, 'SIGTERM', { signal }).then(() => 'interrupted by SIGTERM'),
  ];
  if (limitMs !== undefined) {
    causes.push(
      sleep(limitMs, undefined, { signal }).then(() => `the time limit of ${limitMs} ms (--time-limit)`),
    );
  }
  // The run's own end aborts the waiting; nobody listens any more.
  return Promise.race(causes).catch(() => 'the run is over');
}

function lookOf({ quiet, verbose }: CheckOptions, write: (text: string) => void) {
  const tty = process.stdout.isTTY === true;
  const level = quiet ? 'quiet' : verbose ? 'verbose' : 'normal';
  const color = process.env.NO_COLOR ? false : tty || Boolean(process.env.FORCE_COLOR);
  return { write, tty, color, columns: process.stdout.columns ?? 100, level, clock } as const;
}
