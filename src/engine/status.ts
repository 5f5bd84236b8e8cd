/** From findings to the status of every behavior, and from those to the verdict. Pure. */
import {
  BEHAVIORS,
  type Behavior,
  type BehaviorId,
  behaviorsOf,
  type Profile,
} from '../../model/registry.js';
import type { ReportedViolation } from './events.js';
import type { Findings } from './findings.js';
import type { Evidence } from './recorder.js';

export type Status = 'passed' | 'failed' | 'skipped' | 'inconclusive' | 'not_implemented';
export type ReadingName = 'literal' | 'reference';
export type Verdict = 'CERTIFIED' | 'FAILED' | 'INCOMPLETE';

/** What is known of one behavior at the end of a run. */
export interface BehaviorResult {
  readonly behavior: Behavior;
  readonly required: boolean;
  /** In the reading that decides. */
  readonly status: Status;
  /** In both readings; equal where the behavior has only one. */
  readonly readings: Readonly<Record<ReadingName, Status>>;
  /** What `--known-failing` and `--known-flaky` say of it. */
  readonly known: 'failing' | 'flaky' | null;
  readonly evidence: Evidence;
  /** Names of the properties and cases that decide it. */
  readonly properties: readonly string[];
  /** Why it is not passed, in one sentence; empty for passed. */
  readonly reason: string;
  readonly violation: ReportedViolation | null;
}

/** What the run was asked to decide. */
export interface Question {
  readonly profiles: readonly Profile[];
  readonly reading: ReadingName;
  /** Behaviors that `--only` and `--skip` leave. */
  readonly selected: ReadonlySet<BehaviorId>;
  readonly knownFailing: ReadonlySet<BehaviorId>;
  readonly knownFlaky: ReadonlySet<BehaviorId>;
  /** Properties and lane cases by the behaviors they decide. */
  readonly deciders: ReadonlyMap<BehaviorId, readonly string[]>;
}

/** The result of every registered behavior, in the order of the registry. */
export function resultsOf(findings: Findings, question: Question): readonly BehaviorResult[] {
  const required = new Set(behaviorsOf(question.profiles).map(({ id }) => id));
  return BEHAVIORS.map((behavior) => resultOf(behavior, findings, question, required));
}

function resultOf(
  behavior: Behavior,
  findings: Findings,
  question: Question,
  required: ReadonlySet<BehaviorId>,
): BehaviorResult {
  const { id } = behavior;
  const properties = question.deciders.get(id) ?? [];
  const violations = findings.violations.filter(({ behaviors }) => behaviors.includes(id));
  const evidence = findings.recorder.evidence(id);
  const exempt = exemption(id, findings, question);
  const decided = {
    literal: exempt ?? decide(behavior, findings, question, required, 'literal'),
    reference: exempt ?? decide(behavior, findings, question, required, 'reference'),
  };
  const judged = (reading: ReadingName, found: readonly ReportedViolation[]): Status =>
    exempt === null && found.length > 0 ? 'failed' : decided[reading].status;
  const readings = {
    literal: judged('literal', violations),
    reference: judged(
      'reference',
      violations.filter(({ reading }) => reading === 'both'),
    ),
  };
  const status = readings[question.reading];
  const violation = violations.find(({ behaviors }) => behaviors[0] === id) ?? violations[0] ?? null;
  return {
    behavior,
    required: question.selected.has(id) && required.has(id),
    status,
    readings,
    known: question.knownFailing.has(id) ? 'failing' : question.knownFlaky.has(id) ? 'flaky' : null,
    evidence,
    properties,
    reason: reasonOf(id, status, decided[question.reading].reason, violation),
    violation,
  };
}

/** What was seen of a behavior that is not judged is no failure, but nothing to keep quiet about either. */
function reasonOf(
  id: BehaviorId,
  status: Status,
  reason: string,
  violation: ReportedViolation | null,
): string {
  if (violation === null) return reason;
  if (status === 'failed') return failure(id, violation);
  return status === 'skipped' ? `${reason}; seen broken all the same: ${failure(id, violation)}` : reason;
}

function failure(id: BehaviorId, { behaviors, expected, observed }: ReportedViolation): string {
  const [primary] = behaviors;
  const see = primary === id ? '' : `see ${primary}: `;
  return `${see}expected ${expected.join(', or ')}; observed ${observed}`;
}

interface Decided {
  readonly status: Status;
  readonly reason: string;
}

/** Why a behavior is not judged at all, whatever was seen; null where it is. */
function exemption(id: BehaviorId, { skipped }: Findings, { selected }: Question): Decided | null {
  if (!selected.has(id)) return { status: 'skipped', reason: 'not selected (--only, --skip)' };
  const reason = skipped.get(id);
  return reason === undefined ? null : { status: 'skipped', reason };
}

/**
 * The status that the evidence alone gives, violations left aside; it takes one property at least that decides the
 * behavior to have come to its end. A reply that only the reference reading explains
 * is a case that this reading has met, and the literal one has not.
 */
function decide(
  { id }: Behavior,
  findings: Findings,
  question: Question,
  required: ReadonlySet<BehaviorId>,
  reading: ReadingName,
): Decided {
  if (!required.has(id))
    return { status: 'skipped', reason: `not required by ${question.profiles.join(', ')}` };
  const properties = question.deciders.get(id) ?? [];
  if (properties.length === 0) return { status: 'not_implemented', reason: 'no property decides it yet' };
  const undecided = findings.undecided.get(id);
  if (undecided !== undefined) return { status: 'inconclusive', reason: undecided };
  const { cases = 0, departures = 0 } = findings.recorder.evidence(id);
  // What is seen in passing, while everything that was to show it came to nothing, is not what the behavior asks for.
  const ran = properties.some((name) => (findings.tallies.get(name)?.sequences ?? 0) > 0);
  if (!ran) return { status: 'inconclusive', reason: obstacleOf(properties, findings) };
  if (cases > 0 || (reading === 'reference' && departures > 0)) return { status: 'passed', reason: '' };
  return { status: 'inconclusive', reason: obstacleOf(properties, findings) };
}

/** What kept the first property that did not come to its end from it. */
function obstacleOf(properties: readonly string[], { tallies }: Findings): string {
  const obstacles = properties.flatMap((name) => [...(tallies.get(name)?.inconclusive.keys() ?? [])]);
  return obstacles[0] ?? 'its case was not met in this run';
}

/**
 * CERTIFIED, FAILED on a required failure, INCOMPLETE where a required behavior was not decided. A behavior known to
 * fail must fail, so that the list of them stays true; one known to be flaky may do either.
 */
export function verdictOf(results: readonly BehaviorResult[]): Verdict {
  const required = results.filter((result) => result.required);
  if (required.some(isUnexpected)) return 'FAILED';
  const undecided = required.some(({ status }) => status === 'inconclusive' || status === 'not_implemented');
  return undecided || required.length === 0 ? 'INCOMPLETE' : 'CERTIFIED';
}

function isUnexpected({ status, known }: BehaviorResult): boolean {
  if (known === 'failing') return status === 'passed';
  return known === null && status === 'failed';
}
