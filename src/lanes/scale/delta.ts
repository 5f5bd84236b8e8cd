/** Deltas of a large fleet (B1102), and the copy of the fleet that is kept by them. */
import type { MachineRecord } from '../../../model/record.js';
import type { LaneBreach } from '../lane.js';
import { type Digest, digestOf } from './digest.js';
import { listing, walkFleet } from './fleet-walk.js';
import { type ScaleRun, someOf } from './run.js';
import { CaseStopped } from './stopped.js';

/** A machine in a delta, and what the copy held of it before. */
export interface Change {
  readonly record: MachineRecord;
  readonly before: Digest | undefined;
  readonly now: Digest;
}

/**
 * Asks what changed since the copy's cursor, hands every entry to `visit`, and carries the copy on.
 * @throws CaseStopped when the List is refused, lost or malformed, or names a machine twice
 */
export async function follow(run: ScaleRun, visit: (change: Change) => void): Promise<void> {
  const seen = new Set<string>();
  const call = listing({ since: run.revision });
  const { revision } = await walkFleet(run.client, call, run.tools.sleep, (record) => {
    if (seen.has(record.id)) throw CaseStopped.broken(wrong('duplicate', 'every machine once', [record.id]));
    seen.add(record.id);
    const now = digestOf(record);
    visit({ record, before: run.fleet.get(record.id), now });
    run.fleet.set(record.id, now);
  });
  run.revision = revision;
}

/**
 * Holds the next delta against the machines that were mutated since the copy's cursor, all of them at rest by now.
 * A machine whose price, labels or the like were refreshed may be in it too (contract section 9, A11).
 *
 * @throws CaseStopped where a machine is missing, or there without any visible change
 */
export async function checkDelta(run: ScaleRun, mutated: ReadonlySet<string>): Promise<void> {
  const listed = new Set<string>();
  const extra: string[] = [];
  const moved: string[] = [];
  const broken: LaneBreach[] = [];
  await follow(run, ({ record, before, now }) => {
    listed.add(record.id);
    const tenant = run.held.get(record.id);
    if (tenant !== undefined && run.lostSight.has(tenant)) return;
    const breach = tenant ? run.driver.look(tenant, record) : null;
    if (breach !== null) broken.push(breach);
    if (mutated.has(record.id)) return;
    if (before?.core !== now.core) moved.push(record.id);
    else if (before.full === now.full) extra.push(record.id);
    else run.counts.refreshed = (run.counts.refreshed ?? 0) + 1;
  });
  const missing = [...mutated].filter((id) => !listed.has(id));
  const exactly = `exactly the ${mutated.size} machines mutated since the cursor, in a fleet of ${run.fleet.size}`;
  if (missing.length > 0) throw CaseStopped.broken(wrong('missing', exactly, missing));
  if (extra.length > 0) throw CaseStopped.broken(wrong('extraneous', exactly, extra));
  if (moved.length > 0) {
    const breach = wrong('moved', `${exactly}, and no other machine moving by itself`, moved);
    throw CaseStopped.broken({ ...breach, behaviors: ['B1109', 'B1102'] });
  }
  if (broken[0] !== undefined) throw CaseStopped.broken(broken[0]);
}

function wrong(aspect: string, expected: string, ids: readonly string[]): LaneBreach {
  const what: Readonly<Record<string, string>> = {
    missing: 'a delta without',
    extraneous: 'a delta that also holds, without any change,',
    moved: 'a delta that also holds, in another state,',
    duplicate: 'a delta that holds twice',
  };
  return {
    behaviors: ['B1102', aspect === 'missing' ? 'B903' : 'B904'],
    rule: 'cursor',
    aspect: `delta ${aspect}`,
    expected: [expected],
    observed: `${what[aspect]} ${someOf(ids)}`,
  };
}
