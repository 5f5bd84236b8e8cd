/**
 * What a machine record must look like by its own state (contract section 3), wherever it is seen: in Get, in List
 * or in an ack's snapshot. What it must look like given what was done to the machine is `observation.ts`.
 */
import { isTransitional, LIFECYCLE_STATES, type LifecycleState } from './machine.js';
import { density, isQuantity } from './quantity.js';

/** A state as it came over the wire: a known one, UNSPECIFIED, or the number of an unknown enum value. */
export type WireState = LifecycleState | 'UNSPECIFIED' | `UNKNOWN(${number})`;
/** A capacity type as it came over the wire. */
export type WireCapacityType =
  | 'UNSPECIFIED'
  | 'BARE_METAL'
  | 'RESERVED'
  | 'ON_DEMAND'
  | 'SPOT'
  | `UNKNOWN(${number})`;

/** A Machine message as a provider showed it, in Get, in List or in an ack's snapshot. */
export interface MachineRecord {
  readonly id: string;
  readonly state: WireState;
  /** null when the field is absent. */
  readonly host: { readonly provider: string; readonly ref: string } | null;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: WireCapacityType;
  readonly pricePerHour: number;
  readonly interruptionProbability: number;
  /** Resource name to Kubernetes quantity; null when the field is absent. */
  readonly resources: ReadonlyMap<string, string> | null;
  readonly allocatable: ReadonlyMap<string, string> | null;
  readonly labels: ReadonlyMap<string, string>;
  readonly lastError: string;
  readonly cluster: string;
  readonly shardMetadata: ReadonlyMap<string, string>;
}

/** The part of a record that a rule speaks of. */
export type Aspect =
  | 'id'
  | 'state'
  | 'host'
  | 'host-provider'
  | 'cluster'
  | 'metadata'
  | 'last-error'
  | 'last-error-changed'
  | 'instance-type'
  | 'capacity-type'
  | 'zone'
  | 'labels'
  | 'price'
  | 'interruption'
  | 'resources';

/** Where a record departs from the contract. Texts may hold the provider's own bytes: data, to be escaped. */
export interface Defect {
  readonly aspect: Aspect;
  readonly expected: string;
  readonly observed: string;
}

type Demand = 'required' | 'empty' | 'free';
interface Row {
  readonly host: Demand;
  readonly cluster: Demand;
  readonly metadata: Demand;
  readonly lastError: Demand;
}

/** The table of contract section 3. Where a binding is present its content is compared by `observation.ts`. */
const TABLE: Readonly<Record<LifecycleState, Row>> = {
  SPECULATIVE: { host: 'empty', cluster: 'empty', metadata: 'empty', lastError: 'empty' },
  CREATING: { host: 'free', cluster: 'empty', metadata: 'empty', lastError: 'empty' },
  IDLE: { host: 'required', cluster: 'empty', metadata: 'empty', lastError: 'empty' },
  CONFIGURING: { host: 'required', cluster: 'free', metadata: 'free', lastError: 'empty' },
  CONFIGURED: { host: 'required', cluster: 'free', metadata: 'free', lastError: 'empty' },
  DRAINING: { host: 'required', cluster: 'free', metadata: 'free', lastError: 'empty' },
  DELETING: { host: 'free', cluster: 'empty', metadata: 'empty', lastError: 'empty' },
  FAILED: { host: 'free', cluster: 'free', metadata: 'free', lastError: 'required' },
};

const KNOWN_STATES: ReadonlySet<string> = new Set(LIFECYCLE_STATES);
const KNOWN_TYPES: ReadonlySet<string> = new Set(['BARE_METAL', 'RESERVED', 'ON_DEMAND', 'SPOT']);

/** Narrows a state off the wire to one of the lifecycle. */
export function isLifecycleState(state: WireState): state is LifecycleState {
  return KNOWN_STATES.has(state);
}

/** Whether a host is set: absent, or both fields empty, means that it is not. */
export function hasHost(record: MachineRecord): boolean {
  return record.host !== null && (record.host.provider !== '' || record.host.ref !== '');
}

/** The first departure of `record` from what its own state demands, or null where there is none. */
export function defectOf(record: MachineRecord): Defect | null {
  return stateDefect(record) ?? tableDefect(record) ?? shapeDefect(record) ?? costDefect(record);
}

function stateDefect({ id, state }: MachineRecord): Defect | null {
  if (id === '') return { aspect: 'id', expected: 'a non-empty id', observed: 'an empty id' };
  if (isLifecycleState(state)) return null;
  return { aspect: 'state', expected: 'one of the eight lifecycle states', observed: `state ${state}` };
}

