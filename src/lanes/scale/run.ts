/** What the cases of one run of the scale lane share, and how they end. */

import { defectOf, type MachineRecord } from '../../../model/record.js';
import { behaviorsOfRecord } from '../../../model/record-blame.js';
import type { BehaviorId } from '../../../model/registry.js';
import { firstMet } from '../../../model/state.js';
import type { Tenant } from '../../engine/tenant.js';
import type { LaneBreach, LaneCase } from '../lane.js';
import type { Fleet } from './digest.js';
import type { Driver } from './driver.js';
import type { ScaleClient, ScaleOptions, ScaleTools } from './options.js';
import { CaseStopped } from './stopped.js';

export interface ScaleRun {
  readonly options: ScaleOptions;
  readonly tools: ScaleTools;
  readonly client: ScaleClient;
  readonly driver: Driver;
  /** bfcheck's own copy: what the first full List showed, carried on by nothing but deltas. */
  readonly fleet: Fleet;
  /** Whether a full List is known to hold every machine; otherwise nothing follows from one that it lacks. */
  complete: boolean;
  /** The cursor up to which the copy is known; empty where the provider has none. */
  revision: Uint8Array;
  /** Machines that were SPECULATIVE or IDLE at first and are in nobody's hands, in random order. */
  readonly free: Tenant[];
  /** Machines in our hands, by id. */
  readonly held: Map<string, Tenant>;
  /** Held machines of which the model no longer knows what to expect. */
  readonly lostSight: Set<Tenant>;
  /** Numbers for the report. */
  readonly counts: Record<string, number>;
  /** Why to give up, as when the process has ended. */
  readonly obstacle: () => string | null;
  /** Keeps the latencies of a burst apart from those that have a budget. */
  readonly apart: <T>(body: () => Promise<T>) => Promise<T>;
}

/** Takes up to `count` free machines in hand. */
export function hold(run: ScaleRun, count: number, fits: (tenant: Tenant) => boolean): Tenant[] {
  const taken: Tenant[] = [];
  for (let i = run.free.length - 1; i >= 0 && taken.length < count; i--) {
    const tenant = run.free[i];
    if (tenant === undefined || !fits(tenant)) continue;
    run.free.splice(i, 1);
    run.held.set(tenant.id, tenant);
    taken.push(tenant);
  }
  return taken;
}

export function isSpeculative({ belief }: Tenant): boolean {
  return belief[0]?.phase === 'SPECULATIVE';
}

/** Runs a case: what stops it becomes a breach or a reason why nothing is concluded. */
export async function runCase(
  { tools: { lane }, obstacle }: Pick<ScaleRun, 'tools' | 'obstacle'>,
  laneCase: LaneCase,
  body: () => Promise<void>,
): Promise<void> {
  try {
    await body();
    const reason = obstacle();
    if (reason !== null) throw CaseStopped.inconclusive(reason);
    lane.completed(laneCase);
  } catch (error) {
    if (!(error instanceof CaseStopped)) throw error;
    if (error.breach === null) lane.inconclusive(laneCase, error.message);
    else lane.breach(laneCase, error.breach);
    // The reference reading accepts what was seen, so in that reading the case is decided.
    if (error.breach?.reading === 'literal') lane.completed(laneCase);
  }
}

/** Where a record departs from what its own state demands, blamed on `behavior` first; null where it does not. */
export function recordBreach(record: MachineRecord, behavior: BehaviorId): LaneBreach | null {
  const defect = defectOf(record);
  if (defect === null) return null;
  const { trail } = firstMet('ABSENT');
  return {
    behaviors: [...new Set([behavior, ...behaviorsOfRecord(defect.aspect, record.state, trail)])],
    rule: 'record',
    aspect: defect.aspect,
    expected: [defect.expected],
    observed: `${defect.observed} (machine ${JSON.stringify(record.id)}, state ${record.state})`,
  };
}

/** Names the first few of `ids`, and how many there are. */
export function someOf(ids: readonly string[]): string {
  const shown = ids.slice(0, 3).map((id) => JSON.stringify(id));
  return ids.length > shown.length
    ? `${shown.join(', ')} and ${ids.length - shown.length} more`
    : shown.join(', ');
}
