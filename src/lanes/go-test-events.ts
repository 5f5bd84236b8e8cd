/**
 * Reads the event stream of `go test -json` line by line. Everything in it is foreign: a stream may be cut short,
 * mixed with plain text, of an older Go that tells of failed builds in words, or endless. Nothing here throws, and what
 * is kept is bounded.
 */

export type GoTestStatus = 'passed' | 'failed' | 'skipped';

export interface GoTest {
  /** With its parents, as Go writes it: `TestFence/stale_epoch`. */
  readonly name: string;
  readonly package: string;
  readonly status: GoTestStatus;
  /** In milliseconds; 0 where it never ended. */
  readonly elapsed: number;
  /** The last lines it printed; empty for a test that passed. */
  readonly output: string;
  /** It began and its end was never told, as after a panic or a timeout; counts as failed. */
  readonly unfinished: boolean;
}

export interface GoTestReport {
  /** In the order in which they began. */
  readonly tests: readonly GoTest[];
  /** Of all tests, those too many to be listed included. */
  readonly counts: Readonly<Record<GoTestStatus, number>>;
  /** How many tests were counted only. */
  readonly omitted: number;
  /** Packages that failed for more than their tests, or whose end was never told; with their last words. */
  readonly failedPackages: readonly { readonly name: string; readonly output: string }[];
  /** What the compiler said; empty where everything was built. */
  readonly buildOutput: readonly string[];
  readonly buildFailed: boolean;
  /** The first line of a panic, or null. */
  readonly panic: string | null;
  /** Go's own time limit for a test binary was reached. */
  readonly timedOut: boolean;
  /** Nothing matched: no package, no test file or no test. */
  readonly noTests: boolean;
  /** The last lines that were no events. */
  readonly notes: readonly string[];
}

const MOST_TESTS = 5_000;
const MOST_PACKAGES = 200;
const LONGEST_NAME = 500;
const LONGEST_LINE = 1_000;
/** Lines kept of one test, and of each once all together hold more than so many characters. */
const LINES = 40;
const MOST_CHARACTERS = 4_000_000;
const LINES_WHEN_FULL = 2;

const FINAL: ReadonlyMap<string, GoTestStatus> = new Map([
  ['pass', 'passed'],
  ['bench', 'passed'],
  ['fail', 'failed'],
  ['skip', 'skipped'],
]);
const NOTHING_TO_RUN =
  /no tests to run|\[no test files\]|matched no packages|no packages to test|build constraints exclude all Go files/;
const NOT_BUILT = /\[(?:build|setup) failed\]/;
const COMPILER = /^# \S|^\S+\.go:\d+:\d+: /;

interface OpenTest {
  readonly name: string;
  readonly package: string;
  status: GoTestStatus | null;
  elapsed: number;
  readonly lines: string[];
}
interface OpenPackage {
  status: GoTestStatus | null;
  readonly lines: string[];
}

/** What is read of an event; anything may be missing. */
interface Event {
  readonly action: string;
  readonly package: string;
  readonly test: string;
  readonly output: string;
  readonly elapsedMs: number;
}

export class GoTestReader {
  private readonly tests = new Map<string, OpenTest>();
  private readonly packages = new Map<string, OpenPackage>();
  private readonly buildOutput: string[] = [];
  private readonly notes: string[] = [];
  private readonly uncounted: Record<GoTestStatus, number> = { passed: 0, failed: 0, skipped: 0 };
  private characters = 0;
  private buildFailed = false;
  private panic: string | null = null;
  private timedOut = false;
  private nothing = false;

  /** Takes one line of the output, without its end. */
  line(text: string): void {
    const event = eventOf(text);
    if (event === null) this.plain(text);
    else this.event(event);
  }

  private plain(text: string): void {
    const line = cut(text);
    if (line.trim() === '') return;
    this.notice(line);
    if (COMPILER.test(line)) push(this.buildOutput, line, LINES);
    push(this.notes, line, LINES);
  }

