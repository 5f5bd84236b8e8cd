/** Walks through what only a provider with faults, with a store, or with a large fleet can show. */
import type { Kind } from '../../src/provider/machine.js';
import { MachineState } from '../../src/wire/gen/provider.js';
import { type Observed, TIMEOUT_MS } from './observe.js';

const KINDS: readonly Kind[] = ['Create', 'Configure', 'Drain', 'Delete'];
const { MACHINE_STATE_FAILED, MACHINE_STATE_CONFIGURED } = MachineState;

type Chapter = (seen: Observed) => Promise<void>;

const CLUSTERS = [
  'fault-error',
  'fault-timeout',
  'fault-slow-ok',
  'fault-readiness-block',
  'fault-drain-error',
] as const;

/** Longer than late work takes, in the scheduler's milliseconds. */
const LATE_MS = 200;

/** Every fault, and every call on the machine it leaves. */
export const FAULT_CHAPTERS: readonly Chapter[] = [
  (seen) => failure(seen, 'm-000008', []),
  ...CLUSTERS.map(
    (cluster, index): Chapter =>
      (seen) =>
        failure(seen, `m-00000${index + 1}`, [cluster]),
  ),
];

async function failure(seen: Observed, id: string, clusters: readonly string[]): Promise<void> {
  const { revision } = seen.list();
  await seen.race(8, ['Create', id, { fence: ['s', 1n, 1n] }]);
  for (const cluster of clusters) await seen.race(TIMEOUT_MS + 4, ['Configure', id, { cluster }]);
  if (clusters.includes('fault-drain-error')) await seen.race(TIMEOUT_MS + 4, ['Drain', id]);
  await seen.pass(LATE_MS);
  for (let look = 0; look < 3; look += 1) seen.get(id);
  seen.list({ states: [MACHINE_STATE_FAILED] });
  for (const kind of KINDS) {
    await seen.race(12, [kind, id, { fence: ['s', 1n, 1n], cluster: 'healthy' }]);
    await seen.race(12, [kind, id, { cluster: 'healthy' }]);
  }
  seen.list({ since: revision });
}

const KEPT = ['m-000001', 'm-000002', 'm-000003', 'm-000004', 'm-000005'] as const;
const MAP: readonly (readonly [string, string])[] = [
  ['__proto__', ''],
  ['lines', 'one\ntwo\u0000three'],
];
const LARGE_SEQUENCE = 2n ** 60n + 1n;

/** Two lives of a fleet, cut off by restarts, each at rest and on its way. */
export const DURABLE_CHAPTERS: readonly Chapter[] = [lives, restarted, cutOff, restarted, again, restarted];

async function lives(seen: Observed): Promise<void> {
  let sequence = 10n;
  for (const [index, id] of KEPT.entries()) {
    for (const kind of KINDS.slice(0, index + 1)) {
      sequence += 1n;
      await seen.race(8, [kind, id, { fence: ['s', 2n, sequence], cluster: `c-${kind}`, metadata: MAP }]);
    }
  }
  await seen.race(8, ['Configure', 'm-000003', { cluster: 'second', metadata: MAP }]);
  await seen.race(1, ['Drain', 'm-000006', { fence: ['s', 3n, 3n] }]);
  await seen.race(1, ['Create', 'm-none', { fence: ['s', 3n, 3n] }]);
  await seen.race(8, ['Create', 'm-000007', { fence: ['s', 3n, LARGE_SEQUENCE] }]);
}

async function restarted(seen: Observed): Promise<void> {
  const { revision } = seen.list();
  seen.restart();
  seen.list();
  seen.list({ since: revision });
  await seen.race(8, ['Configure', 'm-000002', { cluster: 'retried' }]);
  for (const id of [...KEPT, 'm-000006', 'm-000007', 'm-none']) {
    seen.get(id);
    for (const sequence of [0n, 3n, 11n, 20n, LARGE_SEQUENCE - 1n, LARGE_SEQUENCE]) {
      await seen.race(1, ['Drain', id, { fence: ['s', id === 'm-none' ? 3n : 2n, sequence] }]);
    }
  }
  for (const id of ['m-000001', 'm-000006', 'm-000020']) {
    for (const shard of ['t', 's']) await seen.race(1, ['Delete', id, { fence: [shard, 0n, 1n] }]);
  }
  for (const kind of KINDS)
    for (const id of KEPT) await seen.race(8, [kind, id, { cluster: `again-${kind}` }]);
  const since = seen.list().revision;
  await seen.race(8, ['Create', 'm-000030']);
  await seen.race(8, ['Configure', 'm-000030']);
  await seen.race(8, ['Drain', 'm-000030']);
  seen.list({ since });
}

async function cutOff(seen: Observed): Promise<void> {
  const moving = ['m-000011', 'm-000012', 'm-000013', 'm-000014'] as const;
  for (const id of moving.slice(1)) await seen.race(8, ['Create', id]);
  await seen.race(8, ['Configure', 'm-000013']);
  await seen.race(
    1,
    ['Create', 'm-000011', { fence: ['s', 9n, 1n] }],
    ['Configure', 'm-000012', { fence: ['s', 9n, 1n] }],
    ['Drain', 'm-000013', { fence: ['s', 9n, 1n] }],
    ['Delete', 'm-000014', { fence: ['s', 9n, 1n] }],
  );
}

async function again(seen: Observed): Promise<void> {
  for (const id of KEPT) await seen.race(8, ['Create', id, { fence: ['s', 20n, 20n] }]);
}

const CHURNED = Array.from({ length: 20 }, (_, index) => `m-00${1001 + index}`);

/** A large fleet: its records, deltas and pages, and then hundreds of cycles on a few machines. */
export const SCALE_CHAPTERS: readonly Chapter[] = [inventory, pages, load, soak, inventory];

async function inventory(seen: Observed): Promise<void> {
  seen.list();
}

async function pages(seen: Observed): Promise<void> {
  const { revision } = seen.list({ maxResults: 1 });
  await seen.race(8, ['Create', 'm-000001'], ['Create', 'm-004200']);
  seen.list({ since: revision });
  const { revision: head } = seen.list();
  await seen.race(8, ['Configure', 'm-000001'], ['Configure', 'm-004200']);
  seen.list({ since: head });
  let since: Uint8Array = new Uint8Array();
  for (let page = 0; page < 6; page += 1) since = seen.list({ maxResults: 1_000, since }).revision;
}

async function load(seen: Observed): Promise<void> {
  await seen.race(8, ...CHURNED.map((id) => ['Create', id] as const));
  await seen.race(8, ...CHURNED.map((id) => ['Configure', id] as const));
  await seen.race(8, ...CHURNED.map((id) => ['Drain', id] as const));
}

async function soak(seen: Observed): Promise<void> {
  for (let cycle = 0; cycle < 26; cycle += 1) {
    await seen.race(4, ...CHURNED.map((id) => ['Configure', id] as const));
    await seen.race(4, ...CHURNED.map((id) => ['Drain', id] as const));
  }
  seen.list({ states: [MACHINE_STATE_CONFIGURED] });
}
