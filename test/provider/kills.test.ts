/** Nothing acknowledged is lost, whenever the process is killed (contract section 7, durable lane). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../src/provider/random.js';
import type { Machine, TransitionAck } from '../../src/wire/gen/provider.js';
import { MachineState } from '../../src/wire/gen/provider.js';
import { codeOf, connect, type Fence, type TestClient } from './harness.js';
import { compileFixture, type ProviderProcess, spawnProvider } from './processes.js';

const { MACHINE_STATE_IDLE, MACHINE_STATE_CONFIGURED, MACHINE_STATE_SPECULATIVE, MACHINE_STATE_FAILED } =
  MachineState;

const KILLS = 10;
/** Ten seconds on an idle machine; a busy one may take its time. */
const DEADLINE_MS = 180_000;
const FLEET = 250;
const WORKERS = 16;
/** Long enough, in milliseconds, that every kill meets some machines on their way. */
const LATENCY = { minMs: 0, maxMs: 8 };

/** One step of a machine's life: a call, and the state it leads to. */
type Step = 'create' | 'configure' | 'drain' | 'delete';
const LIFE: readonly Step[] = ['create', 'configure', 'drain', 'configure', 'drain', 'delete'];
const AT_REST: readonly MachineState[] = [
  MACHINE_STATE_SPECULATIVE,
  MACHINE_STATE_IDLE,
  MACHINE_STATE_CONFIGURED,
  MACHINE_STATE_FAILED,
];
const LEADS_TO: Readonly<Record<Step, MachineState>> = {
  create: MACHINE_STATE_IDLE,
  configure: MACHINE_STATE_CONFIGURED,
  drain: MACHINE_STATE_IDLE,
  delete: MACHINE_STATE_SPECULATIVE,
};

/** What the provider has told about a machine, so that it may not be forgotten. */
interface Known {
  readonly id: string;
  /** The machine as it was last seen at rest; undefined before the first time. */
  rested: Machine | undefined;
  /** The step acknowledged after that, if any. */
  acked: Step | undefined;
  /** Its operation, and the one that led to the rest. */
  operation: string;
  /** The token of the last call that was answered. */
  mark: Fence | undefined;
  /** The step that was sent and never answered. */
  lost: Step | undefined;
  steps: number;
  sequence: bigint;
}

const folder = mkdtempSync(join(tmpdir(), 'bfcheck-kills-'));
const running = new Set<ProviderProcess>();
beforeAll(compileFixture);
afterAll(async () => {
  for (const provider of running) await provider.kill();
  rmSync(folder, { recursive: true });
});

function start(options: Parameters<typeof spawnProvider>[0]): ProviderProcess {
  const provider = spawnProvider(options);
  running.add(provider);
  return provider;
}

function send(client: TestClient, known: Known, step: Step, fence: Fence): Promise<TransitionAck> {
  const { id } = known;
  if (step !== 'configure') return client[step](id, fence);
  return client.configure(id, `cluster-${known.steps}`, [['step', `${id} ${known.steps}`]], fence);
}

/** Leads machines through their lives until the provider is gone; `answered` runs after every ack. */
async function work(client: TestClient, machines: readonly Known[], answered: () => void): Promise<void> {
  const alive = machines.filter(({ rested }) => rested?.state !== MACHINE_STATE_FAILED);
  for (let turn = 0; ; turn += 1) {
    const known = alive[turn % alive.length];
    if (known === undefined) return;
    const step = LIFE[known.steps % LIFE.length] ?? 'create';
    known.sequence += 1n;
    const fence: Fence = ['shard', 1n, known.sequence];
    known.lost = step;
    const ack = await send(client, known, step, fence);
    known.lost = undefined;
    Object.assign(known, { acked: step, operation: ack.operationId, mark: fence, steps: known.steps + 1 });
    operations.push(ack.operationId);
    answered();
    known.rested = await client.until(known.id, LEADS_TO[step]);
    known.acked = undefined;
  }
}

const operations: string[] = [];

