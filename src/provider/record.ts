/** From the machine as remembered to the record as seen on the wire (contract section 3). */
import { CapacityType, type Machine as MachineRecord, MachineState } from '../wire/gen/provider.js';
import type { Machine, State } from './machine.js';

/** Where a record is seen. A correct provider shows the same machine everywhere. */
export type Seen = 'get' | 'list' | 'ack';

/** A state's value on the wire. */
export function wireState(state: State): MachineState {
  return MachineState[`MACHINE_STATE_${state}`];
}

/** The record of a machine. */
export function view(machine: Machine): MachineRecord {
  const { spec, host, binding } = machine;
  return {
    id: machine.id,
    state: wireState(machine.state),
    host: host === null ? undefined : { ...host },
    instanceType: spec.instanceType,
    zone: spec.zone,
    capacityType: CapacityType[`CAPACITY_TYPE_${spec.capacity}`],
    pricePerHour: spec.pricePerHour,
    interruptionProbability: spec.interruptionProbability,
    resources: { resources: new Map(spec.resources) },
    allocatable: { resources: new Map(spec.allocatable) },
    labels: new Map(spec.labels),
    lastError: machine.lastError,
    cluster: binding?.cluster ?? '',
    shardMetadata: new Map(binding?.metadata),
  };
}
