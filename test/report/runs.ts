/** Finished runs built by hand, from the findings up: what a run would have left behind. */
import type { Ack, Call, Outcome } from '../../model/call.js';
import type { MachineRecord } from '../../model/record.js';
import { BEHAVIORS, type BehaviorId, type Profile } from '../../model/registry.js';
import { DIRECTED_PROPERTIES, GENERATIVE_PROPERTIES } from '../../properties/index.js';
import type { Program, Step } from '../../properties/program.js';
import type { ReportedViolation } from '../../src/engine/events.js';
import { Findings } from '../../src/engine/findings.js';
import { type ReadingName, resultsOf, verdictOf } from '../../src/engine/status.js';
import type { TraceEntry } from '../../src/engine/trace.js';
import type { RunRecord } from '../../src/report/run-record.js';

const PROPERTIES = [...DIRECTED_PROPERTIES, ...GENERATIVE_PROPERTIES];
/** The first area each property decides; enough for a run that decided something. */
const DECIDERS = new Map<BehaviorId, string[]>();
for (const { name, decides } of PROPERTIES) {
  for (const id of decides) DECIDERS.set(id, [...(DECIDERS.get(id) ?? []), name]);
}

/** What to put into a run. */
export interface RunParts {
  readonly selected?: readonly BehaviorId[];
  /** Behaviors whose case was met. */
  readonly met?: readonly BehaviorId[];
  readonly violations?: readonly ReportedViolation[];
  readonly reading?: ReadingName;
  readonly profiles?: readonly Profile[];
  readonly provider?: string;
  readonly target?: string;
  readonly corpus?: RunRecord['corpus'];
  readonly skipped?: readonly (readonly [BehaviorId, string])[];
}

/** The behaviors of the fencing area and two others: a selection that everything about can be said. */
export const SELECTED: readonly BehaviorId[] = BEHAVIORS.filter(
  ({ area, id }) => area === 'fencing' || id === 'B101' || id === 'B210',
).map(({ id }) => id);

/** A run over a few behaviors. */
export function runOf(parts: RunParts = {}): RunRecord {
  const selected = parts.selected ?? SELECTED;
  const findings = new Findings();
  for (const property of PROPERTIES.filter(({ decides }) => decides.some((id) => selected.includes(id)))) {
    findings.tally(property).sequences = 7;
  }
  for (const id of parts.met ?? selected) findings.recorder.note(id, 'cases', 12);
  for (const violation of parts.violations ?? []) {
    findings.violations.push(violation);
    const property = PROPERTIES.find(({ name }) => name === violation.property);
    if (property) findings.broke(property, [violation.reading]);
  }
  for (const [id, reason] of parts.skipped ?? []) findings.skipped.set(id, reason);
  visitCells(findings);
  const reading = parts.reading ?? 'literal';
  const profiles = parts.profiles ?? (['core', 'cloud', 'spot'] as const);
  const results = resultsOf(findings, {
    profiles,
    reading,
    selected: new Set(selected),
    deciders: DECIDERS,
    knownFailing: new Set(),
    knownFlaky: new Set(),
  });
  return {
    tool: { name: 'bfcheck', version: '0.1.0' },
    provider: parts.provider ?? 'acme',
    target: parts.target ?? '127.0.0.1:9000',
    profiles,
    reading,
    seed: 42,
    runs: 5000,
    digest: 'd1'.repeat(32),
    timestamp: '2026-01-02T03:04:05.678Z',
    durationMs: 48_210.4,
    capabilities: { delete: true, sinceRevision: true },
    results,
    verdict: verdictOf(results),
    findings,
    corpus: parts.corpus ?? [],
    stats: { rpcs: 61_234, steps: 60_001, sequences: 5105 },
  };
}

function visitCells({ recorder }: Findings): void {
  for (let i = 0; i < 3; i++) {
    recorder.cell({ phase: 'SPECULATIVE', call: 'Create', token: 'first', outcome: 'ok' });
  }
  recorder.cell({ phase: 'IDLE', call: 'Drain', token: 'newer-sequence', outcome: 'INTERNAL' });
  recorder.cell({ phase: 'ABSENT', call: 'Create', token: 'same', outcome: 'FAILED_PRECONDITION' });
}

/** A machine record; a harmless one unless told otherwise. */
export function record(parts: Partial<MachineRecord> = {}): MachineRecord {
  return {
    id: 'machine-1',
    state: 'CREATING',
    host: null,
    instanceType: 'm5.large',
    zone: 'zone-a',
    capacityType: 'ON_DEMAND',
    pricePerHour: 0.1,
    interruptionProbability: 0,
    resources: null,
    allocatable: null,
    labels: new Map(),
    lastError: '',
    cluster: '',
    shardMetadata: new Map(),
    ...parts,
  };
}

/** The entries of a trace, one call after another, two milliseconds each. */
export function traceOf(
  calls: readonly {
    step: number;
    call: Call;
    outcome: TraceEntry['outcome'];
    branch?: number;
  }[],
): TraceEntry[] {
  return calls.map(({ step, call, outcome, branch = -1 }, index) => ({
    step,
    branch,
    call,
    outcome,
    invokedAt: 1000 + 3 * index,
    returnedAt: 1002 + 3 * index,
    rule: null,
  }));
}

