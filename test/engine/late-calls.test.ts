import { describe, expect, it } from 'vitest';
import { type Call, type MutationCall, NO_TOKEN, type Outcome, type Token } from '../../model/call.js';
import type { MachineRecord } from '../../model/record.js';
import { changed, firstMet } from '../../model/state.js';
import { create } from '../../properties/steps.js';
import { execute } from '../../src/engine/execute.js';
import { fencesAgainst, limitOpen } from '../../src/engine/late-calls.js';
import { OperationLedger } from '../../src/engine/ledger.js';
import { MachinePool } from '../../src/engine/pool.js';
import { Recorder } from '../../src/engine/recorder.js';
import type { Tenant } from '../../src/engine/tenant.js';
import { INT64_MAX } from '../../src/engine/tokens.js';
import type { Provider, World } from '../../src/engine/world.js';

const RECORD: MachineRecord = {
  id: 'm',
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
};
const LOST = { kind: 'indeterminate', cause: 'UNAVAILABLE', message: 'lost' } as const;

const remove = (token: Token): MutationCall => ({ kind: 'Delete', machineId: 'm', token });
const shard = (name: string, epoch: bigint, sequence: bigint): Token => ({ shard: name, epoch, sequence });

function holding(...calls: readonly MutationCall[]): Tenant {
  return { id: 'm', belief: [changed(firstMet('SPECULATIVE'), { pending: calls })] };
}

/** A world whose every call is answered by `answer`; time passes with every call and every pause. */
function world(answer: (call: Call) => Outcome<unknown>): World & { readonly sent: readonly Call[] } {
  const sent: Call[] = [];
  let now = 0;
  const provider: Provider = {
    call: async (call) => {
      sent.push(call);
      now += 1;
      return { outcome: answer(call) as never, invokedAt: now, returnedAt: now };
    },
  };
  return {
    provider,
    sent,
    connections: 1,
    model: { capabilities: { delete: true, sinceRevision: true }, faults: false },
    limits: { settleTimeoutMs: 100, stabilityWindowMs: 10, stuckIsBreach: true },
    ledger: new OperationLedger(),
    touched: new Set(),
    inventory: [],
    clock: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
}

const answering = (call: Call): Outcome<unknown> =>
  call.kind === 'Get'
    ? { kind: 'ok', reply: RECORD }
    : { kind: 'rejected', code: 'INTERNAL', message: 'not from here' };

describe('the fences against late calls', () => {
  it('are one for each shard, above everything that it has sent or had accepted', () => {
    const tenant = holding(
      remove(shard('a', 3n, 9n)),
      remove(shard('a', 5n, 1n)),
      remove(shard('b', 1n, 1n)),
    );
    expect(fencesAgainst(tenant)?.map(({ kind, token }) => [kind, token.shard, token.epoch])).toEqual([
      ['Drain', 'a', 6n],
      ['Drain', 'b', 2n],
    ]);
  });

  it('are none where a call has no token, or one that nothing is above', () => {
    expect(fencesAgainst(holding(remove(NO_TOKEN)))).toBeNull();
    expect(fencesAgainst(holding(remove(shard('', 1n, 1n))))).toBeNull();
    expect(fencesAgainst(holding(remove(shard('a', INT64_MAX, 0n))))).toBeNull();
    expect(fencesAgainst(holding())).toEqual([]);
  });
});

describe('the machine pool', () => {
  it('gives a machine up on which a call without a token may still arrive', async () => {
    const pool = new MachinePool([RECORD], world(answering));
    const [tenant] = await pool.lease(1, true, 'virgin');
    if (tenant === undefined) throw new Error('one machine was leased');
    tenant.belief = holding(remove(NO_TOKEN)).belief;
    await pool.release([tenant]);
    expect(pool.size).toBe(0);
  });

  it('fences late calls out before it hands a machine on', async () => {
    const surroundings = world(answering);
    const pool = new MachinePool([RECORD], surroundings);
    const [tenant] = await pool.lease(1, true, 'virgin');
    if (tenant === undefined) throw new Error('one machine was leased');
    tenant.belief = holding(remove(shard('a', 1n, 1n))).belief;
    await pool.release([tenant]);
    expect(surroundings.sent.filter(({ kind }) => kind === 'Drain')).toMatchObject([
      { token: shard('a', 2n, 0n) },
    ]);
    const [again] = await pool.lease(1, true);
    expect(again?.belief.flatMap(({ pending }) => pending)).toEqual([]);
  });

  it('gives a machine up where the fence itself is never answered', async () => {
    const silent = world((call) => (call.kind === 'Get' ? answering(call) : LOST));
    const pool = new MachinePool([RECORD], silent);
    const [tenant] = await pool.lease(1, true, 'virgin');
    if (tenant === undefined) throw new Error('one machine was leased');
    tenant.belief = holding(remove(shard('a', 1n, 1n))).belief;
    await pool.release([tenant]);
    expect(pool.size).toBe(0);
  });
});

describe('a machine with many lost calls', () => {
  const calls = Array.from({ length: 7 }, (_, n) => remove(shard('a', 1n, BigInt(n))));

  it('ends its program, and not before there are seven', () => {
    expect(() => limitOpen(holding(...calls.slice(1)))).not.toThrow();
    expect(() => limitOpen(holding(...calls))).toThrow(/more than 6 replies/);
  });
});

describe('a machine that nobody can read any more', () => {
  const names = { shards: 's', unknownMachine: 'u' };
  const program = { machines: 1, steps: [create()], branches: [] };
  const ack = { operationId: 'op', machine: { ...RECORD, state: 'CREATING' } };

  it('is not called stuck, even where the time to settle was declared', async () => {
    const silent = world((call) => (call.kind === 'Create' ? { kind: 'ok', reply: ack } : LOST));
    const run = await execute(program, [holding()], names, silent, new Recorder());
    expect(run.violations).toEqual([]);
    expect(run.inconclusive).toMatch(/was CREATING could not be read any more/);
    expect(run.heard).toBe(false);
  });

  it('is called stuck where it is still seen to move', async () => {
    const moving = { ...RECORD, state: 'CREATING' };
    const slow = world((call) =>
      call.kind === 'Create'
        ? { kind: 'ok', reply: ack }
        : call.kind === 'Get'
          ? { kind: 'ok', reply: moving }
          : { kind: 'ok', reply: { machines: [moving], revision: new Uint8Array(0) } },
    );
    const run = await execute(program, [holding()], names, slow, new Recorder());
    expect(run.violations.map(({ breach }) => breach.aspect)).toEqual(['stuck CREATING']);
  });
});
