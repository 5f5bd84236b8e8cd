/** Runs the branches of a program at the same time, each on a connection of its own. */
import type { Step } from '../../properties/program.js';
import type { Cast, Planned } from './cast.js';
import type { Judge } from './judge.js';
import { keepOpen, limitOpen } from './late-calls.js';
import { deepestOverlap, judgeRace, type RaceEntry } from './race.js';
import { Stop } from './stop.js';
import type { Transcript } from './transcript.js';
import type { World } from './world.js';

/** Tokens of a race are fixed before it starts: which call comes first is up to the provider. */
export function planRace(
  branches: readonly (readonly Step[])[],
  cast: Cast,
): readonly (readonly Planned[])[] {
  return branches.map((branch) => branch.flatMap((step) => cast.plan(step)));
}

/**
 * Runs planned branches and searches for an order that explains every reply.
 * @param note is told the most calls that were in flight on one machine at the same time and were answered
 * @throws Stop where no order does, or none was found within the budget
 */
export async function runRace(
  planned: readonly (readonly Planned[])[],
  cast: Cast,
  transcript: Transcript,
  judge: Judge,
  world: World,
  note: (overlap: number) => void,
): Promise<void> {
  const lanes = await Promise.all(
    planned.map((branch, number) => runBranch(branch, number, transcript, world.connections)),
  );
  const entries = lanes.flat();
  note(deepestOverlap(entries.filter(({ raced }) => raced.outcome.kind !== 'indeterminate')));
  const verdict = await judgeRace(entries, cast.all, world);
  if (verdict.kind !== 'explained') keepLostOpen(entries);
  if (verdict.kind === 'undecided') throw Stop.inconclusive('the search for an order spent its budget');
  const broken = verdict.kind === 'explained' ? judge.claimRaced(entries) : verdict;
  if (broken === null) {
    for (const tenant of cast.all) limitOpen(tenant);
    return;
  }
  transcript.conclude(
    { breach: broken.breach, departures: [], rule: null },
    transcript.entryAt(broken.entry),
  );
}

/** Nothing is believed of a race that was not explained, but that its lost calls may still arrive. */
function keepLostOpen(entries: readonly RaceEntry[]): void {
  for (const { raced, tenant } of entries) {
    if (raced.call.kind !== 'Get' && raced.outcome.kind === 'indeterminate') keepOpen(tenant, raced.call);
  }
}

async function runBranch(
  planned: readonly Planned[],
  number: number,
  transcript: Transcript,
  connections: number,
): Promise<RaceEntry[]> {
  const entries: RaceEntry[] = [];
  for (const [step, { tenant, call }] of planned.entries()) {
    const { outcome, entry } = await transcript.exchange(call, number, step);
    const { invokedAt, returnedAt } = entry;
    entries.push({
      raced: { call, outcome } as RaceEntry['raced'],
      tenant,
      branch: number,
      connection: number % connections,
      invokedAt,
      returnedAt,
      entry: transcript.trace.indexOf(entry),
    });
  }
  return entries;
}