function tableDefect(record: MachineRecord): Defect | null {
  if (!isLifecycleState(record.state)) return null;
  const row = TABLE[record.state];
  return (
    demand(record, 'host', row.host, hasHost(record)) ??
    demand(record, 'cluster', row.cluster, record.cluster !== '') ??
    demand(record, 'metadata', row.metadata, record.shardMetadata.size > 0) ??
    demand(record, 'last-error', row.lastError, record.lastError !== '')
  );
}

/** Texts are made only where there is something to say: nearly every record is as it should be. */
function demand(record: MachineRecord, aspect: Part, wanted: Demand, present: boolean): Defect | null {
  if (wanted === 'free' || (wanted === 'required') === present) return null;
  return {
    aspect,
    expected: `${aspect} ${wanted === 'required' ? 'set' : 'empty'} in ${record.state}`,
    observed: `${aspect} ${SHOWN[aspect](record)}`,
  };
}

const SHOWN = {
  host: ({ host }: MachineRecord) => (host ? JSON.stringify(host) : 'no host'),
  cluster: ({ cluster }: MachineRecord) => JSON.stringify(cluster),
  metadata: ({ shardMetadata }: MachineRecord) => `shard_metadata with ${shardMetadata.size} keys`,
  'last-error': ({ lastError }: MachineRecord) => JSON.stringify(lastError),
} as const;
/** The parts of a record that the table speaks of. */
type Part = keyof typeof SHOWN;

/** Only the bare words count; a key with a domain prefix belongs to somebody else. */
const RESERVED_LABEL = /^(instance[-_. ]?type|zone|capacity[-_. ]?type)$/i;

function shapeDefect(record: MachineRecord): Defect | null {
  if (record.instanceType === '') {
    return { aspect: 'instance-type', expected: 'a non-empty instance_type', observed: 'an empty one' };
  }
  for (const key of record.labels.keys()) {
    if (RESERVED_LABEL.test(key)) {
      return {
        aspect: 'labels',
        expected: 'no instance-type, zone or capacity-type key in labels',
        observed: `the label ${JSON.stringify(key)}`,
      };
    }
  }
  const stable = isLifecycleState(record.state) && record.state !== 'FAILED' && !isTransitional(record.state);
  if (stable && !KNOWN_TYPES.has(record.capacityType)) {
    return { aspect: 'capacity-type', expected: 'a known capacity_type', observed: record.capacityType };
  }
  if (hasHost(record) && record.state !== 'FAILED' && record.zone === '') {
    return { aspect: 'zone', expected: 'a non-empty zone where a host is set', observed: 'an empty zone' };
  }
  return null;
}

function costDefect(record: MachineRecord): Defect | null {
  const { pricePerHour: price, interruptionProbability: chance } = record;
  if (!Number.isFinite(price) || price < 0) {
    return { aspect: 'price', expected: 'a finite price_per_hour >= 0', observed: `price_per_hour ${price}` };
  }
  const spot = record.capacityType === 'SPOT';
  if (!(chance >= 0 && chance <= 1) || (spot && chance === 0)) {
    return {
      aspect: 'interruption',
      expected: spot ? 'interruption_probability in (0,1] for SPOT' : 'interruption_probability in [0,1]',
      observed: `interruption_probability ${chance}`,
    };
  }
  return densityDefect(record);
}

/** B804: where both maps are present, floor(allocatable / resources) must be computable for what they share. */
function densityDefect({ resources, allocatable }: MachineRecord): Defect | null {
  if (resources === null || allocatable === null) return null;
  if (resources.size === 0 || allocatable.size === 0) {
    const name = resources.size === 0 ? 'resources' : 'allocatable';
    return { aspect: 'resources', expected: `a non-empty ${name} map`, observed: `an empty ${name} map` };
  }
  const unreadable = quantityDefect('resources', resources) ?? quantityDefect('allocatable', allocatable);
  if (unreadable !== null || sharesDivisor(resources, allocatable)) return unreadable;
  return {
    aspect: 'resources',
    expected: 'a resource in both maps, not zero in resources, so that their quotient can be computed',
    observed: `resources ${[...resources.keys()].join(', ')} and allocatable ${[...allocatable.keys()].join(', ')}`,
  };
}

function sharesDivisor(
  resources: ReadonlyMap<string, string>,
  allocatable: ReadonlyMap<string, string>,
): boolean {
  // Nearly every record has a first name in common; the exact sum is for the others.
  for (const [name, text] of resources) if (allocatable.has(name) && /^[1-9]/.test(text)) return true;
  return density(allocatable, resources) !== null;
}

function quantityDefect(part: string, quantities: ReadonlyMap<string, string>): Defect | null {
  for (const [key, text] of quantities) {
    if (isQuantity(text)) continue;
    return {
      aspect: 'resources',
      expected: `a Kubernetes quantity in ${part}[${JSON.stringify(key)}]`,
      observed: JSON.stringify(text),
    };
  }
  return null;
}
