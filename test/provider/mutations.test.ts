/** The healthy provider keeps contract section 4. */
import { describe, expect, test } from 'vitest';
import { MachineState } from '../../src/wire/gen/provider.js';
import { codeOf, connect, type Fence, withProvider } from './harness.js';

const ID = 'm-000001';
const INT64_MAX = 2n ** 63n - 1n;

describe('shape', () => {
  test('malformed requests are INVALID_ARGUMENT and move neither machine nor mark', () =>
    withProvider({}, async (client) => {
      await client.idle(ID);
      await client.configured(ID);
      const before = await client.get(ID);
      const malformed = [
        client.create(''),
        client.configure('', 'c1'),
        client.drain(''),
        client.delete(''),
        client.get(''),
        client.drain(ID, ['s', 9n, 9n], -1n),
        client.drain(ID, ['s', -1n, 9n]),
        client.drain(ID, ['s', 9n, -1n]),
      ];
      for (const call of malformed) expect(await codeOf(call)).toBe('INVALID_ARGUMENT');
      expect(await client.get(ID)).toEqual(before);
      expect(await codeOf(client.drain(ID, ['s', 0n, 0n]))).toBe('OK');
    }));

  test('without Delete, every Delete is UNIMPLEMENTED', () =>
    withProvider({ deletes: false }, async (client) => {
      await client.idle(ID);
      expect(await codeOf(client.delete(ID))).toBe('UNIMPLEMENTED');
      expect(await codeOf(client.delete('m-999999'))).toBe('UNIMPLEMENTED');
      expect((await client.get(ID)).state).toBe(MachineState.MACHINE_STATE_IDLE);
    }));
});

describe('fence', () => {
  test('accepts exactly the lexicographically strictly newer, even for a machine that does not exist', () =>
    withProvider({}, async (client) => {
      const stream: readonly (readonly [bigint, bigint, boolean])[] = [
        [0n, 0n, true],
        [0n, 0n, false],
        [1n, 7n, true],
        [1n, 7n, false],
        [1n, 6n, false],
        [0n, 99n, false],
        [2n, 1n, true],
        [1n, 8n, false],
        [2n, 2n ** 53n, true],
        [2n, 2n ** 53n + 1n, true],
        [2n, 2n ** 53n, false],
        [INT64_MAX, INT64_MAX - 1n, true],
        [INT64_MAX, INT64_MAX, true],
        [INT64_MAX, INT64_MAX, false],
        [0n, 1n, false],
      ];
      for (const [epoch, sequence, accepted] of stream) {
        const code = await codeOf(client.drain('m-none', ['s', epoch, sequence]));
        expect([epoch, sequence, code]).toEqual([
          epoch,
          sequence,
          accepted ? 'NOT_FOUND' : 'FAILED_PRECONDITION',
        ]);
      }
    }));

  test('keeps marks of shards and machines apart', () =>
    withProvider({}, async (client) => {
      const code = (id: string, fence: Fence) => codeOf(client.create(id, fence));
      expect(await code('m-000001', ['a', 5n, 5n])).toBe('OK');
      expect(await code('m-000002', ['a', 1n, 1n])).toBe('OK');
      expect(await code('m-000001', ['b', 1n, 1n])).toBe('OK');
      expect(await code('m-000001', ['a', 5n, 5n])).toBe('FAILED_PRECONDITION');
      expect(await code('m-000002', ['a', 1n, 1n])).toBe('FAILED_PRECONDITION');
      expect(await code('m-000001', ['b', 1n, 1n])).toBe('FAILED_PRECONDITION');
    }));

  test('stands before idempotency, and its mark moves though the call is rejected later', () =>
    withProvider({}, async (client) => {
      await client.create(ID, ['s', 1n, 1n]);
      expect(await codeOf(client.create(ID, ['s', 1n, 1n]))).toBe('FAILED_PRECONDITION');
      expect(await codeOf(client.drain('m-000002', ['s', 4n, 4n]))).toBe('INTERNAL');
      expect(await codeOf(client.drain('m-000002', ['s', 4n, 4n]))).toBe('FAILED_PRECONDITION');
    }));

  test('is not there for a call without a token, but for one with numbers and no shard', () =>
    withProvider({}, async (client) => {
      await client.create(ID, ['s', 5n, 5n]);
      expect(await codeOf(client.create(ID))).toBe('OK');
      expect(await codeOf(client.create(ID))).toBe('OK');
      expect(await codeOf(client.create(ID, ['', 0n, 1n]))).toBe('OK');
      expect(await codeOf(client.create(ID, ['', 0n, 1n]))).toBe('FAILED_PRECONDITION');
    }));
});

