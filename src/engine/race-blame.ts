/** Which concurrency behavior a race broke: the same wrong reply means more when calls were in flight together. */
import type { Mutation } from '../../model/call.js';
import type { Breach } from '../../model/diagnosis.js';
import type { BehaviorId } from '../../model/registry.js';
import type { RaceEntry } from './race.js';

const RETRIES: Readonly<Record<Mutation, BehaviorId>> = {
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
  if (breach.aspect.startsWith('snapshot')) return ['B408'];
  if (breach.rule === 'fence' || breach.aspect === 'code FAILED_PRECONDITION') return ['B405'];
  if (call.kind === 'Get') return kindsOf(peers).size > 1 ? ['B404'] : retriesOf(peers);
  if (breach.aspect === 'operation_id' || kindsOf(peers).size === 1) {
    const retries: BehaviorId[] = [RETRIES[call.kind]];
    return splitsByConnection(call.kind, peers) ? ['B406', ...retries] : [...retries];
  }
  return ['B404'];
}

function kindsOf(peers: readonly RaceEntry[]): ReadonlySet<Mutation> {
  return new Set(peers.flatMap(({ raced: { call } }) => (call.kind === 'Get' ? [] : [call.kind])));
}

function retriesOf(peers: readonly RaceEntry[]): BehaviorId[] {
  return [...kindsOf(peers)].map((kind) => RETRIES[kind]);
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
