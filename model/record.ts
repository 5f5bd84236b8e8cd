import type { LifecycleState } from './machine.js';

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