/** An OK ack. */
export function ack(operationId: string, parts: Partial<MachineRecord> = {}): Outcome<Ack> {
  return { kind: 'ok', reply: { operationId, machine: record(parts) } };
}

const SHARD = 'run-7f3a-0';

/** A stale Create that went through: two steps, the second wrongly answered OK. */
export function staleCreate(parts: Partial<ReportedViolation> = {}): ReportedViolation {
  const step = (sequence: string): Step => ({
    call: 'Create',
    machine: 0,
    token: { shard: 0, epoch: '3', sequence },
    settle: true,
  });
  const program: Program = { machines: 1, steps: [step('9223372036854775807'), step('1')], branches: [] };
  const machineId = parts.trace === undefined ? 'machine-1' : '';
  return {
    behaviors: ['B303', 'B312'],
    rule: 'fence',
    aspect: 'code ok',
    expected: ['FAILED_PRECONDITION'],
    observed: 'OK, operation_id "op-2", a machine in state IDLE',
    reading: 'both',
    property: 'token-stream',
    program,
    trace: traceOf([
      {
        step: 0,
        call: {
          kind: 'Create',
          machineId,
          token: { shard: SHARD, epoch: 3n, sequence: 9_223_372_036_854_775_807n },
        },
        outcome: ack('op-1'),
      },
      { step: 0, call: { kind: 'Get', machineId }, outcome: { kind: 'ok', reply: record() } },
      {
        step: 0,
        call: { kind: 'Get', machineId },
        outcome: { kind: 'ok', reply: record({ state: 'IDLE' }) },
      },
      {
        step: 1,
        call: { kind: 'Create', machineId, token: { shard: SHARD, epoch: 3n, sequence: 1n } },
        outcome: ack('op-2', { state: 'IDLE' }),
      },
    ]),
    at: 3,
    reproduced: { failed: 3, of: 3 },
    shrunk: { from: 14, to: 2, executions: 23, complete: true },
    corpusFile: 'seeds/B303-0123456789.json',
    ...parts,
  };
}

/** A negative grace that was accepted: only the literal reading minds. */
export function negativeGrace(): ReportedViolation {
  const token = { shard: SHARD, epoch: 1n, sequence: 1n };
  return {
    behaviors: ['B210'],
    rule: 'shape',
    aspect: 'code ok',
    expected: ['INVALID_ARGUMENT'],
    observed: 'OK, operation_id "op-9", a machine in state DRAINING',
    reading: 'literal',
    property: 'negative-grace',
    program: {
      machines: 1,
      steps: [
        {
          call: 'Drain',
          machine: 0,
          token: { shard: 0, epoch: '1', sequence: '1' },
          settle: true,
          grace: '-1',
        },
      ],
      branches: [],
    },
    trace: traceOf([
      {
        step: 0,
        call: { kind: 'Drain', machineId: 'machine-1', token, grace: -1n },
        outcome: ack('op-9', { state: 'DRAINING', cluster: 'cluster-a' }),
      },
    ]),
    at: 0,
    reproduced: { failed: 2, of: 3 },
    shrunk: { from: 4, to: 1, executions: 300, complete: false },
    corpusFile: null,
  };
}

/** Strings that attack whoever shows them: terminal escapes, markup, overrides, halves of characters. */
export const HOSTILE =
  '\u001b[2J\u001b]0;owned\u0007<script>alert(1)</script><img src=x onerror=alert(2)>&"\' \u202egnp.exe\u2066 \ud800 \u0000\u009b31m ]]> $ {x} `y` | [a](javascript:alert(3))\r\n::error::pwned ::error::owned ##[error]taken';

/** A violation whose every foreign text is hostile. */
export function hostileViolation(): ReportedViolation {
  const machineId = `m${HOSTILE}`;
  return staleCreate({
    observed: `OK, operation_id ${HOSTILE}`,
    expected: [`FAILED_PRECONDITION, not ${HOSTILE}`],
    program: {
      machines: 1,
      steps: [
        {
          call: 'Configure',
          machine: 0,
          token: { shard: null, epoch: '0', sequence: '0' },
          settle: false,
          cluster: HOSTILE,
          metadata: [['__proto__', HOSTILE]],
          blobBytes: 4,
        },
        { call: 'Get', machine: 0 },
      ],
      branches: [],
    },
    trace: traceOf([
      {
        step: 0,
        call: {
          kind: 'Configure',
          machineId,
          token: { shard: '', epoch: 0n, sequence: 0n },
          cluster: HOSTILE,
          metadata: new Map([['__proto__', HOSTILE]]),
          blob: new Uint8Array(4),
        },
        outcome: { kind: 'rejected', code: 'INTERNAL', message: HOSTILE.repeat(20_000) },
      },
      {
        step: 1,
        call: { kind: 'Get', machineId },
        outcome: {
          kind: 'ok',
          reply: record({ id: machineId, state: 'FAILED', lastError: HOSTILE, cluster: HOSTILE }),
        },
      },
    ]),
    at: 1,
  });
}
