/** Exit codes, and errors as people read them. */

import { visible } from '../report/escape.js';

/** What the exit code of `bfcheck` says. */
export const EXIT = { certified: 0, failed: 1, usage: 2, environment: 3, incomplete: 4 } as const;

/** The command line asks for something that cannot be; one line that says what to do instead. */
export class UsageError extends Error {}

/** Several things are wrong with what was asked, one line each. */
export class UsageErrors extends UsageError {
  constructor(readonly lines: readonly string[]) {
    super(lines.join('; '));
  }
}

/** Room for any message of ours; what it quotes may be longer, in UTF-16 units. */
const LONGEST_LINE = 2_000;

/** One line for an error (several for {@link UsageErrors}), and the exit code that goes with it. A stack is for `--verbose` alone. */
export function explainFailure(error: unknown, verbose: boolean): { text: string; code: number } {
  const code = error instanceof UsageError ? EXIT.usage : EXIT.environment;
  const message = error instanceof Error ? error.message : String(error);
  const lines = error instanceof UsageErrors ? error.lines : [message.split('\n')[0]];
  const line = lines.map((text = '') => `bfcheck: ${visible(text, LONGEST_LINE)}`).join('\n');
  return { text: verbose && error instanceof Error && error.stack ? `${line}\n${error.stack}` : line, code };
}
