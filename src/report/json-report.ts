/** From a finished run to the public report. Pure: the same run gives the same report. */
import { MUTATIONS } from '../../model/call.js';
import { EDGES } from '../../model/machine.js';
import type { ReportedViolation } from '../engine/events.js';
import { jsonText } from '../engine/json-text.js';
import { programLane } from '../engine/program-lane.js';
import { type BehaviorResult, type ReadingName, type Verdict, verdictOf } from '../engine/status.js';
import type { BaselineResult } from '../lanes/baseline.js';
import type { Counterexample } from './counterexample.js';
import { limited } from './escape.js';
import {
  type BaselineReport,
  type BehaviorReport,
  type Coverage,
  type LaneReport,
  type Report,
  SCHEMA_VERSION,
  type Summary,
  type TestCounts,
} from './report.js';
import type { LaneRecord, RunRecord } from './run-record.js';
import { scaleOf } from './scale-report.js';
import { counterexampleOf, replayOptions } from './tell-violation.js';

/** Longest output kept of one test of the upstream suite, in UTF-16 units. */
const OUTPUT_LENGTH = 65_536;
/** The last lines of a log that are kept, and how much of each, in UTF-16 units. */
const LOG_LINES = 40;
const LOG_LINE_LENGTH = 500;

/** The report of `run`, in the shape of `report.json`. */
export function buildReport(run: RunRecord): Report {
  const told = tell(run);
  return {
    schema_version: SCHEMA_VERSION,
    tool: run.tool,
    provider: limited(run.provider),
    target: run.target,
    profiles: run.profiles,
    reading: run.reading,
    seed: run.seed,
    runs: run.runs,
    digest: run.digest,
    timestamp: run.timestamp,
    duration_ms: Math.round(run.durationMs),
    capabilities: { delete: run.capabilities.delete, since_revision: run.capabilities.sinceRevision },
    baseline: baselineOf(run.baseline ?? null),
    extension: extensionOf(run),
    behaviors: run.results.map((result) => behaviorOf(result, told)),
    summary: summaryOf(run.results),
    counterexamples: [...told.values()],
    corpus: run.corpus.map((result) => ({ ...result, detail: limited(result.detail) })),
    coverage: coverageOf(run),
    lanes: (run.lanes ?? []).map(laneOf),
    scale: run.scale ? scaleOf(run.scale) : null,
    interrupted: run.interrupted ?? null,
    stats: run.stats,
    verdict: run.verdict,
    verdicts: { literal: verdictIn('literal', run), reference: verdictIn('reference', run) },
  };
}

/** The report as the text of `report.json`, in which nothing that acts on a terminal stands as it is. */
export function reportJson(report: Report): string {
  return `${jsonText(report, 2)}\n`;
}

type Told = ReadonlyMap<ReportedViolation, Counterexample>;

function tell(run: RunRecord): Told {
  const numbers = new Map<string, number>();
  const replayWith = ({ program }: ReportedViolation): string =>
    run.replayWith?.[programLane(program)] ?? replayOptions(run.target);
  return new Map(
    run.findings.violations.map((violation) => {
      const primary = violation.behaviors[0] ?? '';
      const number = (numbers.get(primary) ?? 0) + 1;
      numbers.set(primary, number);
      return [violation, counterexampleOf(violation, number, replayWith(violation))];
    }),
  );
}

function behaviorOf(result: BehaviorResult, told: Told): BehaviorReport {
  const { id, area, title, profiles, capability, phase } = result.behavior;
  const { required, status, readings, known, evidence, properties, reason, violation } = result;
  return {
    id,
    area,
    title,
    profiles,
    capability,
    phase,
    required,
    status,
    readings,
    known,
    evidence,
    properties,
    reason: limited(reason),
    counterexample: (violation && told.get(violation)) ?? null,
  };
}

/** The verdict that the statuses in `reading` give. */
function verdictIn(reading: ReadingName, run: RunRecord): Verdict {
  if (reading === run.reading) return run.verdict;
  return verdictOf(run.results.map((result) => ({ ...result, status: result.readings[reading] })));
}

function summaryOf(results: readonly BehaviorResult[]): Summary {
  const count = (wanted: (result: BehaviorResult) => boolean): number => results.filter(wanted).length;
  return {
    total_behaviors: results.length,
    passed: count(({ status }) => status === 'passed'),
    failed: count(({ status }) => status === 'failed'),
    skipped: count(({ status }) => status === 'skipped'),
    inconclusive: count(({ status }) => status === 'inconclusive'),
    not_implemented: count(({ status }) => status === 'not_implemented'),
    required_failed: count(({ required, status }) => required && status === 'failed'),
    required_missing: count(
      ({ required, status }) => required && (status === 'inconclusive' || status === 'not_implemented'),
    ),
  };
}

function extensionOf({ results, findings, reading }: RunRecord): TestCounts {
  const names = new Set(results.flatMap(({ properties }) => properties));
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const name of names) {
    const tally = findings.tallies.get(name);
    const departed = reading === 'literal' ? (tally?.departing ?? 0) : 0;
    if (tally && tally.violating + departed > 0) counts.failed += 1;
    else if (tally && tally.sequences > 0) counts.passed += 1;
    else counts.skipped += 1;
  }
  return { tests: names.size, ...counts };
}

function baselineOf(result: BaselineResult | null): BaselineReport {
  if (result === null) return { run: false, reason: 'the upstream suite was not run (--baseline-src)' };
  if (result.status === 'not-run') return { run: false, reason: limited(result.reason) };
  const count = (wanted: string): number => result.tests.filter(({ status }) => status === wanted).length;
  return {
    run: true,
    tests: result.tests.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    results: result.tests.map(({ name, status, elapsed, output }) => ({
      name: limited(name),
      status,
      elapsed_ms: elapsed,
      output: limited(output, OUTPUT_LENGTH),
    })),
  };
}

function laneOf({ lane, skipped, note, log }: LaneRecord): LaneReport {
  return {
    lane,
    skipped,
    note: note ?? null,
    log: log.slice(-LOG_LINES).map((line) => limited(line, LOG_LINE_LENGTH)),
  };
}

function coverageOf({ findings }: RunRecord): Coverage {
  const walked = findings.recorder.edgesWalked();
  const cells = findings.recorder
    .coverage()
    .map(({ phase, call, token, outcome, count }) => ({ state: phase, call, token, outcome, count }));
  return {
    cells: cells.sort((a, b) => (cellKey(a) < cellKey(b) ? -1 : 1)),
    edges: MUTATIONS.map((call) => ({ call, ...EDGES[call], walked: walked[call] ?? 0 })),
  };
}

function cellKey({ state, call, token, outcome }: Coverage['cells'][number]): string {
  return `${state} ${call} ${token} ${outcome}`;
}
