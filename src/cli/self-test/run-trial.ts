import { BEHAVIORS, type BehaviorId, type Profile } from '../../../model/registry.js';
import type { EngineEvent, ReportedViolation } from '../../engine/events.js';
import { Findings } from '../../engine/findings.js';
import { resultsOf, verdictOf } from '../../engine/status.js';
import { DECIDERS } from '../deciders.js';
import { RUNNERS } from './runners.js';
import type { FoundViolation, LaneName, Trial, TrialResult } from './trial.js';

const PROFILES_OF: Readonly<Record<LaneName, readonly Profile[]>> = {
  'black-box': ['core', 'cloud', 'spot'],
  fault: ['fault'],
  durable: ['durable'],
  scale: ['scale'],
};

const clock = (): number => performance.now();

/** Runs a trial. Whatever it starts has ended when it resolves. */
export async function runTrial(trial: Trial): Promise<TrialResult> {
  const from = clock();
  const findings = new Findings();
  const watcher = new Watcher();
  const calls = await RUNNERS[trial.lane](trial, findings, watcher.listen);
  const selected = new Set(BEHAVIORS.map(({ id }) => id));
  const question = {
    profiles: PROFILES_OF[trial.lane],
    selected,
    knownFailing: new Set<BehaviorId>(),
    knownFlaky: new Set<BehaviorId>(),
    deciders: DECIDERS,
  };
  const results = resultsOf(findings, { ...question, reading: 'literal' });
  const relevant = results.filter(({ status }) => status !== 'skipped' && status !== 'passed');
  return {
    trial,
    caughtAfter: watcher.caughtAfter,
    caughtAfterRuns: watcher.caughtAfterRuns,
    firstBlamed: watcher.firstBlamed,
    violations: findings.violations.map(slim),
    statuses: Object.fromEntries(relevant.map(({ behavior, status }) => [behavior.id, status])),
    verdicts: {
      literal: verdictOf(results),
      reference: verdictOf(resultsOf(findings, { ...question, reading: 'reference' })),
    },
    sequences: [...findings.tallies.values()].reduce((sum, { sequences }) => sum + sequences, 0),
    calls,
    coverage: findings.recorder.coverage(),
    tookMs: clock() - from,
  };
}

function slim(violation: ReportedViolation): FoundViolation {
  const { behaviors, rule, aspect, expected, observed, reading, property, reproduced, shrunk, program } =
    violation;
  return { behaviors, rule, aspect, expected, observed, reading, property, reproduced, shrunk, program };
}

/** Listens for the first violation and counts what came before. */
class Watcher {
  private done = 0;
  /** How many sequences were done when the first generated one began. */
  private scenarios: number | null = null;
  caughtAfter: number | null = null;
  caughtAfterRuns: number | null = null;
  firstBlamed: BehaviorId | null = null;

  readonly listen = (event: EngineEvent): void => {
    if (event.type === 'sequence-done') this.done += 1;
    if (event.type === 'lane-started' && event.lane.endsWith('generated')) this.scenarios = this.done;
    const behavior =
      event.type === 'violation-seen'
        ? event.behavior
        : event.type === 'violation'
          ? event.violation.behaviors[0]
          : undefined;
    if (behavior === undefined || this.caughtAfter !== null) return;
    this.caughtAfter = this.done + 1;
    this.caughtAfterRuns = this.scenarios === null ? 0 : this.done + 1 - this.scenarios;
    this.firstBlamed = behavior;
  };
}
