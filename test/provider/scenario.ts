/** A walk through everything the contract speaks of, so that whatever a provider does differently is seen. */
import type { Kind } from '../../src/provider/machine.js';
import { MachineState } from '../../src/wire/gen/provider.js';
import type { Observed } from './observe.js';

const KINDS: readonly Kind[] = ['Create', 'Configure', 'Drain', 'Delete'];
const INT64_MAX = 2n ** 63n - 1n;
const { MACHINE_STATE_SPECULATIVE, MACHINE_STATE_IDLE, MACHINE_STATE_CONFIGURED, MACHINE_STATE_CREATING } =
  MachineState;

const NASTY: readonly (readonly [string, string])[] = [
  ['', ''],
  ['__proto__', 'p'],
  [' Trim Me ', 'upper key'],
  ['nul', 'a\u0000b'],
  ['astral', '🛰'],
  ['decomposed', 'e\u0301'],
  ['bom', '\ufeffx'],
];

/** Numbers tokens get wrong, in an order that shows it. */
const STREAM: readonly (readonly [bigint, bigint])[] = [
  [1n, 9n],
  [1n, 10n],
  [1n, 10n],
  [1n, 8n],
  [0n, 99n],
  [2n, 1n],
  [1n, 50n],
  [3n, 4n],
  [2n, 9n],
  [3n, 3_000_000_000n],
  [3n, 3_000_000_001n],
  [3n, 2n ** 53n],
  [3n, 2n ** 53n + 1n],
  [3n, 2n ** 53n - 5n],
  [INT64_MAX, INT64_MAX],
  [INT64_MAX, 5n],
  [INT64_MAX, INT64_MAX],
];

/** The chapters, to be read one after the other on the same provider. */
export const CHAPTERS: readonly ((seen: Observed) => Promise<void>)[] = [
  lists,
  shapes,
  fences,
  bindings,
  races,
  cycles,
  quiet,
  lists,
];

async function lists(seen: Observed): Promise<void> {
  const { revision } = seen.list();
  seen.list({ since: revision });
  seen.list({ states: [MACHINE_STATE_IDLE, MACHINE_STATE_CONFIGURED] });
  seen.list({ states: [MACHINE_STATE_CONFIGURED, MACHINE_STATE_IDLE, MACHINE_STATE_CREATING] });
  seen.list({ states: [MACHINE_STATE_SPECULATIVE], maxResults: 2 });
  const corrupted = revision.map((byte, index) => (index === 7 ? byte ^ 4 : byte));
  const foreign = [new Uint8Array(16), Buffer.from('garbage'), Buffer.from('9223372036854775807')];
  for (const since of [corrupted, revision, ...foreign]) seen.list({ since });
  let since: Uint8Array = new Uint8Array();
  for (let page = 0; page < 8; page += 1) since = seen.list({ maxResults: 25, since }).revision;
}

async function shapes(seen: Observed): Promise<void> {
  const id = 'm-000100';
  for (const unknown of ['', 'm-none']) {
    seen.get(unknown);
    for (const kind of KINDS) {
      await seen.race(1, [kind, unknown]);
      await seen.race(1, [kind, unknown, { fence: ['s', 1n, -1n] }]);
      seen.get(unknown);
    }
  }
  for (const kind of ['Configure', 'Drain', 'Delete'] as const) {
    for (const shard of ['s', 't'])
      await seen.race(6, [kind, 'm-000104', { fence: [shard, 1n, sequenceOf(kind)] }]);
  }
  await seen.race(6, ['Drain', id, { grace: -1n }]);
  await seen.race(8, ['Create', id]);
  await seen.race(6, ['Configure', id, { fence: ['s', -1n, 1n] }]);
  await seen.race(30, ['Configure', id, { blobBytes: 1_000_000 }]);
  await seen.race(12, ['Drain', id]);
  await seen.race(30, ['Configure', id, { metadata: Array.from({ length: 200 }, (_, n) => [`k${n}`, 'v']) }]);
  await seen.race(12, ['Drain', id, { grace: -1n }]);
}

function sequenceOf(kind: Kind): bigint {
  return BigInt(KINDS.indexOf(kind));
}

