/** The healthy provider keeps contract section 3. */
import { Client, credentials } from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import { startProvider } from '../../src/provider/index.js';
import { CapacityType, MachineState } from '../../src/wire/gen/provider.js';
import { codeOf, withProvider } from './harness.js';

const { MACHINE_STATE_SPECULATIVE, MACHINE_STATE_CREATING, MACHINE_STATE_IDLE } = MachineState;
const {
  MACHINE_STATE_CONFIGURING,
  MACHINE_STATE_CONFIGURED,
  MACHINE_STATE_DRAINING,
  MACHINE_STATE_DELETING,
} = MachineState;

const NASTY: readonly (readonly [string, string])[] = [
  ['', ''],
  ['__proto__', 'p'],
  ['constructor', 'c'],
  ['hasOwnProperty', 'h'],
  ['nul\u0000\u0001', '\u0000'],
  ['astral 🛰', 'e\u0301 is not \u00e9'],
  ['\ufeffbom', '\ufeff'],
];

describe('records', () => {
  test('a new fleet is speculative, priced, mixed and free of hidden keys', () =>
    withProvider({ seedCount: 48 }, async (client) => {
      const { machines } = await client.list();
      expect(machines).toHaveLength(48);
      expect(new Set(machines.map((machine) => machine.id)).size).toBe(48);
      for (const machine of machines) {
        expect(machine).toMatchObject({ state: MACHINE_STATE_SPECULATIVE, cluster: '', lastError: '' });
        expect(machine.host).toBeUndefined();
        expect(machine.instanceType).not.toBe('');
        expect(machine.zone).not.toBe('');
        expect(machine.pricePerHour).toBeGreaterThan(0);
        const spot = machine.capacityType === CapacityType.CAPACITY_TYPE_SPOT;
        expect(machine.interruptionProbability > 0).toBe(spot);
        expect(machine.resources?.resources.size).toBeGreaterThan(0);
        expect(machine.allocatable?.resources.size).toBeGreaterThan(0);
        expect(
          [...machine.labels.keys()].filter((key) => /^(instance.?type|zone|capacity.?type)$/i.test(key)),
        ).toEqual([]);
      }
      expect(new Set(machines.map((machine) => machine.zone)).size).toBe(2);
      expect(new Set(machines.map((machine) => machine.instanceType)).size).toBeGreaterThan(2);
      expect(new Set(machines.map((machine) => machine.capacityType)).size).toBe(2);
    }));

  test('every state shows what it must, and the transition can be seen', () =>
    withProvider({ latency: { minMs: 15, maxMs: 15 }, providerName: 'testcloud' }, async (client) => {
      const id = 'm-000001';
      const created = await client.create(id);
      expect(created.machine).toMatchObject({ id, state: MACHINE_STATE_CREATING, cluster: '' });
      const idle = await client.until(id, MACHINE_STATE_IDLE);
      expect(idle.host?.provider).toBe('testcloud');
      expect(idle.host?.ref).not.toBe('');

      const configured = await client.configure(id, 'c1', NASTY);
      expect(configured.machine).toMatchObject({ state: MACHINE_STATE_CONFIGURING, cluster: 'c1' });
      expect(configured.machine?.shardMetadata).toEqual(new Map(NASTY));
      const settled = await client.until(id, MACHINE_STATE_CONFIGURED);
      expect(settled.shardMetadata).toEqual(new Map(NASTY));
      expect(settled.host).toEqual(idle.host);

      const drained = await client.drain(id);
      expect(drained.machine).toMatchObject({ state: MACHINE_STATE_DRAINING, cluster: 'c1' });
      const clean = await client.until(id, MACHINE_STATE_IDLE);
      expect(clean).toMatchObject({ cluster: '', lastError: '', host: idle.host });
      expect(clean.shardMetadata.size).toBe(0);

      const deleted = await client.delete(id);
      expect(deleted.machine).toMatchObject({ state: MACHINE_STATE_DELETING, cluster: '' });
      const gone = await client.until(id, MACHINE_STATE_SPECULATIVE);
      expect(gone.host).toBeUndefined();
    }));

  test('a binding holds nothing of the one before', () =>
    withProvider({}, async (client) => {
      await client.idle('m-000001');
      await client.configured('m-000001', 'c1', [['old', '1']]);
      await client.drained('m-000001');
      const second = await client.configured('m-000001', 'c2', [['new', '2']]);
      expect(second.cluster).toBe('c2');
      expect(second.shardMetadata).toEqual(new Map([['new', '2']]));
    }));
});

