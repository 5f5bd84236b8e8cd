/** What a program did and what came of it, kept while it runs. */
import type { Ack, Call, Listing, Outcome } from '../../model/call.js';
import type { Breach } from '../../model/diagnosis.js';
import type { MachineRecord } from '../../model/record.js';
import type { Step } from '../../properties/program.js';
import type { Judgement } from './judge.js';
import { Stop } from './stop.js';
import type { TraceEntry, Violation } from './trace.js';
import type { Provider } from './world.js';

const ANYWHERE = {};

export class Transcript {
  readonly trace: TraceEntry[] = [];
  /** The steps as they were run, tokens resolved to numbers. */
  readonly steps: Step[] = [];
  readonly violations: Violation[] = [];

  /** @param blame says whose a breach is, given what happened to the provider before. */
  constructor(
    private readonly provider: Provider,
    private readonly blame: (breach: Breach, entry: TraceEntry) => Breach,
  ) {}

  /** Makes a call of the newest step, or of a branch on a connection of its own. */
  exchange<C extends Call>(call: C, branch = -1, step = this.steps.length - 1) {
    const exchange = this.provider.call(call, branch < 0 ? ANYWHERE : { connection: branch });
    return exchange.then(({ outcome, invokedAt, returnedAt }) => {
      const kept = keptOf(outcome as Outcome<Ack | MachineRecord | Listing>);
      const entry: TraceEntry = { step, branch, call, outcome: kept, invokedAt, returnedAt, rule: null };
      this.trace.push(entry);
      return { outcome, entry };
    });
  }

  /**
   * Notes what was judged.
   * @throws Stop where the contract was broken
   */
  conclude({ breach, departures, rule }: Judgement, entry: TraceEntry): void {
    entry.rule = rule;
    if (breach === null && departures.length === 0) return;
    const at = this.trace.indexOf(entry);
    for (const departed of departures) this.violations.push({ breach: departed, at, reading: 'literal' });
    if (breach !== null) this.broken(this.blame(breach, entry), at);
  }

  /**
   * The contract was broken, at the newest call unless told otherwise.
   * @throws Stop always
   */
  broken(breach: Breach, at = this.trace.length - 1): never {
    this.violations.push({ breach, at, reading: 'both' });
    throw Stop.breach(breach);
  }

  /** The call at `index`. */
  entryAt(index: number): TraceEntry {
    const entry = this.trace[index];
    if (entry === undefined) throw new RangeError(`the trace has no entry ${index}`);
    return entry;
  }

  /** Drops an explained call: the trace is for people. */
  forget(entry: TraceEntry): void {
    const at = this.trace.indexOf(entry);
    if (at >= 0) this.trace.splice(at, 1);
  }

  /** Keeps one of several reads in a row that showed the same. */
  forgetRepeat(): void {
    const last = this.trace.at(-1);
    const before = this.trace.at(-2);
    if (last?.call.kind !== 'Get' || before?.call.kind !== 'Get') return;
    if (last.call.machineId !== before.call.machineId || last.step !== before.step) return;
    if (last.outcome.kind !== 'ok' || before.outcome.kind !== 'ok') return;
    if (!('state' in last.outcome.reply) || !('state' in before.outcome.reply)) return;
    if (last.outcome.reply.state === before.outcome.reply.state) this.trace.splice(-2, 1);
  }

  /** The newest operation_id that was seen; empty before the first. */
  newestOperation(): string {
    for (const { outcome } of this.trace.toReversed()) {
      if (outcome.kind === 'ok' && 'operationId' in outcome.reply) return outcome.reply.operationId;
    }
    return '';
  }
}

function keptOf(outcome: Outcome<Ack | MachineRecord | Listing>): TraceEntry['outcome'] {
  if (outcome.kind !== 'ok' || !('machines' in outcome.reply)) return outcome as TraceEntry['outcome'];
  return { kind: 'ok', reply: { listed: outcome.reply.machines.length } };
}
