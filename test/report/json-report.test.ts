import { describe, expect, it } from 'vitest';
import { BEHAVIORS } from '../../model/registry.js';
import { buildReport, reportJson } from '../../src/report/json-report.js';
import type { Report } from '../../src/report/report.js';
import { ack, HOSTILE, hostileViolation, negativeGrace, runOf, staleCreate, traceOf } from './runs.js';

function parsed(report: Report): Report {
  return JSON.parse(reportJson(report)) as Report;
}
function behaviorIn(report: Report, id: string) {
  return report.behaviors.find((behavior) => behavior.id === id);
}

describe('report.json', () => {
  it('holds every registered behavior and survives JSON unchanged', () => {
    const report = buildReport(runOf({ violations: [staleCreate(), negativeGrace()] }));
    expect(report.behaviors.map(({ id }) => id)).toEqual(BEHAVIORS.map(({ id }) => id));
    expect(parsed(report)).toEqual(report);
  });

  it('counts the behaviors so that the summary adds up', () => {
    const { summary, behaviors } = buildReport(
      runOf({
        violations: [staleCreate()],
        met: ['B101', 'B301', 'B303', 'B312'],
        skipped: [['B310', 'cannot be']],
      }),
    );
    const { passed, failed, skipped, inconclusive, not_implemented: missing } = summary;
    expect(passed + failed + skipped + inconclusive + missing).toBe(behaviors.length);
    expect(summary).toMatchObject({
      total_behaviors: 93,
      passed: 2,
      failed: 2,
      inconclusive: 8,
      not_implemented: 0,
      required_failed: 2,
      required_missing: 8,
    });
  });

  it('tells a counterexample with exact numbers and the wrong reply marked', () => {
    const report = buildReport(runOf({ violations: [staleCreate()] }));
    const told = behaviorIn(report, 'B303')?.counterexample;
    expect(told).toMatchObject({
      id: 'B303-1',
      behaviors: ['B303', 'B312'],
      rule: { name: 'fence', section: '4.2' },
      reproduced: { failed: 3, of: 3 },
      deterministic: true,
      corpus_file: 'seeds/B303-0123456789.json',
      replay: 'npx bfcheck replay seeds/B303-0123456789.json --target 127.0.0.1:9000',
    });
    expect(told?.calls[0]?.token).toEqual({
      shard: 's0',
      shard_id: 'run-7f3a-0',
      epoch: '3',
      sequence: '9223372036854775807',
    });
    expect(told?.calls.map(({ wrong }) => wrong)).toEqual([false, false, false, true]);
    expect(told?.calls.map(({ invoked_ms }) => invoked_ms)).toEqual([0, 3, 6, 9]);
    expect(told?.steps).toMatchInlineSnapshot(`
      [
        "1  Create    m0  shard s0 (3,9223372036854775807)  -> OK CREATING  op-1",
        "   then Get  m0                                    -> CREATING, IDLE",
        "2  Create    m0  shard s0 (3,1)                    -> OK IDLE  op-2  <- wrong",
      ]
    `);
  });

  it('gives a secondary behavior the same counterexample', () => {
    const report = buildReport(runOf({ violations: [staleCreate()] }));
    expect(behaviorIn(report, 'B312')).toMatchObject({ status: 'failed', counterexample: { id: 'B303-1' } });
    expect(report.counterexamples).toHaveLength(1);
  });

  it('keeps violations apart that break the same behavior in different ways', () => {
    const report = buildReport(
      runOf({ violations: [staleCreate(), staleCreate({ aspect: 'operation_id' })] }),
    );
    expect(report.counterexamples.map(({ id }) => id)).toEqual(['B303-1', 'B303-2']);
  });

  it('gives the verdict of both readings', () => {
    const violations = [negativeGrace()];
    expect(buildReport(runOf({ violations }))).toMatchObject({
      verdict: 'FAILED',
      verdicts: { literal: 'FAILED', reference: 'CERTIFIED' },
    });
    expect(buildReport(runOf({ violations, reading: 'reference' }))).toMatchObject({
      verdict: 'CERTIFIED',
      verdicts: { literal: 'FAILED', reference: 'CERTIFIED' },
    });
  });

  it('keeps map keys that an object would lose, and limits what it keeps', () => {
    const report = parsed(buildReport(runOf({ violations: [hostileViolation()] })));
    const [call] = report.counterexamples[0]?.calls ?? [];
    expect(call?.arguments.metadata).toEqual([['__proto__', HOSTILE]]);
    expect(call?.reply.message.length).toBeLessThan(5000);
    expect(call?.token).toBeNull();
  });

  it('says that the upstream suite was not run, or how it fared', () => {
    expect(buildReport(runOf()).baseline).toEqual({
      run: false,
      reason: 'the upstream suite was not run (--baseline-src)',
    });
    const tests = [
      {
        name: 'TestConformance_A',
        package: 'p',
        status: 'passed',
        elapsed: 5,
        output: '',
        unfinished: false,
      },
      {
        name: 'TestConformance_B',
        package: 'p',
        status: 'failed',
        elapsed: 7,
        output: 'x.go:1: no',
        unfinished: false,
      },
    ] as const;
    const baseline = {
      status: 'failed',
      reason: 'one test failed',
      command: 'go test',
      tests,
      counts: { passed: 1, failed: 1, skipped: 0 },
      omitted: 0,
      buildOutput: [],
      durationMs: 12,
      log: [],
    } as const;
    expect(buildReport({ ...runOf(), baseline }).baseline).toMatchObject({
      run: true,
      tests: 2,
      passed: 1,
      failed: 1,
      skipped: 0,
    });
  });

  it('says which cells and edges of the model were visited', () => {
    const { coverage } = buildReport(runOf());
    expect(coverage.cells).toContainEqual({
      state: 'SPECULATIVE',
      call: 'Create',
      token: 'first',
      outcome: 'ok',
      count: 3,
    });
    expect(coverage.edges.map(({ call, from, via, to }) => [call, from, via, to])).toContainEqual([
      'Drain',
      'CONFIGURED',
      'DRAINING',
      'IDLE',
    ]);
  });

  it('names the branches of a concurrent counterexample in the order of time', () => {
    const create = (branch: number, operation: string) => ({
      step: 0,
      branch,
      call: {
        kind: 'Create',
        machineId: 'machine-1',
        token: { shard: 'x-0', epoch: 1n, sequence: BigInt(branch + 1) },
      } as const,
      outcome: ack(operation),
    });
    const violation = staleCreate({ trace: traceOf([create(1, 'op-b'), create(0, 'op-a')]), at: 1 });
    expect(buildReport(runOf({ violations: [violation] })).counterexamples[0]?.steps).toMatchInlineSnapshot(`
      [
        "1b  Create    m0  shard s0 (1,2)  -> OK CREATING  op-b",
        "2a  Create    m0  shard s0 (1,1)  -> OK CREATING  op-a  <- wrong",
      ]
    `);
  });

  it('quotes files and targets for the shell in the replay command', () => {
    const report = buildReport(
      runOf({
        violations: [staleCreate({ corpusFile: "my seeds/it's.json" })],
        target: 'the built-in provider',
      }),
    );
    expect(report.counterexamples[0]?.replay).toBe("npx bfcheck replay 'my seeds/it'\\''s.json'");
  });
});
