#!/usr/bin/env node
/** The command line's edge: standard output, exit codes, errors in one line. */
import { EXIT, explainFailure } from './failure.js';
import { version } from './version.js';

// Whoever reads the output may stop reading, as `head` does: that is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.certified);
  throw error;
});

/** Commander has told the user already; help and version are no errors. */
function exitCodeOf(error: unknown): number | null {
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('commander.')))
    return null;
  return 'exitCode' in error && error.exitCode === 0 ? EXIT.certified : EXIT.usage;
}

/** Scripts ask for the version alone, and often: no parser is loaded for that. */
const asksForVersion = process.argv.length === 3 && process.argv[2] === '--version';

async function runProgram(): Promise<void> {
  const { buildProgram } = await import('./program.js');
  const program = buildProgram(await version(), {
    write: (text) => process.stdout.write(text),
    exit: (code) => {
      process.exitCode = code;
    },
    columns: process.stdout.columns ?? 100,
  });
  await program.parseAsync();
}

try {
  if (asksForVersion) process.stdout.write(`${await version()}\n`);
  else await runProgram();
} catch (error) {
  const known = exitCodeOf(error);
  const failure = explainFailure(error, process.argv.includes('--verbose') || process.argv.includes('-v'));
  if (known === null) process.stderr.write(`${failure.text}\n`);
  process.exitCode = known ?? failure.code;
}
