import { CapacityType, Machine, MachineState } from '../../src/wire/gen/provider.js';

/** A Machine message as a provider would send it. */
export function machineMessage(fields: Partial<Machine> = {}): Machine {
  return {
    id: 'm-1',
    state: MachineState.MACHINE_STATE_IDLE,
    host: { provider: 'test', ref: 'h-1' },
    instanceType: 'c5.large',
    zone: 'z1',
    capacityType: CapacityType.CAPACITY_TYPE_ON_DEMAND,
    pricePerHour: 0.25,
    interruptionProbability: 0,
    resources: { resources: new Map([['cpu', '4']]) },
    labels: new Map(),
    lastError: '',
    allocatable: { resources: new Map([['cpu', '3900m']]) },
    cluster: '',
    shardMetadata: new Map(),
    ...fields,
  };
}

/** The bytes of a Machine message. */
export function machineBytes(fields: Partial<Machine> = {}): Uint8Array {
  return Machine.encode(machineMessage(fields)).finish();
}

/** A length-delimited field of fewer than 128 bytes. */
export function field(number: number, content: Iterable<number>): number[] {
  const bytes = [...content];
  return [(number << 3) | 2, bytes.length, ...bytes];
}
