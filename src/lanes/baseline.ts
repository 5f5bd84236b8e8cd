/** The baseline lane: the upstream Go conformance suite, run verbatim from a checkout the user has (contract section 7). */
import { stat } from 'node:fs/promises';
import type { Clock } from '../wire/index.js';
import { type GoTest, GoTestReader, type GoTestReport } from './go-test-events.js';
import { OwnedProcess } from './owned-process.js';

export interface BaselineOptions {
  /** Root of the user's checkout of the upstream project. Nothing in it is changed. */
  readonly sourceDir: string;
  /** HOST:PORT of the provider under test. */
  readonly target: string;
  /** How long the whole suite may take, its compilation included, in milliseconds. */
  readonly deadlineMs: number;
  readonly clock: Clock;
}

/** What came of it. */
export interface BaselineResult {
  /** `not-run`: there was nothing to run, or nothing to run it with; nothing is known of the provider. */
  readonly status: 'passed' | 'failed' | 'not-run';
  /** Why it did not pass, in one line; empty where it did. May quote the suite. */
  readonly reason: string;
  /** As a user would type it in the checkout. */
  readonly command: string;
  /** Parents and subtests alike, in the order in which they began; `elapsed` in milliseconds. */
  readonly tests: readonly GoTest[];
  readonly counts: GoTestReport['counts'];
  /** How many tests were too many to be listed; they are in the counts. */
  readonly omitted: number;
  /** What the compiler said, where it failed. */
  readonly buildOutput: readonly string[];
  readonly durationMs: number;
  /** The last lines written, events included; foreign text. */
  readonly log: readonly string[];
}

const PROGRAM = 'go';
const PACKAGE_DIR = 'test/conformance';

function argumentsFor(target: string): readonly string[] {
  return [
    'test',
    '-json',
    '-tags=conformance',
    '-count=1',
    '-run',
    '^TestConformance_',
    `./${PACKAGE_DIR}/...`,
    `-target=${target}`,
  ];
}

/** Runs the suite and always ends it, with everything it started. Never rejects: what goes wrong is the result. */
export async function runBaseline(options: BaselineOptions): Promise<BaselineResult> {
  const { sourceDir, target, deadlineMs, clock } = options;
  const from = clock();
  const args = argumentsFor(target);
  const reader = new GoTestReader();
  const result = (
    status: BaselineResult['status'],
    reason: string,
    log: readonly string[],
  ): BaselineResult => {
    const { tests, counts, omitted, buildOutput } = reader.report();
    const command = `${PROGRAM} ${args.join(' ')}`;
    return { status, reason, command, tests, counts, omitted, buildOutput, durationMs: clock() - from, log };
  };
  const missing = await whatIsMissing(sourceDir);
  if (missing !== null) return result('not-run', missing, []);
  const owned = OwnedProcess.run(PROGRAM, args, { cwd: sourceDir, onLine: (line) => reader.line(line) });
  const how = await endOf(owned, deadlineMs);
  const { status, reason } = conclude(reader.report(), how, deadlineMs);
  return result(status, reason, [...owned.log]);
}

/** Why there is nothing to run in `sourceDir`, or null. */
async function whatIsMissing(sourceDir: string): Promise<string | null> {
  const folder = await stat(`${sourceDir}/${PACKAGE_DIR}`).catch(() => null);
  if (folder?.isDirectory()) return null;
  return `${JSON.stringify(sourceDir)} has no folder ${PACKAGE_DIR}: --baseline-src takes the root of a checkout of the upstream project`;
}

/** How the process ended, or null when it had to be ended at the deadline. */
async function endOf(owned: OwnedProcess, deadlineMs: number): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), deadlineMs);
  });
  try {
    return await Promise.race([owned.ended, deadline]);
  } finally {
    clearTimeout(timer);
    // Test binaries are children of go and may outlive it.
    await owned.kill();
  }
}

type Conclusion = Pick<BaselineResult, 'status' | 'reason'>;

function conclude(report: GoTestReport, how: string | null, deadlineMs: number): Conclusion {
  const { counts, panic, timedOut, buildFailed, noTests, failedPackages } = report;
  const failed = (reason: string): Conclusion => ({ status: 'failed', reason });
  if (how === null) return failed(`the suite was ended after ${deadlineMs} ms, before it was done`);
  if (how.startsWith('could not be started')) {
    return {
      status: 'not-run',
      reason: `Go is needed to run the upstream suite and ${PROGRAM} ${how}: install Go, or leave --baseline-src away`,
    };
  }
  if (buildFailed) return failed(`the suite does not compile: ${compilerWords(report)}`);
  if (timedOut) return failed(`a test binary reached Go's own time limit (${panic})`);
  if (panic !== null) return failed(`the suite panicked (${panic})`);
  if (noTests) {
    return { status: 'not-run', reason: `no test named TestConformance_… was found in ./${PACKAGE_DIR}` };
  }
  if (counts.failed > 0) {
    return failed(`${counts.failed} of ${counts.failed + counts.passed + counts.skipped} tests failed`);
  }
  const [broken] = failedPackages;
  if (broken !== undefined) return failed(`package ${broken.name} failed outside of its tests`);
  if (how !== 'exited with code 0')
    return failed(`${PROGRAM} test ${how}: ${report.notes.at(-1) ?? 'without a word'}`);
  if (counts.passed === 0) {
    return { status: 'not-run', reason: 'every test of the suite was skipped, or none was told of' };
  }
  return { status: 'passed', reason: '' };
}

function compilerWords({ buildOutput, notes }: GoTestReport): string {
  const said = buildOutput.find((line) => !line.startsWith('#')) ?? notes[0];
  return said ?? 'the compiler said no more';
}
