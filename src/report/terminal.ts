/** What people see of a run on their terminal: progress while it works, the summary at its end. */
import { buildReport } from './json-report.js';
import type { TerminalOptions } from './progress.js';
import type { RunRecord } from './run-record.js';
import { summaryText } from './summary.js';

export type { TerminalOptions } from './progress.js';
export { terminalListener } from './progress.js';

/** Writes the summary of `run`; `files` are the reports that were written. */
export function printSummary(
  run: RunRecord,
  options: Pick<TerminalOptions, 'write' | 'color' | 'columns' | 'level'> & {
    readonly files?: readonly string[];
  },
): void {
  options.write(summaryText(buildReport(run), options));
}
