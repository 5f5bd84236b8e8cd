/** Processes that bfcheck starts, and always ends: with their children, on success, failure, signal or exception. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';

/** What a process is given beside its arguments. */
export interface OwnedOptions {
  /** Its working folder; ours where absent. */
  readonly cwd?: string;
  /** Takes every line it writes, to either stream, as it comes; a line longer than 64 Ki characters comes in parts. */
  readonly onLine?: (line: string) => void;
}

/** How many of the last lines of output are kept for a report. */
const KEPT_LINES = 50;
const LONGEST_LINE = 2_000;
const LONGEST_PART = 65_536;

const running = new Set<OwnedProcess>();

/** Kills everything still running; synchronous, for the process's last moments. */
export function endAllProcesses(): void {
  for (const owned of running) owned.killGroup('SIGKILL');
}

/** A child process in a process group of its own. */
export class OwnedProcess {
  private readonly lines: string[] = [];
  private readonly child: ChildProcess;
  /** Resolves when the process has ended, with a short text saying how. */
  readonly ended: Promise<string>;

  private constructor(child: ChildProcess, onLine: (line: string) => void = () => undefined) {
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      const lines = lineSplitter((line) => {
        this.keep(line);
        onLine(line);
      });
      stream?.setEncoding('utf8');
      stream?.on('data', lines.take);
      stream?.on('end', lines.end);
    }
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(`could not be started (${error.message})`));
      child.once('close', (code, signal) =>
        resolve(signal ? `ended by ${signal}` : `exited with code ${code}`),
      );
    }).then((how) => {
      running.delete(this);
      return String(how);
    });
    running.add(this);
  }

  /** Runs a program with arguments. Its standard input stays open as long as this process lives. */
  static run(program: string, args: readonly string[], options: OwnedOptions = {}): OwnedProcess {
    const { cwd, onLine } = options;
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe'];
    return new OwnedProcess(spawn(program, args, { detached: true, stdio, cwd }), onLine);
  }

  /** Runs a command line in the shell. */
  static shell(command: string): OwnedProcess {
    return new OwnedProcess(spawn(command, { detached: true, shell: true, stdio: ['pipe', 'pipe', 'pipe'] }));
  }

  /** The last lines it wrote, oldest first. Data of a stranger. */
  get log(): readonly string[] {
    return this.lines;
  }

  /** Sends a signal to the process and all its children. */
  killGroup(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The group is gone already.
    }
  }

  /** Kills the group and waits until it is gone. */
  async kill(): Promise<void> {
    this.killGroup('SIGKILL');
    await this.ended;
  }

  private keep(line: string): void {
    if (line.trim() === '') return;
    this.lines.push(line.slice(0, LONGEST_LINE));
    this.lines.splice(0, Math.max(0, this.lines.length - KEPT_LINES));
  }
}

/** Puts lines together that come in pieces; `end` gives out what has no end of line. */
function lineSplitter(onLine: (line: string) => void) {
  let open = '';
  const flush = (): void => {
    if (open !== '') onLine(open);
    open = '';
  };
  return {
    take(text: string): void {
      const [first = '', ...rest] = text.split('\n');
      open += first;
      for (const line of rest) {
        onLine(open);
        open = line;
      }
      if (open.length > LONGEST_PART) flush();
    },
    end: flush,
  };
}
