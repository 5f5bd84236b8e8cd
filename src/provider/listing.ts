/** Reads: Get, and List with its filter, cap, delta and cursor (contract section 5). */
import { type Found, type Listed, type Query, reject } from './call.js';
import { unknown } from './checks.js';
import type { Machine } from './machine.js';
import type { Provider } from './provider.js';
import { wireState } from './record.js';

/** Answers a Get. */
export function get(id: string, provider: Provider): Found {
  if (id === '') return reject('INVALID_ARGUMENT', 'id is empty');
  const machine = provider.fleet.get(id);
  if (machine === undefined) return unknown(id);
  return { ok: true, machine: provider.policies.view(machine, 'get', provider) };
}

/** Answers a List: the machines after the cursor that match, as many as the cap lets through. */
export function list(query: Query, provider: Provider): Listed {
  const { policies } = provider;
  const after = policies.since(query.since, provider);
  const { page, cut } = upTo(policies.limit(query), policies.select(query, after, provider));
  const revision = policies.nextRevision(page, cut, after, provider);
  return {
    ok: true,
    machines: page.map((machine) => policies.view(machine, 'list', provider)),
    revision: policies.seal(revision, provider),
  };
}

/** As many machines as a page may hold, and whether there are more. */
function upTo(limit: number, machines: Iterable<Machine>): { page: readonly Machine[]; cut: boolean } {
  const page: Machine[] = [];
  for (const machine of machines) {
    if (page.length >= limit) return { page, cut: true };
    page.push(machine);
  }
  return { page, cut: false };
}

/** The revision to list after; 0, the beginning, where there is no cursor or none this provider issued. */
export function since(cursor: Uint8Array, provider: Provider): number {
  return provider.policies.unseal(cursor, provider) ?? 0;
}

/** Every machine the query asks for, uncapped, the longest unchanged first. */
export function* select(query: Query, after: number, provider: Provider): Generator<Machine> {
  const { policies, fleet } = provider;
  for (const machine of fleet.changedAfter(after)) {
    if (policies.matches(query, machine)) yield machine;
  }
}

/** Whether a machine is in one of the states asked for. */
export function matches(query: Query, machine: Machine): boolean {
  return query.states.length === 0 || query.states.includes(wireState(machine.state));
}

/** How many machines a page may hold. */
export function limit(query: Query): number {
  return query.maxResults > 0 ? query.maxResults : Number.POSITIVE_INFINITY;
}

/** Where the next List is to go on: behind the last machine of a cut page, else at the head. */
export function nextRevision(
  page: readonly Machine[],
  cut: boolean,
  after: number,
  provider: Provider,
): number {
  return cut ? (page.at(-1)?.changedAt ?? after) : provider.fleet.head;
}
