/** What happened in one program: every call with its reply, and where the contract was broken. */
import type { Ack, Call, Outcome } from '../../model/call.js';
import type { Breach } from '../../model/diagnosis.js';
import type { MachineRecord } from '../../model/record.js';
import type { Rule } from '../../model/rules.js';
import type { Program } from '../../properties/program.js';
import type { Past } from './past.js';

/** What is kept of a List's reply: its records would be most of what a run holds, and nobody reads them again. */
export interface Listed {
  /** How many machines it showed. */
  readonly listed: number;
}

/** One call of a program. */
export interface TraceEntry {
  /** Index of the step it belongs to. */
  readonly step: number;
  /** The branch that made it, or -1 in the sequential part. */
  readonly branch: number;
  readonly call: Call;
  readonly outcome: Outcome<Ack | MachineRecord | Listed>;
  readonly invokedAt: number;
  readonly returnedAt: number;
  /** The rule that explains it, where there is just one. */
  rule: Rule | null;
}

/** A breach, at the call whose reply nothing explains. */
export interface Violation {
  readonly breach: Breach;
  /** Index into the trace. */
  readonly at: number;
  /** `literal` where the reference reading of the behavior explains it (contract section 9). */
  readonly reading: 'both' | 'literal';
}

/** What came of running one program. */
export interface Execution {
  /** As it was run: tokens resolved to numbers, the steps that put machines back included. */
  readonly program: Program;
  readonly trace: readonly TraceEntry[];
  readonly violations: readonly Violation[];
  /** Why nothing could be concluded, or null. */
  readonly inconclusive: string | null;
  /** How many answered calls of its branches were in flight at the same time on the same machine; 0 without branches. */
  readonly overlap: number;
  /** Whether the provider answered enough of it for its end to mean something. */
  readonly heard: boolean;
  /** What its machines had been through before, by machine slot. */
  readonly past: readonly Past[];
}

/**
 * The calls that a reader needs to understand the reply at `at`: those before it, and those that were under way when it
 * came. Calls that race are noted as they end, so what explains a reply may stand behind it.
 */
export function traceUpTo(trace: readonly TraceEntry[], at: number): readonly TraceEntry[] {
  const end = trace[at]?.returnedAt ?? Number.POSITIVE_INFINITY;
  return trace.filter(({ invokedAt }, index) => index <= at || invokedAt < end);
}

/** Whether two violations are the same bug as far as anyone outside can tell. */
export function signatureOf({ breach }: Violation): string {
  return `${breach.behaviors[0]} ${breach.rule} ${breach.aspect}`;
}

/** Whether the beliefs that a program left behind are what its machines are. */
export function isTrustworthy({ violations, inconclusive }: Execution): boolean {
  return inconclusive === null && violations.every(({ reading }) => reading === 'literal');
}
