/** The first full List of a large fleet (B1101). */
import { hasHost, type MachineRecord } from '../../../model/record.js';
import { firstMet } from '../../../model/state.js';
import { FAULT_LABEL } from '../../engine/pool.js';
import type { Tenant } from '../../engine/tenant.js';
import type { LaneBreach } from '../lane.js';
import { digestOf, type Fleet, UNTRUSTED } from './digest.js';
import { listing, walkFleet } from './fleet-walk.js';
import type { ScaleClient, ScaleTools } from './options.js';
import { recordBreach, someOf } from './run.js';
import { CaseStopped } from './stopped.js';

/** What a first look at a fleet gives. */
export interface FirstLook {
  readonly fleet: Fleet;
  readonly revision: Uint8Array;
  /** Machines that can be used. */
  readonly free: Tenant[];
  /** What is wrong with it, one for each aspect. */
  readonly breaches: readonly LaneBreach[];
}

/**
 * Lists the whole fleet and looks at every record.
 * @throws CaseStopped when the List is refused, lost or malformed
 */
export async function firstLook(client: ScaleClient, sleep: ScaleTools['sleep']): Promise<FirstLook> {
  const fleet: Fleet = new Map();
  const free: Tenant[] = [];
  const breaches = new Map<string, LaneBreach>();
  const { revision } = await walkFleet(client, listing(), sleep, (record) => {
    const breach = fleet.has(record.id) ? twice(record.id) : recordBreach(record, 'B1101');
    if (breach !== null && !breaches.has(breach.aspect)) breaches.set(breach.aspect, breach);
    const digest = digestOf(record);
    fleet.set(record.id, breach === null ? digest : { ...digest, full: UNTRUSTED });
    const start = startOf(record);
    if (start !== null && breach === null) free.push({ id: record.id, belief: [firstMet(start)] });
  });
  return { fleet, revision, free, breaches: [...breaches.values()] };
}

function twice(id: string): LaneBreach {
  return {
    behaviors: ['B1101', 'B901'],
    rule: 'list',
    aspect: 'duplicate',
    expected: ['every machine at most once'],
    observed: `the machine ${JSON.stringify(id)} twice in one List`,
  };
}

function startOf(record: MachineRecord): 'SPECULATIVE' | 'IDLE' | null {
  if (record.labels.has(FAULT_LABEL) || record.id === '') return null;
  if (record.state === 'SPECULATIVE') return 'SPECULATIVE';
  return record.state === 'IDLE' && hasHost(record) && record.cluster === '' ? 'IDLE' : null;
}

/**
 * Holds the number of machines against the one that was asked for. A provider that took the number for smaller
 * fleets must take it for this one; of one that has a number of its own, only that it stays the same is known.
 *
 * @param honored whether smaller fleets had exactly as many machines as were asked for
 * @throws CaseStopped where machines are missing, or come and go
 */
export async function checkCompleteness(
  { fleet }: FirstLook,
  asked: number,
  honored: boolean,
  client: ScaleClient,
  sleep: ScaleTools['sleep'],
): Promise<void> {
  if (fleet.size === 0) throw CaseStopped.inconclusive('the provider lists no machine at all');
  if (fleet.size !== asked && honored) {
    throw incomplete(
      'missing',
      `${asked} machines, as many as the provider was booted with, as it did for smaller fleets`,
      `${fleet.size} machines`,
    );
  }
  const again = new Set<string>();
  const strangers: string[] = [];
  await walkFleet(client, listing(), sleep, ({ id }) => {
    if (!fleet.has(id)) strangers.push(id);
    again.add(id);
  });
  const gone = [...fleet.keys()].filter((id) => !again.has(id));
  if (gone.length + strangers.length === 0) return;
  throw incomplete(
    'unstable',
    'the same machines in two Lists with nothing in between',
    `${gone.length} machines missing from the second List and ${strangers.length} new ones: ${someOf([...gone, ...strangers])}`,
  );
}

function incomplete(aspect: string, expected: string, observed: string): CaseStopped {
  return CaseStopped.broken({
    behaviors: ['B1101', 'B901'],
    rule: 'list',
    aspect,
    expected: [expected],
    observed,
  });
}
