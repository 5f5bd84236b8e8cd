/** The healthy provider keeps contract section 5. */
import { describe, expect, test } from 'vitest';
import { MachineState } from '../../src/wire/gen/provider.js';
import { type TestClient, withProvider } from './harness.js';

const { MACHINE_STATE_SPECULATIVE, MACHINE_STATE_IDLE, MACHINE_STATE_CONFIGURED } = MachineState;

async function ids(client: TestClient, filter: Parameters<TestClient['list']>[0] = {}): Promise<string[]> {
  return (await client.list(filter)).machines.map((machine) => machine.id).toSorted();
}

describe('filter and cap', () => {
  test('a state filter is a union, and a cap is a cap', () =>
    withProvider({}, async (client) => {
      await client.idle('m-000001');
      await client.idle('m-000002');
      await client.configured('m-000002');
      expect(await ids(client, { states: [MACHINE_STATE_IDLE] })).toEqual(['m-000001']);
      expect(await ids(client, { states: [MACHINE_STATE_IDLE, MACHINE_STATE_CONFIGURED] })).toEqual([
        'm-000001',
        'm-000002',
      ]);
      expect(await ids(client, { states: [MACHINE_STATE_SPECULATIVE] })).toHaveLength(10);
      for (const cap of [1, 2, 3, 12]) expect(await ids(client, { maxResults: cap })).toHaveLength(cap);
      expect(await ids(client, { maxResults: 0 })).toHaveLength(12);
    }));
});

describe('revision', () => {
  test('changes with the effects of a mutation and with nothing else', () =>
    withProvider({}, async (client) => {
      const first = await client.list();
      await client.get('m-000001');
      expect((await client.list()).revision).toEqual(first.revision);
      expect(await ids(client, { sinceRevision: first.revision })).toEqual([]);
      await client.idle('m-000003');
      const second = await client.list({ sinceRevision: first.revision });
      expect(second.machines.map((machine) => machine.id)).toEqual(['m-000003']);
      expect(second.revision).not.toEqual(first.revision);
      await client.create('m-000003');
      expect((await client.list()).revision).toEqual(second.revision);
      await client.idle('m-000004');
      expect(await ids(client, { sinceRevision: first.revision })).toEqual(['m-000003', 'm-000004']);
      expect(await ids(client, { sinceRevision: second.revision })).toEqual(['m-000004']);
    }));

  test('bytes never issued give the full list: garbage, every corrupted byte, another provider’s cursor', () =>
    withProvider({}, async (client) => {
      const { revision } = await client.list();
      const foreign: Uint8Array[] = [
        new Uint8Array([0]),
        new Uint8Array(16),
        Buffer.from('garbage'),
        Buffer.from('7'),
      ];
      for (const index of revision.keys()) {
        foreign.push(revision.map((byte, at) => (at === index ? byte ^ 1 : byte)));
      }
      await withProvider({}, async (other) => {
        foreign.push((await other.list()).revision);
      });
      for (const sinceRevision of foreign) expect(await ids(client, { sinceRevision })).toHaveLength(12);
    }));
});

describe('paging', () => {
  test('is complete and free of duplicates for whatever size of page', () =>
    withProvider({}, async (client) => {
      await client.idle('m-000005');
      for (const maxResults of [1, 2, 3, 5, 12, 50]) {
        const seen = await walk(client, maxResults, async () => undefined);
        expect(seen.toSorted()).toEqual(await ids(client));
      }
    }));

  test('neither loses nor repeats a machine at rest while others move', () =>
    withProvider({}, async (client) => {
      const movers = ['m-000001', 'm-000006', 'm-000012'];
      const seen = await walk(client, 2, async (page) => {
        const mover = movers[page];
        if (mover !== undefined) await client.idle(mover);
      });
      expect(new Set(seen)).toEqual(new Set(await ids(client)));
      const resting = seen.filter((id) => !movers.includes(id));
      expect(resting).toHaveLength(9);
    }));
});

/** Ids page by page, until a page is empty; `between` runs after every page. */
async function walk(
  client: TestClient,
  maxResults: number,
  between: (page: number) => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = [];
  let sinceRevision: Uint8Array = new Uint8Array();
  for (let page = 0; page < 100; page += 1) {
    const { machines, revision } = await client.list({ maxResults, sinceRevision });
    if (machines.length === 0) return seen;
    seen.push(...machines.map((machine) => machine.id));
    sinceRevision = revision;
    await between(page);
  }
  throw new Error('the walk does not end');
}