  private event({ action, package: name, test, output, elapsedMs }: Event): void {
    if (action === 'build-output') push(this.buildOutput, cut(output).trimEnd(), LINES);
    else if (action === 'build-fail') this.buildFailed = true;
    else if (action === 'output') this.output(name, test, cut(output).trimEnd());
    else if (test === '') this.packageEvent(name, FINAL.get(action));
    else this.testEvent(name, test, FINAL.get(action), elapsedMs);
  }

  private output(name: string, test: string, line: string): void {
    this.notice(line);
    const lines = test === '' ? this.package(name)?.lines : this.test(name, test)?.lines;
    if (lines === undefined || line === '') return;
    const before = size(lines);
    push(lines, line, this.characters > MOST_CHARACTERS ? LINES_WHEN_FULL : LINES);
    this.characters += size(lines) - before;
  }

  /** Words that mean the same wherever they stand. */
  private notice(line: string): void {
    if (line.startsWith('panic: ')) {
      this.panic ??= line;
      this.timedOut ||= line.startsWith('panic: test timed out after');
    }
    this.nothing ||= NOTHING_TO_RUN.test(line);
    this.buildFailed ||= NOT_BUILT.test(line);
  }

  private packageEvent(name: string, status: GoTestStatus | undefined): void {
    const found = this.package(name);
    if (found !== undefined && status !== undefined) found.status = status;
  }

  private testEvent(name: string, test: string, status: GoTestStatus | undefined, elapsedMs: number): void {
    const found = this.test(name, test);
    if (status === undefined) return;
    if (found === undefined) this.uncounted[status] += 1;
    else {
      // A test that is run twice and failed once has failed.
      found.status = found.status === 'failed' ? 'failed' : status;
      found.elapsed = elapsedMs;
      if (found.status === 'passed') this.characters -= size(found.lines.splice(0));
    }
  }

  private test(name: string, test: string): OpenTest | undefined {
    const key = `${cut(name, LONGEST_NAME)} ${cut(test, LONGEST_NAME)}`;
    const known = this.tests.get(key);
    if (known !== undefined || this.tests.size >= MOST_TESTS) return known;
    const made = {
      name: cut(test, LONGEST_NAME),
      package: cut(name, LONGEST_NAME),
      status: null,
      elapsed: 0,
      lines: [],
    };
    this.tests.set(key, made);
    return made;
  }

  private package(name: string): OpenPackage | undefined {
    const key = cut(name, LONGEST_NAME);
    const known = this.packages.get(key);
    if (known !== undefined || this.packages.size >= MOST_PACKAGES) return known;
    const made = { status: null, lines: [] };
    this.packages.set(key, made);
    return made;
  }

  /** What is known now; at the end of the stream, what began and did not end has failed. */
  report(): GoTestReport {
    const tests = [...this.tests.values()].map((test) => ({
      name: test.name,
      package: test.package,
      status: test.status ?? 'failed',
      elapsed: test.elapsed,
      output: test.lines.join('\n'),
      unfinished: test.status === null,
    }));
    const count = (status: GoTestStatus): number =>
      tests.filter((test) => test.status === status).length + this.uncounted[status];
    return {
      tests,
      counts: { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
      omitted: this.uncounted.passed + this.uncounted.failed + this.uncounted.skipped,
      failedPackages: [...this.packages].flatMap(([name, { status, lines }]) =>
        status === 'failed' || status === null ? [{ name, output: lines.join('\n') }] : [],
      ),
      buildOutput: this.buildOutput,
      buildFailed: this.buildFailed,
      panic: this.panic,
      timedOut: this.timedOut,
      noTests: this.nothing && tests.length === 0,
      notes: this.notes,
    };
  }
}

/** The event in a line, or null where it is none. */
function eventOf(text: string): Event | null {
  if (!text.startsWith('{')) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('Action' in value)) return null;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const word = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const seconds = fields.Elapsed;
  const elapsed = typeof seconds === 'number' && Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
  return {
    action: word('Action'),
    package: word('Package'),
    test: word('Test'),
    output: word('Output'),
    elapsedMs: elapsed * 1_000,
  };
}

function push(lines: string[], line: string, most: number): void {
  lines.push(line);
  lines.splice(0, Math.max(0, lines.length - most));
}

function size(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}

function cut(text: string, longest = LONGEST_LINE): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