describe('existence and position', () => {
  test('an unknown id is NOT_FOUND and stays unknown', () =>
    withProvider({}, async (client) => {
      const calls = [client.create, (id: string) => client.configure(id, 'c1'), client.drain, client.delete];
      for (const call of calls) expect(await codeOf(call('m-none'))).toBe('NOT_FOUND');
      expect(await codeOf(client.get('m-none'))).toBe('NOT_FOUND');
      for (const odd of ['x'.repeat(1_000_000), '\u0000\u001b[31m', '🛰'.repeat(99), '__proto__']) {
        expect(await codeOf(client.get(odd))).toBe('NOT_FOUND');
        expect(await codeOf(client.create(odd, [odd, 1n, 1n]))).toBe('NOT_FOUND');
        expect(await codeOf(client.create(odd, [odd, 1n, 1n]))).toBe('FAILED_PRECONDITION');
      }
      expect((await client.list()).machines).toHaveLength(12);
    }));

  test('every call off its edge is INTERNAL and changes nothing', () =>
    withProvider({}, async (client) => {
      const refused = async (...calls: Promise<unknown>[]) => {
        for (const call of calls) expect(await codeOf(call)).toBe('INTERNAL');
      };
      const fresh = await client.get(ID);
      await refused(client.configure(ID, 'c1'), client.drain(ID), client.delete(ID));
      expect(await client.get(ID)).toEqual(fresh);
      const idle = await client.idle(ID);
      await refused(client.drain(ID));
      expect(await client.get(ID)).toEqual(idle);
      const configured = await client.configured(ID, 'c1', [['k', 'v']]);
      await refused(client.create(ID), client.delete(ID));
      expect(await client.get(ID)).toEqual(configured);
    }));
});

describe('idempotency', () => {
  test('a retry has the same operation id and no effect; a new cycle has a new one', () =>
    withProvider({}, async (client) => {
      const seen: string[] = [];
      for (const cycle of [1, 2]) {
        const created = await client.create(ID);
        expect((await client.create(ID)).operationId).toBe(created.operationId);
        await client.until(ID, MachineState.MACHINE_STATE_IDLE);
        const configured = await client.configure(ID, `c${cycle}`, [['k', 'v']]);
        await client.until(ID, MachineState.MACHINE_STATE_CONFIGURED);
        const again = await client.configure(ID, 'other', [['x', 'y']]);
        expect(again.operationId).toBe(configured.operationId);
        expect(again.machine?.cluster).toBe(`c${cycle}`);
        const drained = await client.drain(ID);
        await client.until(ID, MachineState.MACHINE_STATE_IDLE);
        expect((await client.drain(ID)).operationId).toBe(drained.operationId);
        expect((await client.create(ID)).operationId).toBe(created.operationId);
        const deleted = await client.delete(ID);
        await client.until(ID, MachineState.MACHINE_STATE_SPECULATIVE);
        expect((await client.delete(ID)).operationId).toBe(deleted.operationId);
        seen.push(created.operationId, configured.operationId, drained.operationId, deleted.operationId);
      }
      expect(new Set(seen).size).toBe(8);
      expect(seen).not.toContain('');
    }));

  test('racing retries on many connections have one operation id', () =>
    withProvider({}, async (_client, address) => {
      const clients = Array.from({ length: 8 }, () => connect(address));
      try {
        const acks = await Promise.all(clients.map((client) => client.create(ID)));
        expect(new Set(acks.map((ack) => ack.operationId)).size).toBe(1);
      } finally {
        for (const client of clients) client.close();
      }
    }));

  test('operation ids of two providers never meet', async () => {
    const ids: string[] = [];
    for (const _boot of [1, 2]) {
      await withProvider({}, async (client) => {
        ids.push((await client.create(ID)).operationId);
      });
    }
    expect(new Set(ids).size).toBe(2);
  });
});