describe('a transition that goes wrong', () => {
  test('fails for good when the actuator errors', async () => {
    const actuator = {
      begin: (_work: unknown, done: (outcome: { ok: false; error: string }) => void) =>
        done({ ok: false, error: 'no capacity' }),
    };
    await withProvider({ actuator }, async (client) => {
      await client.create('m-000001');
      const failed = await client.get('m-000001');
      expect(failed).toMatchObject({ state: MachineState.MACHINE_STATE_FAILED, lastError: 'no capacity' });
      for (const retry of [client.create, client.drain, client.delete]) {
        expect(await codeOf(retry('m-000001'))).toBe('INTERNAL');
      }
      expect(await client.get('m-000001')).toEqual(failed);
    });
  });

  test('fails at the timeout, and a completion that comes later is discarded', async () => {
    const late: (() => void)[] = [];
    const actuator = {
      begin: (_work: unknown, done: (outcome: { ok: true }) => void) => {
        late.push(() => done({ ok: true }));
      },
    };
    await withProvider({ actuator, transitionTimeoutMs: 5 }, async (client) => {
      await client.create('m-000001');
      const failed = await client.until('m-000001', MachineState.MACHINE_STATE_FAILED);
      expect(failed.lastError).toContain('timed out');
      for (const complete of late) complete();
      expect(await client.get('m-000001')).toEqual(failed);
    });
  });
});

describe('the server', () => {
  test('refuses a request whose strings are not UTF-8', () =>
    withProvider({}, async (_client, address) => {
      const raw = new Client(address, credentials.createInsecure());
      const path = '/bigfleet.v1alpha1.CapacityProvider/Get';
      const bytes = Buffer.from([0x0a, 0x02, 0xc3, 0x28]);
      const answer = new Promise((resolve, reject) => {
        const through = (value: Buffer) => value;
        raw.makeUnaryRequest(path, through, through, bytes, (error, reply) =>
          error === null ? resolve(reply) : reject(error),
        );
      });
      expect(await codeOf(answer)).toBe('INTERNAL');
      raw.close();
    }));

  test('gives its port back when it stops', async () => {
    const first = await startProvider({ addr: '127.0.0.1:0', seedCount: 1 });
    await first.stop();
    const second = await startProvider({ addr: first.address, seedCount: 1 });
    await second.stop();
    expect(second.port).toBe(first.port);
  });

  test('says why when it cannot listen', async () => {
    const first = await startProvider({ addr: '127.0.0.1:0', seedCount: 1 });
    try {
      await expect(startProvider({ addr: first.address })).rejects.toThrow(/EADDRINUSE/);
    } finally {
      await first.stop();
    }
  });

  test('says which names are near when a mutant is unknown', async () => {
    await expect(startProvider({ addr: '127.0.0.1:0', mutant: 'mark-per-shart' })).rejects.toThrow(
      /mark-per-shard/,
    );
  });

  test('carries maps and blobs far beyond the usual frame limit', () =>
    withProvider({}, async (client) => {
      await client.idle('m-000001');
      const metadata = Array.from({ length: 3_000 }, (_, n) => [`key-${n}`, 'v'.repeat(1_000)] as const);
      await client.configure('m-000001', 'c1', metadata, undefined, new Uint8Array(6_000_000));
      const configured = await client.until('m-000001', MACHINE_STATE_CONFIGURED);
      expect(configured.shardMetadata).toEqual(new Map(metadata));
    }));
});
