/** The seam of a durable store: what a second process finds (contract section 7). */
import { expect, test } from 'vitest';
import type { Mutation } from '../../src/provider/call.js';
import { healthy } from '../../src/provider/policies.js';
import { createProvider } from '../../src/provider/provider.js';
import { seededRandom } from '../../src/provider/random.js';
import type { Store } from '../../src/provider/store.js';
import { manualScheduler } from './observe.js';
import { sharedStore } from './shared-store.js';

function boot(name: string, store: Store) {
  const scheduler = manualScheduler();
  const provider = createProvider({
    policies: healthy({ minMs: 1, maxMs: 1 }),
    config: {
      providerName: 'reference',
      seedCount: 3,
      deletes: true,
      boot: name,
      cursorKey: name,
      transitionTimeoutMs: undefined,
    },
    random: seededRandom(1),
    scheduler,
    store,
    actuator: undefined,
  });
  return {
    call: (call: Mutation) => provider.policies.mutate(call, provider),
    settle: () => scheduler.advance(1),
    get: (id: string) => provider.policies.get(id, provider),
    list: (since: Uint8Array = new Uint8Array()) =>
      provider.policies.list({ states: [], maxResults: 0, since }, provider),
  };
}

const create = (machineId: string, sequence: bigint): Mutation => ({
  kind: 'Create',
  machineId,
  token: { shard: sequence === 0n ? '' : 's', epoch: 0n, sequence },
  peer: 'p',
});

test('marks, operation ids, bindings and cursors survive; a transition cut off has failed', async () => {
  const store = sharedStore();
  const first = boot('first', store);
  const created = await first.call(create('m-000001', 5n));
  first.settle();
  await first.call({
    ...create('m-000001', 0n),
    kind: 'Configure',
    cluster: 'c1',
    metadata: new Map([['k', 'v']]),
    blob: new Uint8Array(),
  });
  first.settle();
  await first.call(create('m-000002', 0n));
  await first.call(create('m-000003', 0n));
  first.settle();
  const configured = first.get('m-000001');
  const rested = await first.call(create('m-000003', 0n));
  await first.call({ ...create('m-000003', 0n), kind: 'Delete' });
  const before = first.list();

  const second = boot('second', store);
  expect(second.get('m-000001')).toEqual(configured);
  expect(await second.call(create('m-000001', 5n))).toMatchObject({ ok: false, code: 'FAILED_PRECONDITION' });
  expect(second.get('m-000003')).toMatchObject({
    machine: { lastError: expect.stringContaining('restart') },
  });
  if (!before.ok) throw new Error(before.message);
  expect(second.list(before.revision)).toMatchObject({ machines: [{ id: 'm-000003' }] });
  const retried = await second.call(create('m-000002', 0n));
  const again = await first.call(create('m-000002', 0n));
  expect(retried).toMatchObject({ ok: true, operationId: again.ok ? again.operationId : '' });
  const ids = [created, rested, retried].map((reply) => (reply.ok ? reply.operationId : reply.code));
  expect(new Set(ids).size).toBe(3);
});
