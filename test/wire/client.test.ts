import { describe, expect, it } from 'vitest';
import { EnvironmentError } from '../../src/wire/environment-error.js';
import { Machine, MachineList, TransitionAck } from '../../src/wire/gen/provider.js';
import { STRICT_DECODERS } from '../../src/wire/strict-decode.js';
import { machineBytes, machineMessage } from './messages.js';
import { CREATE, frame, GET, GRPC_HEADERS, LIST, respond } from './raw-replies.js';
import { connect, deadTarget, startGrpcServer, startHttp2Server, startTcpServer } from './servers.js';

describe('an OK reply', () => {
  it('is decoded, by kind of call', async () => {
    const machine = machineMessage({ shardMetadata: new Map([['__proto__', '\0']]) });
    const server = await startGrpcServer({
      Create: (call, reply) =>
        reply(
          null,
          Buffer.from(
            TransitionAck.encode({
              operationId: STRICT_DECODERS.CreateRequest(call.request).machineId,
              machine,
            }).finish(),
          ),
        ),
      Get: (_call, reply) => reply(null, Buffer.from(Machine.encode(machine).finish())),
      List: (_call, reply) =>
        reply(
          null,
          Buffer.from(MachineList.encode({ machines: [machine], revision: new Uint8Array([7]) }).finish()),
        ),
    });
    const client = connect(server.target);
    const record = { id: 'm-1', state: 'IDLE', shardMetadata: machine.shardMetadata };
    expect((await client.call(CREATE)).outcome).toMatchObject({
      kind: 'ok',
      reply: { operationId: 'm-1', machine: record },
    });
    expect((await client.call(GET)).outcome).toMatchObject({ kind: 'ok', reply: record });
    expect((await client.call(LIST)).outcome).toMatchObject({
      kind: 'ok',
      reply: { machines: [record], revision: new Uint8Array([7]) },
    });
    expect(client.calls).toBe(3);
  });

  it('may be larger than the default limit of 4 MiB', async () => {
    const machines = Array.from({ length: 50_000 }, (_, n) =>
      machineMessage({ id: `machine-${n}`, labels: new Map([['rack', `r-${n}`.padEnd(40)]]) }),
    );
    const body = Buffer.from(MachineList.encode({ machines, revision: new Uint8Array(0) }).finish());
    expect(body.length).toBeGreaterThan(4 * 1024 * 1024);
    const server = await startGrpcServer({ List: (_call, reply) => reply(null, body) });
    const { outcome } = await connect(server.target, { callTimeoutMs: 30_000 }).call(LIST);
    expect(outcome.kind === 'ok' && outcome.reply.machines.length).toBe(50_000);
  });

  it('is stamped with the clock around the transport', async () => {
    const server = await startGrpcServer({ Get: (_call, reply) => reply(null, Buffer.from(machineBytes())) });
    let now = 100;
    const exchange = await connect(server.target, { clock: () => now++ }).call(GET);
    expect(exchange).toMatchObject({ invokedAt: 100, returnedAt: 101 });
  });
});

describe('the deadline', () => {
  it('ends a call that the server does not answer', async () => {
    const server = await startGrpcServer({ Get: () => undefined });
    const { outcome } = await connect(server.target).call(GET, { timeoutMs: 50 });
    expect(outcome).toMatchObject({ kind: 'indeterminate', cause: 'DEADLINE_EXCEEDED' });
  });

  it('ends a call whose connection does not come about', async () => {
    const client = connect(await startTcpServer(() => undefined), { callTimeoutMs: 50 });
    expect((await client.call(GET)).outcome).toMatchObject({
      kind: 'indeterminate',
      cause: 'DEADLINE_EXCEEDED',
    });
  });

  it('ends a reply that never ends', async () => {
    const client = connect(
      await startHttp2Server((stream) => {
        stream.respond(GRPC_HEADERS);
        stream.write(frame(machineBytes(), 0, 2 ** 29));
      }),
    );
    const { outcome } = await client.call(LIST, { timeoutMs: 50 });
    expect(outcome).toMatchObject({ kind: 'indeterminate', cause: 'DEADLINE_EXCEEDED' });
  });

  it('is not waited for where two messages come instead of one', async () => {
    const twice = Buffer.concat([frame(machineBytes()), frame(machineBytes())]);
    const client = connect(await startHttp2Server((stream) => respond(stream, twice, { 'grpc-status': 0 })));
    const { outcome } = await client.call(GET, { timeoutMs: 600_000 });
    expect(outcome).toMatchObject({ kind: 'indeterminate', cause: 'MALFORMED' });
  });

  it('is not waited for when nothing listens', async () => {
    const client = connect(await deadTarget(), { callTimeoutMs: 600_000 });
    expect((await client.call(GET)).outcome).toMatchObject({ kind: 'indeterminate', cause: 'UNAVAILABLE' });
  });
});

describe('the connections', () => {
  it('are separate sockets, chosen by number or in turn', async () => {
    const seen: string[] = [];
    const server = await startGrpcServer({
      Get: (call, reply) => {
        seen.push(call.getPeer());
        reply(null, Buffer.from(machineBytes()));
      },
    });
    const client = connect(server.target, { connections: 2 });
    for (const connection of [0, 1, 0, 1, 2]) {
      await client.call(GET, { connection });
    }
    const [first, second] = seen;
    expect(first).not.toBe(second);
    expect(seen).toEqual([first, second, first, second, first]);
    seen.length = 0;
    await client.call(GET);
    await client.call(GET);
    expect(new Set(seen)).toEqual(new Set([first, second]));
  });

  it('come back after the provider was killed and booted again on its port', async () => {
    const first = await startGrpcServer({ Get: (_call, reply) => reply(null, Buffer.from(machineBytes())) });
    const client = connect(first.target);
    expect((await client.call(GET)).outcome.kind).toBe('ok');
    first.kill();
    await expect
      .poll(async () => (await client.call(GET)).outcome.kind, { timeout: 5_000 })
      .toBe('indeterminate');
    await startGrpcServer({ Get: (_call, reply) => reply(null, Buffer.from(machineBytes())) }, first.target);
    await expect.poll(async () => (await client.call(GET)).outcome.kind, { timeout: 5_000 }).toBe('ok');
  });

  it('answer UNAVAILABLE once closed', async () => {
    const client = connect(await deadTarget());
    client.close();
    expect((await client.call(GET)).outcome).toMatchObject({ kind: 'indeterminate', cause: 'UNAVAILABLE' });
  });

  it.each([0, -1, 1.5])('cannot be %d', (connections) => {
    expect(() => connect('127.0.0.1:1', { connections })).toThrow(RangeError);
  });

  it('need a well-formed target', () => {
    expect(() => connect('http://localhost:50051')).toThrow(EnvironmentError);
  });
});
