/** Processes that bfcheck starts, and always ends: with their children, on success, failure, signal or exception. */
import { type ChildProcess, spawn } from 'node:child_process';

/** How many of the last lines of output are kept for a report. */
const KEPT_LINES = 50;
const LONGEST_LINE = 2_000;

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

  private constructor(child: ChildProcess) {
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text: string) => this.keep(text));
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
  static run(program: string, args: readonly string[]): OwnedProcess {
    return new OwnedProcess(spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] }));
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

  private keep(text: string): void {
    for (const line of text.split('\n')) {
      if (line.trim() !== '') this.lines.push(line.slice(0, LONGEST_LINE));
    }
    this.lines.splice(0, Math.max(0, this.lines.length - KEPT_LINES));
  }
}
