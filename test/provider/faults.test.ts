/** A provider with faults fails where it is asked to, and nowhere else (contract section 7, fault lane). */
import { describe, expect, test } from 'vitest';
import { MachineState } from '../../src/wire/gen/provider.js';
import { codeOf, withProvider } from './harness.js';
import { manualScheduler } from './observe.js';

const { MACHINE_STATE_CONFIGURING, MACHINE_STATE_CONFIGURED, MACHINE_STATE_DRAINING } = MachineState;
const { MACHINE_STATE_IDLE, MACHINE_STATE_FAILED, MACHINE_STATE_CREATING } = MachineState;

const LABEL = 'conformance.fault/create';
const ID = 'm-000001';

/** Faults on a clock moved by hand: transitions take 5 ms, and are given up after 2 s. */
function faulty() {
  const scheduler = manualScheduler();
  return { scheduler, options: { fault: true, scheduler, latency: { minMs: 5, maxMs: 5 } } };
}

describe('a Configure', () => {
  test.each([
    ['fault-error', 5, 'injected error'],
    ['fault-timeout', 2_000, 'timed out after 2000 ms'],
    ['fault-slow-ok', 2_000, 'timed out after 2000 ms'],
    ['fault-readiness-block', 2_000, 'timed out after 2000 ms'],
  ])('on %s is CONFIGURING for %i ms and then FAILED for good', async (cluster, ms, error) => {
    const { scheduler, options } = faulty();
    await withProvider(options, async (client) => {
      await client.create(ID);
      scheduler.advance(5);
      const { machine } = await client.configure(ID, cluster, [['k', 'v']]);
      expect(machine).toMatchObject({ state: MACHINE_STATE_CONFIGURING, cluster, lastError: '' });
      scheduler.advance(ms - 1);
      expect(await client.get(ID)).toEqual(machine);
      scheduler.advance(1);
      const failed = await client.get(ID);
      expect(failed).toMatchObject({
        state: MACHINE_STATE_FAILED,
        lastError: expect.stringContaining(error),
      });
      scheduler.advance(10_000);
      for (const call of [client.create, client.drain, client.delete]) {
        expect(await codeOf(call(ID))).toBe('INTERNAL');
      }
      expect(await codeOf(client.configure(ID, 'c1'))).toBe('INTERNAL');
      expect(await client.get(ID)).toEqual(failed);
    });
  });

  test('on a cluster of any other name succeeds', async () => {
    const { scheduler, options } = faulty();
    await withProvider(options, async (client) => {
      await client.create(ID);
      scheduler.advance(5);
      await client.configure(ID, 'fault-errors');
      scheduler.advance(5_000);
      expect(await client.get(ID)).toMatchObject({ state: MACHINE_STATE_CONFIGURED, lastError: '' });
    });
  });
});

test('a Drain from fault-drain-error fails; its Configure does not', async () => {
  const { scheduler, options } = faulty();
  await withProvider(options, async (client) => {
    await client.create(ID);
    scheduler.advance(5);
    await client.configure(ID, 'fault-drain-error');
    scheduler.advance(5);
    expect((await client.get(ID)).state).toBe(MACHINE_STATE_CONFIGURED);
    expect((await client.drain(ID)).machine?.state).toBe(MACHINE_STATE_DRAINING);
    scheduler.advance(5);
    const failed = { state: MACHINE_STATE_FAILED, lastError: 'Drain: injected error' };
    expect(await client.get(ID)).toMatchObject(failed);
  });
});

test('a Create fails on the machines that say so, and only on those', async () => {
  const { scheduler, options } = faulty();
  await withProvider({ ...options, seedCount: 16 }, async (client) => {
    const { machines } = await client.list();
    const doomed = machines.filter(({ labels }) => labels.get(LABEL) === 'error').map(({ id }) => id);
    expect(doomed).toHaveLength(2);
    for (const { id } of machines) {
      expect((await client.create(id)).machine?.state).toBe(MACHINE_STATE_CREATING);
    }
    scheduler.advance(5);
    for (const { id, state, lastError } of (await client.list()).machines) {
      const fails = doomed.includes(id);
      expect(state).toBe(fails ? MACHINE_STATE_FAILED : MACHINE_STATE_IDLE);
      expect(lastError).toBe(fails ? 'Create: injected error' : '');
    }
  });
});

test('the transition timeout can be chosen', async () => {
  const { scheduler, options } = faulty();
  await withProvider({ ...options, transitionTimeoutMs: 70 }, async (client) => {
    await client.create(ID);
    scheduler.advance(5);
    await client.configure(ID, 'fault-slow-ok');
    scheduler.advance(69);
    expect((await client.get(ID)).state).toBe(MACHINE_STATE_CONFIGURING);
    scheduler.advance(1);
    expect(await client.get(ID)).toMatchObject({ lastError: 'Configure timed out after 70 ms' });
  });
});

test('without faults, the same names are names like any others', async () => {
  const scheduler = manualScheduler();
  await withProvider({ scheduler, latency: { minMs: 5, maxMs: 5 } }, async (client) => {
    expect((await client.list()).machines.filter(({ labels }) => labels.has(LABEL))).toEqual([]);
    await client.create(ID);
    scheduler.advance(5);
    await client.configure(ID, 'fault-error');
    scheduler.advance(5);
    expect((await client.get(ID)).state).toBe(MACHINE_STATE_CONFIGURED);
  });
});
