/** What a run has found, as plain data: for another process, which adds it to what it knows. */
import type { BehaviorId } from '../../model/registry.js';
import type { ReportedViolation } from './events.js';
import type { Findings, PropertyTally } from './findings.js';
import type { RecorderSnapshot } from './recorder.js';

/** A tally without its map. */
export type TallySnapshot = Omit<PropertyTally, 'inconclusive'> & {
  readonly name: string;
  readonly inconclusive: readonly (readonly [reason: string, count: number])[];
};

/** Everything in {@link Findings}. */
export interface FindingsSnapshot {
  readonly recorder: RecorderSnapshot;
  readonly violations: readonly ReportedViolation[];
  readonly tallies: readonly TallySnapshot[];
  readonly skipped: readonly (readonly [BehaviorId, string])[];
  readonly undecided: readonly (readonly [BehaviorId, string])[];
}

/** The findings as they are now. */
export function snapshotOf(findings: Findings): FindingsSnapshot {
  return {
    recorder: findings.recorder.snapshot(),
    violations: [...findings.violations],
    tallies: [...findings.tallies].map(([name, { inconclusive, ...tally }]) => ({
      name,
      ...tally,
      inconclusive: [...inconclusive],
    })),
    skipped: [...findings.skipped],
    undecided: [...findings.undecided],
  };
}

/** Adds what another process found. A violation that is known already is kept once, with what it breaks in either. */
export function absorb(findings: Findings, snapshot: FindingsSnapshot): void {
  findings.recorder.absorb(snapshot.recorder);
  for (const violation of snapshot.violations) {
    if (!mergeInto(findings.violations, violation)) findings.violations.push(violation);
  }
  for (const { name, decides, sequences, violating, departing, inconclusive } of snapshot.tallies) {
    const tally = findings.tally({ name, decides });
    tally.sequences += sequences;
    tally.violating += violating;
    tally.departing += departing;
    for (const [reason, count] of inconclusive)
      tally.inconclusive.set(reason, (tally.inconclusive.get(reason) ?? 0) + count);
  }
  for (const [id, reason] of snapshot.skipped) findings.skipped.set(id, reason);
  for (const [id, reason] of snapshot.undecided) findings.undecided.set(id, reason);
}

/** Adds what `found` breaks to a violation that is the same bug. Returns false where none is. */
export function mergeInto(violations: ReportedViolation[], found: ReportedViolation): boolean {
  const at = violations.findIndex((known) => isSameViolation(known, found));
  const known = violations[at];
  if (known === undefined) return false;
  violations[at] = { ...known, behaviors: [...new Set([...known.behaviors, ...found.behaviors])] };
  return true;
}

/** Whether two violations are one bug as far as anyone outside can tell. */
export function isSameViolation(a: ReportedViolation, b: ReportedViolation): boolean {
  return (
    a.behaviors[0] === b.behaviors[0] && a.rule === b.rule && a.aspect === b.aspect && a.reading === b.reading
  );
}
