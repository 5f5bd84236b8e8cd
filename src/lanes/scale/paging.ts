/** Paging the whole of a large fleet by cap and cursor (B1103). */
import { digestOf } from './digest.js';
import { listing, walkFleet } from './fleet-walk.js';
import { type ScaleRun, someOf } from './run.js';
import { CaseStopped } from './stopped.js';

/** Pages for one fleet: enough for a boundary to be everywhere, few enough for providers that scan for each. */
const PAGES = 39;
const MOST_SKIPPED_PAGES = 20;

/**
 * Pages through the fleet, at rest, until a page is empty, and holds the union against the copy.
 * @param deltasComplete whether a delta without a cap was seen to be complete; the reference reading needs it
 * @throws CaseStopped where a machine is lost or comes twice, a page exceeds its cap, or the pages never end; also
 * where machines may still be moving, for then pages may hold what changed meanwhile
 */
export async function checkPaging(run: ScaleRun, deltasComplete: boolean): Promise<void> {
  const { fleet, client, tools, counts } = run;
  if (run.lostSight.size > 0) throw CaseStopped.inconclusive(restless(run.lostSight.size));
  const cap = Math.max(1, Math.ceil(fleet.size / PAGES));
  const most = Math.ceil(Math.max(fleet.size, run.options.scaleSeed) / cap) + MOST_SKIPPED_PAGES;
  const seen = new Set<string>();
  let [since, pages] = [new Uint8Array(0), 0];
  for (;;) {
    const repeated: string[] = [];
    const page = await walkFleet(client, listing({ since, max: cap }), tools.sleep, (record) => {
      const refreshed = fleet.get(record.id)?.full !== digestOf(record).full;
      if (seen.has(record.id) && !refreshed) repeated.push(record.id);
      seen.add(record.id);
    });
    if (page.count > cap) throw lost('cap', `at most ${cap} machines a page`, `a page of ${page.count}`);
    if (repeated.length > 0)
      throw lost(
        'duplicate',
        'every machine on one page only',
        `again on page ${pages + 1}: ${someOf(repeated)}`,
      );
    if (page.count === 0) break;
    pages += 1;
    if (pages > most) throw lost('endless', `an empty page after ${most} pages of ${cap}`, 'page after page');
    since = Uint8Array.from(page.revision);
  }
  counts.pages = pages;
  const missing = [...fleet.keys()].filter((id) => !seen.has(id));
  if (missing.length === 0) return;
  const head = pages === 1 && deltasComplete;
  throw lost(
    'missing',
    `all ${fleet.size} machines over the pages of ${cap}`,
    `${missing.length} machines on none of ${pages} pages: ${someOf(missing)}`,
    head ? 'literal' : 'both',
  );
}

function restless(machines: number): string {
  return `${machines} machines did not come to rest before, so the fleet may move while it is paged`;
}

function lost(
  aspect: string,
  expected: string,
  observed: string,
  reading: 'both' | 'literal' = 'both',
): CaseStopped {
  return CaseStopped.broken({
    behaviors: ['B1103', aspect === 'cap' ? 'B902' : 'B907'],
    rule: 'cursor',
    aspect: `paging ${aspect}`,
    expected: [expected],
    observed,
    reading,
  });
}
