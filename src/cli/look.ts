/** How to write to this process's user. */
import type { TerminalOptions } from '../report/progress.js';
import type { CheckOptions } from './check-options.js';

/** What standard output is and what the user asked for; NO_COLOR and FORCE_COLOR are heeded. */
export function lookOf(
  { quiet, verbose }: Pick<CheckOptions, 'quiet' | 'verbose'>,
  write: (text: string) => void,
): TerminalOptions {
  const tty = process.stdout.isTTY === true;
  const level = quiet ? 'quiet' : verbose ? 'verbose' : 'normal';
  const color = process.env.NO_COLOR ? false : tty || Boolean(process.env.FORCE_COLOR);
  return { write, tty, color, columns: process.stdout.columns ?? 100, level, clock: () => performance.now() };
}
