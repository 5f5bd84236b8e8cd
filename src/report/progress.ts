/** What a run shows while it works: one line that keeps changing on a terminal, a line now and then elsewhere. */
import pc from 'picocolors';
import type { EngineEvent, Listener } from '../engine/events.js';
import { plural } from './call-text.js';
import { grouped, visible } from './escape.js';

/** How to write to the user. */
export interface TerminalOptions {
  readonly write: (text: string) => void;
  /** Whether a line can be written over. */
  readonly tty: boolean;
  readonly color: boolean;
  /** Characters a line. */
  readonly columns: number;
  readonly level: 'quiet' | 'normal' | 'verbose';
  /** Milliseconds; only differences matter. */
  readonly clock: () => number;
}

/** A terminal line is not rewritten more often than this, in milliseconds. */
const REDRAW_MS = 100;
/** Without a terminal a line is written for every tenth of a lane, but neither more nor less often than this. */
const PARTS = 10;
const FEWEST_PAUSE_MS = 2000;
const SILENCE_MS = 30_000;
/** Time left is not guessed from less than this, in milliseconds. */
const FEWEST_MS = 1000;
const ERASE_LINE = '\r\u001b[2K';

interface Lane {
  readonly name: string;
  readonly planned: number;
  readonly startedAt: number;
  done: number;
  calls: number;
  property: string;
}

/** Shows the progress of a run. Everything foreign is escaped. */
export function terminalListener(options: TerminalOptions): Listener {
  const progress = new Progress(options);
  return (event) => progress.take(event);
}

class Progress {
  private readonly colors: ReturnType<typeof pc.createColors>;
  private lane: Lane | null = null;
  private violations = 0;
  private drawnAt = Number.NEGATIVE_INFINITY;
  private drawnPart = 0;
  private hasLine = false;

  constructor(private readonly options: TerminalOptions) {
    this.colors = pc.createColors(options.color);
  }

  take(event: EngineEvent): void {
    if (this.options.level === 'quiet') return;
    switch (event.type) {
      case 'run-started':
        this.say(
          `Checking ${visible(event.target)} with seed ${event.seed}${event.sequences === 0 ? '' : `: ${plural(event.sequences, 'generated sequence')}`}`,
        );
        return;
      case 'provider-found':
        this.say(foundText(event));
        return;
      case 'corpus-replayed':
        this.corpus(event.result);
        return;
      case 'lane-started':
        this.start(event.lane, event.planned);
        return;
      case 'sequence-done':
        this.sequence(event.property, event.calls);
        return;
      case 'violation-seen':
        this.violations += 1;
        this.say(
          `${this.colors.red('violation')} of ${event.behavior}, found by ${visible(event.property)}: saw ${visible(event.observed, 160)}`,
        );
        return;
      case 'violation': {
        const { behaviors, shrunk, corpusFile, observed } = event.violation;
        if (shrunk.from === 0) {
          this.say(`${this.colors.red('violation')} of ${behaviors[0] ?? ''}: saw ${visible(observed, 160)}`);
          return;
        }
        const saved = corpusFile === null ? '' : `, saved in ${visible(corpusFile)}`;
        this.say(`  ${behaviors[0] ?? ''}: ${shrunk.from} steps shrunk to ${shrunk.to}${saved}`);
        return;
      }
      case 'lane-finished':
        this.finish();
    }
  }

  private corpus({ file, result, detail }: (EngineEvent & { type: 'corpus-replayed' })['result']): void {
    if (result === 'FIXED' && this.options.level !== 'verbose') return;
    const color = result === 'FIXED' ? this.colors.green : this.colors.red;
    this.say(`${color(result)} ${visible(file)}${detail === '' ? '' : `: ${visible(detail)}`}`);
  }

  private start(name: string, planned: number): void {
    this.finish();
    this.lane = { name, planned, startedAt: this.options.clock(), done: 0, calls: 0, property: '' };
    this.drawnPart = 0;
    this.drawnAt = this.options.tty ? Number.NEGATIVE_INFINITY : this.options.clock();
    if (this.options.tty) this.draw(this.lane);
  }

  private sequence(property: string, calls: number): void {
    const { lane } = this;
    if (lane === null) return;
    lane.done += 1;
    lane.calls += calls;
    lane.property = property;
    const part = lane.planned > 0 ? Math.floor((PARTS * lane.done) / lane.planned) : 0;
    if (!this.isDue(part)) return;
    this.drawnPart = part;
    this.draw(lane);
  }

  private isDue(part: number): boolean {
    const since = this.options.clock() - this.drawnAt;
    if (this.options.tty) return since >= REDRAW_MS;
    return since >= SILENCE_MS || (part > this.drawnPart && since >= FEWEST_PAUSE_MS);
  }

  private draw(lane: Lane): void {
    this.drawnAt = this.options.clock();
    const text = laneText(lane, this.drawnAt, this.violations);
    if (!this.options.tty) {
      this.options.write(`${text}\n`);
      return;
    }
    const property = lane.property === '' ? '' : `  ${visible(lane.property)}`;
    // A line that wraps cannot be written over.
    this.options.write(
      `${ERASE_LINE}${`${text}${property}`.slice(0, Math.max(20, this.options.columns - 1))}`,
    );
    this.hasLine = true;
  }

  private finish(): void {
    const { lane } = this;
    this.lane = null;
    this.erase();
    if (lane === null || lane.done === 0) return;
    const seconds = (this.options.clock() - lane.startedAt) / 1000;
    this.say(
      `${lane.name}: ${plural(lane.done, 'sequence')}, ${plural(lane.calls, 'call')} in ${seconds.toFixed(1)} s`,
    );
  }

  /** A line that stays, above the one that changes. */
  private say(text: string): void {
    this.erase();
    this.options.write(`${text}\n`);
    if (this.options.tty && this.lane) this.draw(this.lane);
  }

  private erase(): void {
    if (this.hasLine) this.options.write(ERASE_LINE);
    this.hasLine = false;
  }
}

function foundText({ machines, capabilities }: EngineEvent & { type: 'provider-found' }): string {
  const words = [
    plural(machines, 'machine'),
    capabilities.delete ? 'with Delete' : 'without Delete',
    capabilities.sinceRevision ? 'with cursors' : 'without cursors',
  ];
  return `The provider answers: ${words.join(', ')}`;
}

function laneText({ name, planned, done, calls, startedAt }: Lane, now: number, violations: number): string {
  const elapsed = now - startedAt;
  const share = planned > 0 ? ` (${Math.floor((100 * done) / planned)}%)` : '';
  // What was planned is a guess where a lane goes on until its time is over.
  const counted = done > planned ? grouped(done) : `${grouped(done)} of ${grouped(planned)}${share}`;
  const parts = [`${name} ${counted}`];
  if (elapsed > 0) parts.push(`${grouped(Math.round((1000 * calls) / elapsed))} calls/s`);
  if (elapsed >= FEWEST_MS && done > 0 && done < planned) {
    parts.push(`${remaining((elapsed / done) * (planned - done))} left`);
  }
  return [...parts, plural(violations, 'violation')].join('  ');
}

function remaining(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  return `${Math.ceil(seconds / 60)} min`;
}