/** Compares a machine with what is known of it. */
async function verify(client: TestClient, known: Known, now: Machine): Promise<void> {
  expect(AT_REST, `${known.id} came back on its way`).toContain(now.state);
  const moving = known.acked ?? known.lost;
  if (now.state === MACHINE_STATE_FAILED && known.rested?.state !== MACHINE_STATE_FAILED) {
    expect(moving, `${known.id} failed at rest`).toBeDefined();
    expect(now.lastError).toMatch(/restart/);
  } else if (known.acked !== undefined) {
    expect(now.state).toBe(LEADS_TO[known.acked]);
  } else if (known.lost !== undefined && now.state === LEADS_TO[known.lost]) {
    known.steps += 1;
  } else if (known.rested !== undefined) {
    expect(now).toEqual(known.rested);
  }
  if (known.mark !== undefined) {
    expect(await codeOf(client.create(known.id, known.mark)), known.id).toBe('FAILED_PRECONDITION');
  }
  if (known.lost === undefined && known.operation !== '' && now.state !== MACHINE_STATE_FAILED) {
    const step = LIFE[(known.steps - 1) % LIFE.length] ?? 'create';
    expect((await send(client, known, step, ['', 0n, 0n])).operationId).toBe(known.operation);
  }
  if (known.lost !== undefined) known.operation = '';
  Object.assign(known, { rested: now, acked: undefined, lost: undefined });
}

test(`${KILLS} kills under load lose nothing that was acknowledged`, { timeout: DEADLINE_MS }, async () => {
  const random = seededRandom(7);
  const machines = Array.from({ length: FLEET }, (_, index): Known => {
    const id = `m-${String(index + 1).padStart(6, '0')}`;
    return {
      id,
      rested: undefined,
      acked: undefined,
      operation: '',
      mark: undefined,
      lost: undefined,
      steps: 0,
      sequence: 0n,
    };
  });
  let copy = new Map<string, Machine>();
  let sinceRevision: Uint8Array = new Uint8Array();
  for (let kill = 0; kill <= KILLS; kill += 1) {
    const provider = start({ seedCount: FLEET, statePath: join(folder, 'load'), latency: LATENCY });
    const client = connect(await provider.address);
    const full = await client.list();
    const fleet = new Map(full.machines.map((machine) => [machine.id, machine]));
    expect(full.machines).toHaveLength(FLEET);
    expect(fleet.size).toBe(FLEET);
    for (const changed of (await client.list({ sinceRevision })).machines) copy.set(changed.id, changed);
    expect(copy).toEqual(fleet);
    const verified = machines.map((known) => {
      const now = fleet.get(known.id);
      if (now === undefined) throw new Error(`${known.id} is lost`);
      return verify(client, known, now);
    });
    await Promise.all(verified);
    expect(await codeOf(client.create('m-000001', [`new shard ${kill}`, 0n, 1n]))).not.toBe(
      'FAILED_PRECONDITION',
    );

    copy = fleet;
    sinceRevision = full.revision;
    let left = kill === KILLS ? 0 : 20 + Math.floor(random.next() * 300);
    const answered = () => {
      left -= 1;
      if (left === 0) void provider.kill();
    };
    if (left === 0) await provider.kill();
    const share = (worker: number) => machines.filter((_, index) => index % WORKERS === worker);
    const workers = Array.from({ length: WORKERS }, (_, worker) => work(client, share(worker), answered));
    for (const ended of await Promise.allSettled(workers)) {
      expect(ended).toMatchObject({ status: 'rejected', reason: { details: expect.any(String) } });
    }
    client.close();
    await provider.kill();
    running.delete(provider);
  }
  expect(operations.length).toBeGreaterThan(KILLS * 20);
  expect(machines.filter(({ rested }) => rested?.state === MACHINE_STATE_FAILED).length).toBeGreaterThan(0);
  expect(new Set(operations).size).toBe(operations.length);
});

test('a process killed while it makes a new fleet leaves no half of one', {
  timeout: DEADLINE_MS,
}, async () => {
  const options = { seedCount: 20_000, statePath: join(folder, 'founding') };
  for (let ms = 60; ms <= 600; ms += 90) {
    const provider = start(options);
    // The moment of the kill is arbitrary on purpose: whichever it is, the next process must come up whole.
    await Promise.race([provider.address, new Promise((resolve) => setTimeout(resolve, ms))]);
    await provider.kill();
    running.delete(provider);
  }
  const provider = start(options);
  const client = connect(await provider.address);
  const ids = (await client.list()).machines.map((machine) => machine.id);
  expect(new Set(ids).size).toBe(20_000);
  expect(ids).toHaveLength(20_000);
  client.close();
  await provider.kill();
});
