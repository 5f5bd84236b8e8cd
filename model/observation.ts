/** What a record shows of a machine, held against what was done to the machine. */
import { type Aspect, defectOf, hasHost, isLifecycleState, type MachineRecord } from './record.js';
import { changed, type MachineState } from './state.js';

/** Why a state of the belief does not explain a record. `depth` grows with how much of it agreed. */
export interface Mismatch {
  readonly aspect: Aspect;
  readonly depth: number;
  readonly expected: string;
  readonly observed: string;
}

/** Where the state of the belief and the record disagree, or null where the record is explained. */
export function mismatchOf(state: MachineState, machineId: string, record: MachineRecord): Mismatch | null {
  if (record.id !== machineId) {
    return mismatch('id', 0, `the machine ${quoted(machineId)}`, `the machine ${quoted(record.id)}`);
  }
  if (record.state !== state.phase)
    return mismatch('state', 1, `state ${state.phase}`, `state ${record.state}`);
  return (
    bindingMismatch(state, record) ??
    tableMismatch(record) ??
    hostMismatch(state, record) ??
    errorMismatch(state, record)
  );
}

/**
 * An ack's snapshot of a repeated call may be the one of an earlier moment of the same operation, so only what holds
 * through all of the operation is compared: the record's own table, and the binding while the machine has one.
 */
export function snapshotMismatch(
  state: MachineState,
  machineId: string,
  record: MachineRecord,
): Mismatch | null {
  if (record.id !== machineId) {
    return mismatch('id', 0, `the machine ${quoted(machineId)}`, `the machine ${quoted(record.id)}`);
  }
  return bindingMismatch(state, record) ?? tableMismatch(record) ?? hostMismatch(state, record);
}

/** What the model learns from a record that it could explain. */
export function learn(state: MachineState, record: MachineRecord): MachineState {
  const hostProvider = hasHost(record) ? (record.host?.provider ?? null) : state.hostProvider;
  const lastError = record.state === 'FAILED' ? record.lastError : state.lastError;
  const rested = state.trail.rested || isRest(record);
  if (hostProvider === state.hostProvider && lastError === state.lastError && rested === state.trail.rested) {
    return state;
  }
  const { kind, rule, relation, phase, doom } = state.trail;
  return changed(state, {
    hostProvider,
    lastError,
    trail: { kind, rule, relation, phase, rested, doom },
  });
}

function isRest(record: MachineRecord): boolean {
  return record.state === 'SPECULATIVE' || record.state === 'IDLE' || record.state === 'CONFIGURED';
}

const BOUND: ReadonlySet<string> = new Set(['CONFIGURING', 'CONFIGURED', 'DRAINING']);

function bindingMismatch(state: MachineState, record: MachineRecord): Mismatch | null {
  if (state.binding === null || !BOUND.has(record.state)) return null;
  const { cluster, metadata } = state.binding;
  if (record.cluster !== cluster) {
    return mismatch('cluster', 2, `cluster ${quoted(cluster)}`, `cluster ${quoted(record.cluster)}`);
  }
  const difference = firstDifference(metadata, record.shardMetadata);
  return difference && mismatch('metadata', 3, difference.expected, difference.observed);
}

function tableMismatch(record: MachineRecord): Mismatch | null {
  const defect = defectOf(record);
  return defect && { ...defect, depth: isLifecycleState(record.state) ? 4 : 0 };
}

function hostMismatch(state: MachineState, record: MachineRecord): Mismatch | null {
  if (state.hostProvider === null || !hasHost(record)) return null;
  const seen = record.host?.provider ?? '';
  if (seen === state.hostProvider) return null;
  return mismatch(
    'host-provider',
    5,
    `host provider ${quoted(state.hostProvider)}`,
    `host provider ${quoted(seen)}`,
  );
}

function errorMismatch(state: MachineState, record: MachineRecord): Mismatch | null {
  if (state.lastError === null || record.state !== 'FAILED' || record.lastError === state.lastError)
    return null;
  return mismatch(
    'last-error-changed',
    5,
    `last_error ${quoted(state.lastError)}`,
    `last_error ${quoted(record.lastError)}`,
  );
}

/** The first key, in the order of what was sent, in which two maps differ; null where they are equal. */
export function firstDifference(
  sent: ReadonlyMap<string, string>,
  shown: ReadonlyMap<string, string>,
): { expected: string; observed: string } | null {
  for (const [key, value] of sent) {
    const other = shown.get(key);
    if (other === value) continue;
    const observed =
      other === undefined ? `no key ${quoted(key)} (${shown.size} keys)` : `${quoted(key)}: ${quoted(other)}`;
    return {
      expected: `shard_metadata ${quoted(key)}: ${quoted(value)}`,
      observed: `shard_metadata ${observed}`,
    };
  }
  if (shown.size === sent.size) return null;
  const extra = [...shown.keys()].find((key) => !sent.has(key)) ?? '';
  return {
    expected: `shard_metadata with the ${sent.size} keys sent`,
    observed: `shard_metadata with a key that was not sent, ${quoted(extra)}: ${quoted(shown.get(extra) ?? '')}`,
  };
}

const QUOTE_LIMIT = 120;

/** Text as a JSON string of bounded length, every control and every non-ASCII character escaped. */
export function quoted(text: string): string {
  const shown = text.length > QUOTE_LIMIT ? text.slice(0, QUOTE_LIMIT) : text;
  const escaped = JSON.stringify(shown).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return text.length > QUOTE_LIMIT ? `${escaped}… (${text.length} characters)` : escaped;
}

function mismatch(aspect: Aspect, depth: number, expected: string, observed: string): Mismatch {
  return { aspect, depth, expected, observed };
}
