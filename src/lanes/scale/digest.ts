/** Compact memories of machines, so that a fleet of 100,000 fits beside everything else. */
import { hash } from 'node:crypto';
import type { MachineRecord, WireState } from '../../../model/record.js';

/** What is kept of a record. Equal numbers mean equal content, but for a chance of about one in 10^14. */
export interface Digest {
  readonly state: WireState;
  /** Of what only calls change: state, host, binding and error. */
  readonly core: number;
  /** Of all; the rest a provider may refresh by itself (contract section 9, A11). */
  readonly full: number;
}

/** The content of a record that was broken when it was seen: nothing can be held against it later. */
export const UNTRUSTED = -1;

/** A fleet by machine id. */
export type Fleet = Map<string, Digest>;

export function digestOf(record: MachineRecord): Digest {
  const { state, host, cluster, shardMetadata, lastError } = record;
  const core = JSON.stringify([state, host, cluster, sorted(shardMetadata), lastError]);
  const rest = JSON.stringify([
    record.instanceType,
    record.zone,
    record.capacityType,
    // JSON would turn every number that is not finite into the same null.
    String(record.pricePerHour),
    String(record.interruptionProbability),
    sorted(record.resources),
    sorted(record.allocatable),
    sorted(record.labels),
  ]);
  return { state, core: numberOf(core), full: numberOf(core + rest) };
}

/** The order of a map's entries on the wire means nothing and may change from reply to reply. */
function sorted(map: ReadonlyMap<string, string> | null): readonly (readonly [string, string])[] | null {
  return map === null ? null : [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

const HEX_DIGITS = 12;

function numberOf(text: string): number {
  return Number.parseInt(hash('sha1', text, 'hex').slice(0, HEX_DIGITS), 16);
}
