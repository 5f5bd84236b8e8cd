/** Runs the main command: checks, tells the user, writes the reports, and says how to exit. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { endAllProcesses } from '../lanes/owned-process.js';
import type { RunRecord } from '../report/run-record.js';
import { terminalListener } from '../report/terminal.js';
import { requireWritable, writeReport } from '../report/write-reports.js';
import { check } from './check.js';
import type { CheckOptions } from './check-options.js';
import { EXIT } from './failure.js';
import { exitCodeOf, report } from './finish.js';
import { lookOf } from './look.js';
import { blobName, blobOf, blobText } from './shard-blob.js';
import type { Shard } from './shard-value.js';
import { Supply } from './supply.js';

/** Runs the main command. Returns the exit code. */
export async function runCheck(options: CheckOptions, write: (text: string) => void): Promise<number> {
  process.once('exit', endAllProcesses);
  const look = lookOf(options, write);
  const over = new AbortController();
  const supply = new Supply(options);
  await requireWritable(options.out);
  try {
    const run = await check(supply, options, {
      clock,
      sleep: (ms: number) => sleep(ms),
      timestamp: new Date().toISOString(),
      listen: terminalListener(look),
      interrupted: interruption(options.timeLimit, over.signal).then((reason) => {
        if (!over.signal.aborted) leaveSoon();
        return reason;
      }),
    });
    const code = options.shard
      ? await reportPart(run, options.shard, options.out, write)
      : await reportWhole(run, options, write);
    // What an interrupted run left under way would keep the process alive.
    if (run.interrupted) process.exit(code);
    return code;
  } finally {
    over.abort();
  }
}

/** How long reports may take once a run was cut short, in milliseconds; a second signal does not wait for them. */
const LAST_WORDS_MS = 15_000;

/** Nothing holds an interrupted process back for long: not a folder that never answers, nor a call under way. */
function leaveSoon(): void {
  setTimeout(() => process.exit(EXIT.environment), LAST_WORDS_MS).unref();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(EXIT.environment));
  }
}

const clock = (): number => performance.now();

/** Resolves with a reason when the user or the clock ends the run early. */
async function interruption(limitMs: number | undefined, signal: AbortSignal): Promise<string> {
  const causes = [
    once(process, 'SIGINT', { signal }).then(() => 'interrupted by SIGINT'),
    once(process, 'SIGTERM', { signal }).then(() => 'interrupted by SIGTERM'),
    once(process, 'SIGHUP', { signal }).then(() => 'interrupted by SIGHUP'),
  ];
  if (limitMs !== undefined) {
    causes.push(
      sleep(limitMs, undefined, { signal }).then(() => `the time limit of ${limitMs} ms (--time-limit)`),
    );
  }
  // The run's own end aborts the waiting; nobody listens any more.
  return Promise.race(causes).catch(() => 'the run is over');
}

async function reportWhole(
  run: RunRecord,
  options: CheckOptions,
  write: (text: string) => void,
): Promise<number> {
  await report(run, options, write);
  return exitCodeOf(run);
}

/** A part has no verdict of its own; it fails where it found something, so that whoever started it may stop early. */
async function reportPart(
  run: RunRecord,
  part: Shard,
  folder: string,
  write: (text: string) => void,
): Promise<number> {
  const file = await writeReport(folder, blobName(part), blobText(blobOf(run, part)));
  const { violations } = run.findings;
  write(
    `\nPart ${part.index} of ${part.of}: ${run.stats.sequences} sequences, ${violations.length} violations, wrote ${file}\n` +
      `The verdict comes from all parts together: npx bfcheck merge ${folder}\n`,
  );
  if (run.interrupted) return EXIT.incomplete;
  return violations.length > 0 ? EXIT.failed : EXIT.certified;
}