async function fences(seen: Observed): Promise<void> {
  for (const id of ['m-none', 'm-000102']) {
    for (const [epoch, sequence] of STREAM)
      await seen.race(1, ['Create', id, { fence: ['s', epoch, sequence] }]);
    await seen.race(1, ['Create', id, { fence: ['t', 0n, 0n] }]);
    await seen.race(1, ['Create', id, { fence: ['s', 7n, 7n] }]);
    await seen.race(1, ['Create', id, { fence: ['', 0n, 3n] }]);
    await seen.race(1, ['Create', id]);
  }
  for (let sequence = 1n; sequence < 20n; sequence += 1n) {
    await seen.race(1, ['Drain', 'm-000103', { fence: ['s', 5n, sequence] }]);
    await seen.race(1, ['Create', 'm-000103', { fence: ['s', 5n, sequence] }]);
  }
  for (let retry = 0; retry < 8; retry += 1)
    await seen.race(1, ['Drain', 'm-none', { fence: ['s', 1n, 1n] }]);
}

/** Four lives of a machine by a session, with retries, stale retries and wrong calls wherever it rests. */
async function cycles(seen: Observed): Promise<void> {
  const id = 'm-000001';
  let sequence = 100n;
  const next = () => {
    sequence += 1n;
    return ['session', 3n, sequence] as const;
  };
  for (const cycle of [1, 2, 3, 4]) {
    const cluster = `c${cycle}`;
    // Only some lives end with a Delete, so that a machine is both drained again and reborn.
    for (const kind of cycle === 2 ? KINDS : KINDS.slice(0, 3)) {
      const fence = next();
      const metadata: readonly (readonly [string, string])[] = [...NASTY, [`only-${cycle}`, 'x']];
      await seen.race(60, [kind, id, { fence, cluster, metadata }]);
      await seen.race(12, [kind, id, { fence, cluster, metadata }]);
      await seen.race(12, [
        kind,
        id,
        { fence: ['other', 1n, sequence], cluster: 'x', metadata: [['y', 'z']] },
      ]);
      await seen.race(12, [kind, id, { peer: 'peer-2', cluster: 'x', metadata: [['y', 'z']] }]);
      for (const wrong of wrongAfter(kind)) await seen.race(12, [wrong, id]);
      seen.list({ states: [MACHINE_STATE_IDLE, MACHINE_STATE_CONFIGURED] });
    }
  }
}

/** Calls that have no legal edge where a kind leads. */
function wrongAfter(kind: Kind): readonly Kind[] {
  switch (kind) {
    case 'Create':
      return ['Drain'];
    case 'Configure':
      return ['Create', 'Delete'];
    case 'Drain':
      return [];
    case 'Delete':
      return ['Configure', 'Drain'];
  }
}

async function bindings(seen: Observed): Promise<void> {
  const ids = ['m-000010', 'm-000011', 'm-000012', 'm-000013'];
  const long = Array.from(
    { length: 70 },
    (_, n) => [`Key ${n}`, n % 7 === 0 ? '' : 'long '.repeat(80)] as const,
  );
  const { revision } = seen.list();
  for (const id of ids) await seen.race(8, ['Create', id]);
  for (const id of ids)
    await seen.race(12, ['Configure', id, { cluster: id, metadata: [...long, [id, id]] }]);
  seen.list();
  for (const id of ids) await seen.race(12, ['Drain', id]);
  seen.list({ since: revision });
}

async function races(seen: Observed): Promise<void> {
  const id = 'm-000020';
  for (const kind of KINDS) await seen.race(20, [kind, id], [kind, id, { peer: 'peer-2' }], [kind, id]);
  await seen.race(20, ['Create', id], ['Create', 'm-000021'], ['Create', 'm-000022']);
  await seen.race(30, ['Configure', id, { cluster: 'left' }], ['Configure', id, { cluster: 'right' }]);
  await seen.race(30, ['Drain', id], ['Configure', id], ['Drain', id]);
  await seen.race(30, ['Configure', id], ['Drain', id]);
  await seen.race(30, ['Configure', 'm-000021'], ['Delete', 'm-000021']);
  await seen.race(
    10,
    ['Create', 'm-000022', { fence: ['s', 2n, 1n] }],
    ['Create', 'm-000022', { fence: ['s', 1n, 9n] }],
  );
  await seen.race(10, ['Create', 'm-000022', { fence: ['s', 1n, 10n] }]);
}

async function quiet(seen: Observed): Promise<void> {
  const { revision } = seen.list();
  await seen.race(60, ['Drain', 'm-none']);
  seen.list({ since: revision });
}
