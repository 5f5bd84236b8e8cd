/** From the machine as remembered to the record as seen on the wire (contract section 3). */
import { CapacityType, type Machine as MachineRecord, MachineState } from '../wire/gen/provider.js';
import type { Machine, Spec, State } from './machine.js';

/** Where a record is seen. A correct provider shows the same machine everywhere. */
export type Seen = 'get' | 'list' | 'ack';

/** The part of a record that is made from its machine's spec. */
type SpecRecord = Pick<MachineRecord, 'capacityType' | 'resources' | 'allocatable' | 'labels'>;

// A record is made once for every machine and its maps once for every spec: a List may ask for a hundred thousand.
const records = new WeakMap<Machine, MachineRecord>();
const specRecords = new WeakMap<Spec, SpecRecord>();
const NO_METADATA = new Map<string, string>();

/** A state's value on the wire. */
export function wireState(state: State): MachineState {
  return MachineState[`MACHINE_STATE_${state}`];
}

/** The record of a machine: the same object every time, so it must not be changed. */
export function view(machine: Machine): MachineRecord {
  const known = records.get(machine) ?? recordOf(machine);
  records.set(machine, known);
  return known;
}

function recordOf(machine: Machine): MachineRecord {
  const { spec, host, binding } = machine;
  const known = specRecords.get(spec) ?? specRecordOf(spec);
  specRecords.set(spec, known);
  return {
    id: machine.id,
    state: wireState(machine.state),
    host: host === null ? undefined : { ...host },
    instanceType: spec.instanceType,
    zone: spec.zone,
    capacityType: known.capacityType,
    pricePerHour: spec.pricePerHour,
    interruptionProbability: spec.interruptionProbability,
    resources: known.resources,
    allocatable: known.allocatable,
    labels: known.labels,
    lastError: machine.lastError,
    cluster: binding?.cluster ?? '',
    shardMetadata: binding?.metadata ?? NO_METADATA,
  };
}

function specRecordOf(spec: Spec): SpecRecord {
  return {
    capacityType: CapacityType[`CAPACITY_TYPE_${spec.capacity}`],
    resources: { resources: new Map(spec.resources) },
    allocatable: { resources: new Map(spec.allocatable) },
    labels: new Map(spec.labels),
  };
}
