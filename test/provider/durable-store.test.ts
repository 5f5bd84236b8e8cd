/** The store in a folder: what it gives back, and what it does when it cannot (contract section 7). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { afterAll, describe, expect, test } from 'vitest';
import { openDurableStore } from '../../src/provider/durable-store.js';
import { type ProviderOptions, startProvider } from '../../src/provider/index.js';
import { seed } from '../../src/provider/inventory.js';
import { FORGETFUL, type Store } from '../../src/provider/store.js';
import { MachineState } from '../../src/wire/gen/provider.js';
import { codeOf, connect, type TestClient, withProvider } from './harness.js';

const folder = mkdtempSync(join(tmpdir(), 'bfcheck-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Opens a store, lets `body` use it, and closes it whatever happens. */
async function withStore<T>(name: string, body: (store: Store) => T | Promise<T>): Promise<T> {
  const store = openDurableStore(join(folder, name));
  try {
    return await body(store);
  } finally {
    await store.close();
  }
}

/** The specs that are stored in a folder. */
async function storedSpecs(name: string): Promise<number> {
  const root = open({ path: join(folder, name), noSubdir: false, encoding: 'string' });
  const specs = root.openDB({ name: 'specs', encoding: 'string' });
  const count = [...specs.getKeys()].length;
  await root.close();
  return count;
}

describe('a store', () => {
  test('gives back the last of everything that was written, however long its key', async () => {
    const machine = { ...seed(1), changedAt: 1 };
    const key = `["${'s'.repeat(10_000)}\u0000","m-000001"]`;
    const token = { shard: 's', epoch: 2n ** 63n - 1n, sequence: 5n };
    await withStore('kept', async (store) => {
      expect(store.remembered()).toBeUndefined();
      store.write({ machine: { ...machine, lastError: 'older' } });
      store.write({ machine });
      store.write({ mark: { key, token: { ...token, sequence: 1n } } });
      store.write({ mark: { key, token } });
      store.write({ founded: { cursorKey: 'k' } });
      await store.durable();
    });
    const remembered = await withStore('kept', (store) => store.remembered());
    expect(remembered).toEqual({ machines: [machine], marks: [[key, token]], cursorKey: 'k' });
  });

  test('gives nothing of a fleet that was never completed', async () => {
    await withStore('half', async (store) => {
      store.remembered();
      store.write({ machine: seed(1) });
      await store.durable();
    });
    await withStore('half', async (store) => {
      expect(store.remembered()).toBeUndefined();
      store.write({ founded: { cursorKey: 'k' } });
      await store.durable();
    });
    expect(await withStore('half', (store) => store.remembered())).toMatchObject({ machines: [] });
  });

  test('keeps a spec once, and as long as a machine has it', async () => {
    const [first, alike, other] = [seed(1), seed(241), seed(2)];
    const repriced = { ...other, spec: { ...other.spec, pricePerHour: 7 } };
    await withStore('specs', async (store) => {
      for (const machine of [first, alike, other, repriced]) store.write({ machine });
      store.write({ founded: { cursorKey: 'k' } });
      await store.durable();
    });
    expect(await storedSpecs('specs')).toBe(3);
    const remembered = await withStore('specs', (store) => store.remembered());
    expect(remembered?.machines.map(({ spec }) => spec)).toEqual([first.spec, repriced.spec, first.spec]);
    expect(await storedSpecs('specs')).toBe(2);
  });

  test('refuses what a later version wrote', async () => {
    await withStore('later', async (store) => {
      store.write({ founded: { cursorKey: 'k' } });
      await store.durable();
    });
    const root = open({ path: join(folder, 'later'), noSubdir: false, encoding: 'string' });
    await root.openDB({ name: 'fleet', encoding: 'string' }).put('founded', '{"layout":2,"cursorKey":"k"}');
    await root.close();
    await expect(withStore('later', (store) => store.remembered())).rejects.toThrow(/layout 2/);
  });
});

describe('a provider with a folder', () => {
  const options: ProviderOptions = {
    addr: '127.0.0.1:0',
    seedCount: 5,
    statePath: join(folder, 'deep', 'er'),
  };

  /** Runs a provider on the folder for as long as `body` takes. */
  async function life<T>(
    more: Partial<ProviderOptions>,
    body: (client: TestClient) => Promise<T>,
  ): Promise<T> {
    const provider = await startProvider({ ...options, ...more });
    const client = connect(provider.address);
    try {
      return await body(client);
    } finally {
      client.close();
      await provider.stop();
    }
  }

  test('takes its fleet up again, whatever size of fleet it is told to make', async () => {
    const before = await life({}, async (client) => {
      await client.idle('m-000002');
      await client.configured('m-000002', 'c1', [['__proto__', '\u0000']]);
      return client.list();
    });
    await life({ seedCount: 9 }, async (client) => {
      expect(await client.list()).toEqual(before);
      expect((await client.list({ sinceRevision: before.revision })).machines).toEqual([]);
      await client.drained('m-000002');
      const delta = await client.list({ sinceRevision: before.revision });
      expect(delta.machines.map(({ id }) => id)).toEqual(['m-000002']);
    });
  });

  test('fails a transition that its end cut off, and says why', async () => {
    const forLong = { latency: { minMs: 600_000, maxMs: 600_000 } };
    await life(forLong, (client) => client.create('m-000003'));
    await life({}, async (client) => {
      const failed = await client.get('m-000003');
      expect(failed.state).toBe(MachineState.MACHINE_STATE_FAILED);
      expect(failed.lastError).toBe('CREATING was interrupted by a restart');
    });
  });

  test('says so when the folder is a file', async () => {
    const statePath = join(folder, 'file');
    writeFileSync(statePath, 'not a folder');
    await expect(startProvider({ ...options, statePath })).rejects.toThrow(
      `cannot keep state in ${statePath}`,
    );
  });
});

test('a provider that cannot write answers UNAVAILABLE: its effects may or may not survive', () =>
  withProvider(
    { store: { ...FORGETFUL, durable: () => Promise.reject(new Error('disk full')) } },
    async (client) => {
      for (const call of [client.create('m-000001'), client.get('m-000001'), client.list()]) {
        expect(await codeOf(call)).toBe('UNAVAILABLE');
      }
    },
  ));
