/** The record table of contract section 3 a second time, held against the first: double entry, as in bookkeeping. */
import type { LifecycleState } from '../machine.js';
import { LIFECYCLE_STATES } from '../machine.js';
import type { MachineRecord } from '../record.js';
import { type Binding, firstMet, type MachineState } from '../state.js';
import type { Oracle } from './invariants.js';

const ID = 'machine';
const HOST = { provider: 'provider', ref: 'ref' };
const BINDING: Binding = { cluster: 'cluster', metadata: new Map([['key', 'value']]) };

/** For every state: host, cluster, shard_metadata, last_error; `+` set, `-` empty, `?` free. */
const COLUMNS = ['host', 'cluster', 'shardMetadata', 'lastError'] as const;
type Column = (typeof COLUMNS)[number];
const TABLE: Readonly<Record<LifecycleState, string>> = {
  SPECULATIVE: '----',
  CREATING: '?---',
  IDLE: '+---',
  CONFIGURING: '+++-',
  CONFIGURED: '+++-',
  DRAINING: '+++-',
  DELETING: '?---',
  FAILED: '???+',
};

/** A machine in `phase`, bound where the lifecycle binds it. */
function stateIn(phase: LifecycleState): MachineState {
  const bound = TABLE[phase][1] === '+';
  return { ...firstMet(phase, true), binding: bound ? BINDING : null };
}

/** A record that shows exactly what `phase` demands. */
function canonicalRecord(phase: LifecycleState): MachineRecord {
  return {
    id: ID,
    state: phase,
    instanceType: 'type',
    zone: 'zone',
    capacityType: 'ON_DEMAND',
    pricePerHour: 1,
    interruptionProbability: 0,
    resources: null,
    allocatable: null,
    labels: new Map(),
    ...fieldOf('host', TABLE[phase][0] === '+'),
    ...fieldOf('cluster', TABLE[phase][1] === '+'),
    ...fieldOf('shardMetadata', TABLE[phase][2] === '+'),
    ...fieldOf('lastError', TABLE[phase][3] === '+'),
  };
}

type Varying = Pick<MachineRecord, Column>;
const SET: Varying = {
  host: HOST,
  cluster: BINDING.cluster,
  shardMetadata: BINDING.metadata,
  lastError: 'error',
};
const UNSET: Varying = { host: null, cluster: '', shardMetadata: new Map(), lastError: '' };

function fieldOf<C extends Column>(column: C, set: boolean): Pick<Varying, C> {
  const { [column]: value } = set ? SET : UNSET;
  return { [column]: value } as Pick<Varying, C>;
}

/** Where the model judges a record otherwise than the table above, or null where it agrees with all of it. */
export function recordTableFault({ mismatchOf }: Oracle): string | null {
  for (const phase of LIFECYCLE_STATES) {
    const record = canonicalRecord(phase);
    for (const believed of LIFECYCLE_STATES) {
      const explained = mismatchOf(stateIn(believed), ID, record) === null;
      if (explained !== (believed === phase))
        return `a record of ${phase} in ${believed}: ${said(explained)}`;
    }
    for (const [at, column] of COLUMNS.entries()) {
      const mark = TABLE[phase][at];
      const flipped = { ...record, ...fieldOf(column, mark !== '+') };
      const explained = mismatchOf(stateIn(phase), ID, flipped) === null;
      if (explained !== (mark === '?')) return `${column} flipped in ${phase}: ${said(explained)}`;
    }
  }
  return null;
}

function said(explained: boolean): string {
  return explained ? 'explained' : 'not explained';
}
