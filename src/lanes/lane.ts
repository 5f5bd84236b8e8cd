/** What the lanes share: what they are told, and how those without programs tell what they found. */
import type { BehaviorId } from '../../model/registry.js';
import type { Rule } from '../../model/rules.js';
import type { DirectedProperty } from '../../properties/program.js';
import type { Listener, ReportedViolation } from '../engine/events.js';
import type { Findings } from '../engine/findings.js';
import type { SessionPlan } from '../engine/session.js';

/** What every lane that runs programs is told; see {@link SessionPlan}. */
export interface ProgramLaneOptions extends Pick<SessionPlan, 'seed' | 'enough' | 'examine' | 'part'> {
  readonly selected: ReadonlySet<BehaviorId>;
  /** What shard ids and ids of unknown machines start with; new for every run. */
  readonly prefix: string;
  readonly listen: Listener;
  /** Keeps a counterexample and resolves to its file, or to null where it keeps none. */
  readonly save: (violation: ReportedViolation) => Promise<string | null>;
}

/** What the lanes that are handed a running provider are told beside that; times in milliseconds. */
export interface LiveLaneOptions extends ProgramLaneOptions, Pick<SessionPlan, 'runs' | 'concurrency'> {
  /** Scenarios to run beside the lane's own. */
  readonly beside?: readonly DirectedProperty[];
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A case of a lane: a named experiment and the behaviors it decides. */
export interface LaneCase {
  readonly name: string;
  readonly decides: readonly BehaviorId[];
}

/** What a case found that breaks the contract. Texts may hold the provider's own bytes. */
export interface LaneBreach {
  /** The most specific first; never empty. */
  readonly behaviors: readonly BehaviorId[];
  readonly rule: Rule;
  readonly aspect: string;
  readonly expected: readonly string[];
  readonly observed: string;
  /** `literal` where the reference reading accepts it (contract section 9); absent: `both`. */
  readonly reading?: ReportedViolation['reading'];
}

const NO_PROGRAM = { machines: 1, steps: [], branches: [] } as const;

/** Where a lane's cases put what they find. */
export class LaneFindings {
  private readonly seen = new Set<string>();

  constructor(
    private readonly findings: Findings,
    private readonly listen: Listener,
  ) {}

  /** `count` more of `fact` for `behavior`; the fact `cases` is what a pass needs. */
  evidence(behavior: BehaviorId, fact = 'cases', count = 1): void {
    this.findings.recorder.note(behavior, fact, count);
  }

  /** The case ran to its end and saw what it is about. */
  completed(laneCase: LaneCase): void {
    this.findings.completed({ ...laneCase, completionIsEvidence: true });
    this.listen({ type: 'sequence-done', property: laneCase.name, calls: 0 });
  }

  /** Nothing can be concluded from the case; `reason` is one sentence for people. */
  inconclusive(laneCase: LaneCase, reason: string): void {
    this.findings.inconclusive(laneCase, reason);
  }

  /** The case does not apply to this provider; `reason` is one sentence for people. */
  skipped(laneCase: LaneCase, reason: string): void {
    for (const behavior of laneCase.decides) this.findings.skipped.set(behavior, reason);
  }

  /** The case broke the contract. Breaches alike in behavior and aspect are reported once. */
  breach(laneCase: LaneCase, breach: LaneBreach): void {
    this.findings.broke(laneCase, [breach.reading ?? 'both']);
    const key = `${laneCase.name} ${breach.behaviors[0]} ${breach.aspect}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);
    const violation: ReportedViolation = {
      ...breach,
      reading: breach.reading ?? 'both',
      property: laneCase.name,
      program: NO_PROGRAM,
      trace: [],
      at: -1,
      reproduced: { failed: 0, of: 0 },
      shrunk: { from: 0, to: 0, executions: 0, complete: true },
      corpusFile: null,
    };
    this.findings.violations.push(violation);
    this.listen({ type: 'violation', violation });
  }
}
