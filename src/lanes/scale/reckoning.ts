/** After the soak: a full List against the copy that was kept by deltas, and the count of live machines. */
import type { LaneBreach } from '../lane.js';
import { SCALE_CASES } from './cases.js';
import { follow } from './delta.js';
import { digestOf, UNTRUSTED } from './digest.js';
import { listing, walkFleet } from './fleet-walk.js';
import { recordBreach, type ScaleRun, someOf } from './run.js';
import { appeared, drifted } from './soak.js';
import { CaseStopped } from './stopped.js';

/** Defects that a cycle leaves on its machine; any other is one of the List. */
const LEFT_BEHIND: ReadonlySet<string> = new Set(['cluster', 'metadata', 'last-error', 'host']);

/** Entries of the final List that are not what the copy says, to be judged once it is known what changed meanwhile. */
type Suspects = Map<string, { readonly breach: LaneBreach; readonly caseOf: keyof typeof SCALE_CASES }>;

/**
 * Brings the copy up to date by one more delta, lists the fleet and compares: ids, states and records.
 * @param liveBefore how many machines were not SPECULATIVE when the lane began
 * @throws CaseStopped when a List is refused, lost or malformed, or the machines do not add up
 */
export async function reckon(run: ScaleRun, liveBefore: number): Promise<void> {
  const cursors = run.revision.length > 0;
  if (cursors) await follow(run, () => undefined);
  const suspects: Suspects = new Map();
  const seen = new Set<string>();
  let live = 0;
  await walkFleet(run.client, listing(), run.tools.sleep, (record) => {
    seen.add(record.id);
    if (record.state !== 'SPECULATIVE') live += 1;
    const suspect = suspicion(run, record, cursors);
    if (suspect !== null) suspects.set(record.id, suspect);
  });
  // A provider may refresh a price between the last delta and the List (A11); then it is in the next delta.
  if (cursors)
    await follow(run, ({ record, before, now }) => before?.core === now.core && suspects.delete(record.id));
  for (const { breach, caseOf } of suspects.values()) run.tools.lane.breach(SCALE_CASES[caseOf], breach);
  if (!run.complete)
    throw CaseStopped.inconclusive('a full List does not hold every machine, so there is nothing to count');
  const gone = [...run.fleet.keys()].filter((id) => !seen.has(id));
  if (gone.length > 0) throw vanished(gone, run.fleet.size);
  count(run, liveBefore, live);
}

function suspicion(
  run: ScaleRun,
  record: Parameters<typeof digestOf>[0],
  cursors: boolean,
): { breach: LaneBreach; caseOf: keyof typeof SCALE_CASES } | null {
  const { id, state } = record;
  const copy = run.fleet.get(id);
  const tenant = run.held.get(id);
  if (copy === undefined) return run.complete ? { breach: appeared(id), caseOf: 'count' } : null;
  if (tenant !== undefined && run.lostSight.has(tenant)) return null;
  const defect = recordBreach(record, 'B1101');
  if (defect !== null && !(tenant !== undefined && LEFT_BEHIND.has(defect.aspect)))
    return { breach: defect, caseOf: 'fullList' };
  const wrong = tenant === undefined ? null : run.driver.look(tenant, record);
  if (wrong !== null) return { breach: wrong, caseOf: 'churn' };
  const now = digestOf(record);
  const same = cursors
    ? copy.full === now.full || copy.full === UNTRUSTED
    : tenant !== undefined || copy.core === now.core;
  if (same) return null;
  if (tenant === undefined && copy.core !== now.core)
    return { breach: drifted(id, copy.state, state), caseOf: 'steady' };
  return { breach: stale(id, copy.state, state), caseOf: 'delta' };
}

function stale(id: string, copy: string, listed: string): LaneBreach {
  return {
    behaviors: ['B1102', 'B905'],
    rule: 'cursor',
    aspect: 'copy by deltas',
    expected: [
      `the full List to show what a copy kept by deltas alone has: ${JSON.stringify(id)} in state ${listed}`,
    ],
    observed: `a copy in which it is ${copy === listed ? 'in that state with an older record' : `in state ${copy}`}`,
  };
}

function vanished(ids: readonly string[], of: number): CaseStopped {
  return CaseStopped.broken({
    behaviors: ['B1105'],
    rule: 'list',
    aspect: 'vanished',
    expected: [`all ${of} machines that there were`],
    observed: `a full List without ${someOf(ids)}`,
  });
}

/** Created equals deleted plus resident; only where every reply came and every machine is accounted for. */
function count(run: ScaleRun, liveBefore: number, live: number): void {
  const { Create: created, Delete: deleted } = run.driver.accepted;
  Object.assign(run.counts, { created, deleted, liveBefore, live, lostReplies: run.driver.lost });
  if (run.driver.lost > 0 || run.lostSight.size > 0) return;
  if (liveBefore + created === deleted + live) return;
  throw CaseStopped.broken({
    behaviors: ['B1105'],
    rule: 'list',
    aspect: 'live count',
    expected: [
      `${liveBefore + created - deleted} live machines: ${liveBefore} at first, ${created} created, ${deleted} deleted`,
    ],
    observed: `${live} live machines`,
  });
}
