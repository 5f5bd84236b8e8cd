import { describe, expect, it } from 'vitest';
import type { MachineRecord } from '../../model/record.js';
import { OperationLedger } from '../../src/engine/ledger.js';
import { FAULT_LABEL, MachinePool, TooFewMachines } from '../../src/engine/pool.js';
import type { World } from '../../src/engine/world.js';

const machine = (id: string, change: Partial<MachineRecord> = {}): MachineRecord => ({
  id,
  state: 'SPECULATIVE',
  host: null,
  instanceType: 't',
  zone: 'z',
  capacityType: 'ON_DEMAND',
  pricePerHour: 1,
  interruptionProbability: 0,
  resources: null,
  allocatable: null,
  labels: new Map(),
  lastError: '',
  cluster: '',
  shardMetadata: new Map(),
  ...change,
});
const idle = (id: string) => machine(id, { state: 'IDLE', host: { provider: 'p', ref: 'r' } });

function world(answer: MachineRecord, faults = false): World {
  return {
    provider: {
      call: async () => ({ outcome: { kind: 'ok', reply: answer } as never, invokedAt: 0, returnedAt: 0 }),
    },
    connections: 1,
    model: { capabilities: { delete: true, sinceRevision: true }, faults },
    limits: { settleTimeoutMs: 10, stabilityWindowMs: 10, stuckIsBreach: false },
    ledger: new OperationLedger(),
    touched: new Set(),
    inventory: [],
    clock: () => 0,
    sleep: async () => {},
  };
}

describe('the machine pool', () => {
  const inventory = [
    machine('a'),
    machine('b'),
    idle('c'),
    machine('in-use', { state: 'CONFIGURED', cluster: 'x', host: { provider: 'p', ref: 'r' } }),
    machine('moving', { state: 'CREATING' }),
    machine('dirty', { cluster: 'left over' }),
    machine('doomed', { labels: new Map([[FAULT_LABEL, 'error']]) }),
  ];

  it('leases what nobody uses and nothing else', async () => {
    const pool = new MachinePool(inventory, world(machine('a')));
    const leased = await pool.lease(3, false, 'virgin');
    expect(leased.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
  });

  it('says how many machines are needed where there are too few', async () => {
    const pool = new MachinePool(inventory, world(machine('a')));
    await expect(pool.lease(3, true, 'virgin')).rejects.toThrow(TooFewMachines);
    await expect(pool.lease(3, true, 'virgin')).rejects.toThrow(
      /3 free Speculative machines are needed and 2 are left/,
    );
  });

  it('makes a second program wait until machines come back', async () => {
    const pool = new MachinePool([machine('a'), machine('b')], world(machine('a')));
    const first = await pool.lease(2, true, 'virgin');
    const second = pool.lease(2, true, 'virgin');
    await pool.release(first);
    expect((await second).map(({ id }) => id).sort()).toEqual(['a', 'b']);
  });

  it('looks again at a machine that a broken program left, and gives a hopeless one up', async () => {
    const pool = new MachinePool(
      [machine('a'), machine('b')],
      world(machine('a', { state: 'FAILED', lastError: 'x' })),
    );
    const leased = await pool.lease(1, true, 'virgin');
    await pool.release(leased, false);
    expect(pool.size).toBe(1);
  });

  it('brings a machine back whose transitions take long, one after the other', async () => {
    let now = 0;
    let moved = Number.NEGATIVE_INFINITY;
    let [state, next]: [MachineRecord['state'], MachineRecord['state']] = ['CONFIGURED', 'CONFIGURED'];
    const call: World['provider']['call'] = async ({ kind }) => {
      if (now >= moved + 1_500) state = next;
      const rests = state === next;
      if (rests && kind === 'Drain') [state, next, moved] = ['DRAINING', 'IDLE', now];
      if (rests && kind === 'Delete') [state, next, moved] = ['DELETING', 'SPECULATIVE', now];
      const { host } = idle('a');
      const reply = state === 'SPECULATIVE' ? machine('a') : machine('a', { state, host });
      return { outcome: { kind: 'ok', reply } as never, invokedAt: now, returnedAt: now };
    };
    const pool = new MachinePool([machine('a')], {
      ...world(machine('a')),
      provider: { call },
      limits: { settleTimeoutMs: 10_000, stabilityWindowMs: 10, stuckIsBreach: false },
      clock: () => now,
      sleep: async (ms) => {
        now += ms;
      },
    });
    await pool.release(await pool.lease(1, true, 'virgin'), false);
    expect(now).toBeGreaterThan(2_000);
    expect(pool.size).toBe(1);
  });

  it('hands out machines that fail on purpose only where faults mean something', () => {
    expect(() => new MachinePool(inventory, world(machine('a'))).leaseDoomed(1)).toThrow(TooFewMachines);
    const [doomed] = new MachinePool(inventory, world(machine('a'), true)).leaseDoomed(1);
    expect(doomed?.id).toBe('doomed');
    expect(doomed?.belief[0]?.createFate).toBe('fail');
  });
});
