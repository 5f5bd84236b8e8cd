/** What is known of a machine at two instants, and whether it changed between them. Lists are held against it. */
import { hasHost, type MachineRecord } from './record.js';
import { sameMap } from './state.js';

/** What is known of one of the program's own machines at an instant. */
export interface Standing {
  /** Calls, counted from the start of the program, that certainly changed it. */
  readonly effects: number;
  /** Calls that changed it or may have. */
  readonly touches: number;
  /** From then on only a call changes it, or a refresh by the provider (A11): it is in a stable state, no call is open. */
  readonly resting: boolean;
  /** What it looked like at that instant, where that is known. */
  readonly record: MachineRecord | null;
}
/** By machine id. */
export type Standings = ReadonlyMap<string, Standing>;

/** Whether the machine changed between two instants, beyond doubt. */
export function certainlyChanged(then: Standing, now: Standing): boolean {
  if (now.effects > then.effects) return true;
  return then.record !== null && now.record !== null && !sameCourse(then.record, now.record);
}

/** Whether no call can have changed the machine between two instants. */
export function certainlyUntouched(then: Standing, now: Standing): boolean {
  return then.resting && now.touches === then.touches;
}

/** Equal in what only calls and transitions change. */
function sameCourse(a: MachineRecord, b: MachineRecord): boolean {
  return (
    a.state === b.state &&
    sameHost(a, b) &&
    a.cluster === b.cluster &&
    a.lastError === b.lastError &&
    sameMap(a.shardMetadata, b.shardMetadata)
  );
}

function sameHost(a: MachineRecord, b: MachineRecord): boolean {
  if (!hasHost(a) || !hasHost(b)) return hasHost(a) === hasHost(b);
  return a.host?.provider === b.host?.provider && a.host?.ref === b.host?.ref;
}

/** Equal in everything that a client sees: between two such records there was no visible change (A11). */
export function sameRecord(a: MachineRecord, b: MachineRecord): boolean {
  return (
    a.id === b.id &&
    sameCourse(a, b) &&
    a.instanceType === b.instanceType &&
    a.zone === b.zone &&
    a.capacityType === b.capacityType &&
    Object.is(a.pricePerHour, b.pricePerHour) &&
    Object.is(a.interruptionProbability, b.interruptionProbability) &&
    sameMap(a.resources ?? NOTHING, b.resources ?? NOTHING) &&
    sameMap(a.allocatable ?? NOTHING, b.allocatable ?? NOTHING) &&
    sameMap(a.labels, b.labels)
  );
}

const NOTHING: ReadonlyMap<string, string> = new Map();
