/** Which concurrency behavior a race broke: the same wrong reply means more when calls were in flight together. */
import type { Mutation, MutationCall } from '../../model/call.js';
import type { Breach } from '../../model/diagnosis.js';
import { hasHost, type MachineRecord } from '../../model/record.js';
import type { BehaviorId } from '../../model/registry.js';
import { sameMap } from '../../model/state.js';
import type { RaceEntry } from './race.js';

/** The behavior that speaks of racing retries of a call. */
export const RETRIES: Readonly<Record<Mutation, BehaviorId>> = {
  Create: 'B401',
  Configure: 'B402',
  Drain: 'B403',
  Delete: 'B409',
};

/** The behaviors that `breach`, at the reply of `stuck`, breaks; the race's own come first. */
export function raceBehaviors(
  breach: Breach,
  stuck: RaceEntry,
  entries: readonly RaceEntry[],
): readonly BehaviorId[] {
  const peers = entries.filter(({ tenant }) => tenant === stuck.tenant);
  return [...new Set([...raceOwn(breach, stuck, peers), ...breach.behaviors])];
}

function raceOwn(breach: Breach, stuck: RaceEntry, peers: readonly RaceEntry[]): readonly BehaviorId[] {
  const { call } = stuck.raced;
  if (breach.rule === 'fence' || breach.aspect === 'code FAILED_PRECONDITION') return ['B405'];
  if (breach.aspect.startsWith('snapshot') && !isSeenElsewhere(stuck, peers)) return ['B408'];
  const one = alike(peers);
  if (call.kind === 'Get') return one === null ? ['B404'] : [RETRIES[one]];
  if (breach.aspect === 'operation_id' || one !== null) {
    const retries: BehaviorId[] = [RETRIES[call.kind]];
    return splitsByConnection(call.kind, peers) ? ['B406', ...retries] : [...retries];
  }
  return ['B404'];
}

/** Whether another reply of the race shows the same: then the machine is so, and the snapshot is not torn. */
function isSeenElsewhere(stuck: RaceEntry, peers: readonly RaceEntry[]): boolean {
  const record = recordOf(stuck);
  if (record === null) return false;
  return peers.some((peer) => {
    const other = peer === stuck ? null : recordOf(peer);
    return other !== null && other.state === record.state && sameBound(other, record);
  });
}

function recordOf({ raced: { outcome } }: RaceEntry): MachineRecord | null {
  if (outcome.kind !== 'ok') return null;
  return 'operationId' in outcome.reply ? outcome.reply.machine : outcome.reply;
}

function sameBound(a: MachineRecord, b: MachineRecord): boolean {
  return a.cluster === b.cluster && sameMap(a.shardMetadata, b.shardMetadata) && hasHost(a) === hasHost(b);
}

/** The kind of the race's mutations where all of them are retries of one call, or null where they conflict. */
function alike(peers: readonly RaceEntry[]): Mutation | null {
  const calls = peers.flatMap(({ raced: { call } }) => (call.kind === 'Get' ? [] : [call]));
  const [first] = calls;
  return first !== undefined && calls.every((call) => isRetryOf(call, first)) ? first.kind : null;
}

function isRetryOf(call: MutationCall, first: MutationCall): boolean {
  if (call.kind !== 'Configure' || first.kind !== 'Configure') return call.kind === first.kind;
  return call.cluster === first.cluster && sameMap(call.metadata, first.metadata);
}

/** One operation_id on each connection, and another one on the next: the key includes the connection. */
function splitsByConnection(kind: Mutation, peers: readonly RaceEntry[]): boolean {
  const ids = new Map<number, Set<string>>();
  for (const { raced, connection } of peers) {
    if (raced.call.kind !== kind || raced.outcome.kind !== 'ok' || !('operationId' in raced.outcome.reply))
      continue;
    ids.set(connection, (ids.get(connection) ?? new Set()).add(raced.outcome.reply.operationId));
  }
  const each = [...ids.values()];
  const all = new Set(each.flatMap((set) => [...set]));
  return each.length > 1 && each.every((set) => set.size === 1) && all.size === each.length;
}
