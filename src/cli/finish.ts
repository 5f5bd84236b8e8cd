/** The end of a run, whether one process did it or several: reports, summary, what CI is told, the exit code. */
import { tellGitHub } from '../report/github-run.js';
import { buildReport } from '../report/json-report.js';
import type { RunRecord } from '../report/run-record.js';
import { printSummary } from '../report/terminal.js';
import { writeReports } from '../report/write-reports.js';
import type { CheckOptions } from './check-options.js';
import { EXIT } from './failure.js';
import { lookOf } from './look.js';

const CODES = { CERTIFIED: EXIT.certified, FAILED: EXIT.failed, INCOMPLETE: EXIT.incomplete } as const;

/** How a run ends the process. */
export function exitCodeOf({ verdict }: RunRecord): number {
  return CODES[verdict];
}

/** Writes every report and tells the user and, where there is one, the CI server. */
export async function report(
  run: RunRecord,
  options: Pick<CheckOptions, 'out' | 'quiet' | 'verbose'>,
  write: (text: string) => void,
): Promise<void> {
  let files: readonly string[] = [];
  try {
    files = await writeReports(options.out, run);
  } finally {
    // What the run has found is told even where it cannot be kept.
    printSummary(run, { ...lookOf(options, write), files });
  }
  await tellGitHub(buildReport(run), process.env, write);
}
