import type { LifecycleState } from '../../model/machine.js';
import type { WireCapacityType, WireState } from '../../model/record.js';
import { CapacityType, MachineState } from './gen/provider.js';

const STATE_NUMBERS: Readonly<Record<LifecycleState, MachineState>> = {
  SPECULATIVE: MachineState.MACHINE_STATE_SPECULATIVE,
  CREATING: MachineState.MACHINE_STATE_CREATING,
  IDLE: MachineState.MACHINE_STATE_IDLE,
  CONFIGURING: MachineState.MACHINE_STATE_CONFIGURING,
  CONFIGURED: MachineState.MACHINE_STATE_CONFIGURED,
  DRAINING: MachineState.MACHINE_STATE_DRAINING,
  DELETING: MachineState.MACHINE_STATE_DELETING,
  FAILED: MachineState.MACHINE_STATE_FAILED,
};

const CAPACITY_TYPE_NUMBERS: Readonly<Record<Exclude<WireCapacityType, `UNKNOWN(${number})`>, CapacityType>> =
  {
    UNSPECIFIED: CapacityType.CAPACITY_TYPE_UNSPECIFIED,
    BARE_METAL: CapacityType.CAPACITY_TYPE_BARE_METAL,
    RESERVED: CapacityType.CAPACITY_TYPE_RESERVED,
    ON_DEMAND: CapacityType.CAPACITY_TYPE_ON_DEMAND,
    SPOT: CapacityType.CAPACITY_TYPE_SPOT,
  };

/** The names of an enum by number, so that decoding a machine is an array read. */
function namesByNumber<Name extends string>(numbers: Readonly<Record<Name, number>>): readonly Name[] {
  const names: Name[] = [];
  for (const name in numbers) {
    names[numbers[name]] = name;
  }
  return names;
}

const STATES: readonly WireState[] = namesByNumber({
  UNSPECIFIED: MachineState.MACHINE_STATE_UNSPECIFIED,
  ...STATE_NUMBERS,
});
const CAPACITY_TYPES: readonly WireCapacityType[] = namesByNumber(CAPACITY_TYPE_NUMBERS);

/** The wire number of a lifecycle state. */
export function encodeState(state: LifecycleState): MachineState {
  return STATE_NUMBERS[state];
}

/** The name of a wire state; a number that the protocol does not define becomes `UNKNOWN(n)`, never UNSPECIFIED. */
export function decodeState(value: number): WireState {
  return STATES[value] ?? `UNKNOWN(${value})`;
}

/** The name of a wire capacity type; an undefined number becomes `UNKNOWN(n)`. */
export function decodeCapacityType(value: number): WireCapacityType {
  return CAPACITY_TYPES[value] ?? `UNKNOWN(${value})`;
}
