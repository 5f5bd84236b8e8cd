import type http2 from 'node:http2';
import { Metadata, status } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { type CreateCall, type GetCall, type ListCall, NO_TOKEN, REJECTION_CODES } from '../../model/call.js';
import { EnvironmentError } from '../../src/wire/environment-error.js';
import { Machine, MachineList, TransitionAck } from '../../src/wire/gen/provider.js';
import { STRICT_DECODERS } from '../../src/wire/strict-decode.js';
import { field, machineBytes, machineMessage } from './messages.js';
import { connect, deadTarget, startGrpcServer, startHttp2Server, startTcpServer } from './servers.js';

const GET: GetCall = { kind: 'Get', machineId: 'm-1' };
const CREATE: CreateCall = { kind: 'Create', machineId: 'm-1', token: NO_TOKEN };
const LIST: ListCall = { kind: 'List', states: [], maxResults: 0, sinceRevision: new Uint8Array(0) };
const GRPC_HEADERS = { ':status': 200, 'content-type': 'application/grpc+proto' };

/** A gRPC frame: compressed flag, length, payload. */
function frame(payload: Uint8Array, compressed = 0, length = payload.length): Buffer {
  const head = Buffer.from([compressed, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, payload]);
}

/** Answers a call below gRPC and gives the outcome of a Get. */
async function getAgainst(answer: (stream: http2.ServerHttp2Stream) => void) {
  const client = connect(await startHttp2Server(answer));
  return (await client.call(GET)).outcome;
}

/** Sends headers and body, then the trailers. */
function respond(
  stream: http2.ServerHttp2Stream,
  body: Uint8Array,
  trailers: http2.OutgoingHttpHeaders,
  headers: http2.OutgoingHttpHeaders = {},
) {
  stream.respond({ ...GRPC_HEADERS, ...headers }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(body);
}

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

describe('a reply whose bytes are no message', () => {
  it.each([
    ['invalid UTF-8', Buffer.from(field(1, [0xff]))],
    ['a truncated message', Buffer.from(machineBytes()).subarray(0, -3)],
    ['trailing garbage', Buffer.concat([machineBytes(), Buffer.from([0])])],
    ['text', Buffer.from('<html></html>')],
  ])('is MALFORMED: %s', async (_name, bytes) => {
    const server = await startGrpcServer({ Get: (_call, reply) => reply(null, bytes) });
    expect((await connect(server.target).call(GET)).outcome).toMatchObject({
      kind: 'indeterminate',
      cause: 'MALFORMED',
    });
  });

  it.each<[string, (stream: http2.ServerHttp2Stream) => void]>([
    ['no message at all', (stream) => respond(stream, Buffer.alloc(0), { 'grpc-status': 0 })],
    ['a frame cut short', (stream) => respond(stream, frame(machineBytes(), 0, 9_999), { 'grpc-status': 0 })],
    [
      'bytes that are not gzip',
      (stream) =>
        respond(stream, frame(machineBytes(), 1), { 'grpc-status': 0 }, { 'grpc-encoding': 'gzip' }),
    ],
    [
      'an unknown compression',
      (stream) =>
        respond(stream, frame(machineBytes(), 1), { 'grpc-status': 0 }, { 'grpc-encoding': 'zstd' }),
    ],
    [
      'compressed without saying how',
      (stream) => respond(stream, frame(machineBytes(), 1), { 'grpc-status': 0 }),
    ],
  ])('is MALFORMED: %s', async (_name, answer) => {
    expect(await getAgainst(answer)).toMatchObject({ kind: 'indeterminate', cause: 'MALFORMED' });
  });
});

describe('a status that the server sent', () => {
  const lost = new Set(['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'CANCELLED']);

  it.each(REJECTION_CODES.filter((code) => !lost.has(code)))('rejects with %s', async (code) => {
    const server = await startGrpcServer({
      Get: (_call, reply) => reply({ code: status[code], details: 'why ü' }),
    });
    expect((await connect(server.target).call(GET)).outcome).toEqual({
      kind: 'rejected',
      code,
      message: 'why ü',
    });
  });

  it.each([...lost])('leaves open what happened with %s', async (code) => {
    const server = await startGrpcServer({
      Get: (_call, reply) => reply({ code: status[code as keyof typeof status], details: 'gone' }),
    });
    expect((await connect(server.target).call(GET)).outcome).toEqual({
      kind: 'indeterminate',
      cause: code,
      message: 'gone',
    });
  });

  it("is the server's even when its words are those of a broken stream", async () => {
    const details = 'Received RST_STREAM with code 2 (Internal server error)';
    const server = await startGrpcServer({
      Get: (_call, reply) => reply({ code: status.INTERNAL, details, metadata: new Metadata() }),
    });
    expect((await connect(server.target).call(GET)).outcome).toEqual({
      kind: 'rejected',
      code: 'INTERNAL',
      message: details,
    });
  });

  it.each(['17', '-1', '99999', 'nonsense', '1.5'])(
    'rejects with UNKNOWN for the undefined number %s',
    async (number) => {
      const outcome = await getAgainst((stream) =>
        stream.respond(
          { ...GRPC_HEADERS, 'grpc-status': number, 'grpc-message': 'odd' },
          { endStream: true },
        ),
      );
      expect(outcome).toEqual({ kind: 'rejected', code: 'UNKNOWN', message: 'odd' });
    },
  );

  it('rejects also when it comes after a reply message', async () => {
    const outcome = await getAgainst((stream) =>
      respond(stream, frame(machineBytes()), { 'grpc-status': 13, 'grpc-message': 'late' }),
    );
    expect(outcome).toEqual({ kind: 'rejected', code: 'INTERNAL', message: 'late' });
  });
});

describe('a broken stream', () => {
  it.each([0, 1, 2, 7, 8, 11, 12])('leaves open what happened, for reset code %i', async (code) => {
    const outcome = await getAgainst((stream) => stream.close(code));
    expect(outcome.kind).toBe('indeterminate');
    expect(outcome).not.toHaveProperty('cause', 'MALFORMED');
  });

  it.each([200, 400, 401, 403, 404, 429, 500, 503])(
    'leaves open what happened, for HTTP status %i',
    async (code) => {
      const outcome = await getAgainst((stream) => {
        stream.respond({ ':status': code, 'content-type': 'text/html' });
        stream.end('<html>');
      });
      expect(outcome).toMatchObject({ kind: 'indeterminate', cause: 'UNAVAILABLE' });
    },
  );

  it('leaves open what happened when trailers lack a status', async () => {
    const outcome = await getAgainst((stream) => respond(stream, frame(machineBytes()), { 'x-other': '1' }));
    expect(outcome).toMatchObject({ kind: 'indeterminate', cause: 'UNAVAILABLE' });
  });

  it('leaves open what happened when the server goes down in the middle', async () => {
    const server = await startGrpcServer({ Create: () => server.kill() });
    const { outcome } = await connect(server.target).call(CREATE);
    expect(outcome.kind).toBe('indeterminate');
    expect(outcome).not.toHaveProperty('cause', 'MALFORMED');
  });

  it('leaves open what happened when the connection is cut in the middle, as by a killed process', async () => {
    const outcome = await getAgainst((stream) => stream.session?.destroy());
    expect(outcome).toMatchObject({ kind: 'indeterminate' });
    expect(outcome).not.toHaveProperty('cause', 'MALFORMED');
  });

  it('never sends a mutation twice, not even when the stream was refused', async () => {
    let streams = 0;
    const client = connect(
      await startHttp2Server((stream) => {
        streams += 1;
        stream.close(7);
      }),
    );
    await client.call(CREATE);
    await client.call(CREATE);
    expect(streams).toBe(2);
    expect(client.calls).toBe(2);
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
        stream.write(frame(machineBytes(), 0, 2 ** 31));
      }),
    );
    const { outcome } = await client.call(LIST, { timeoutMs: 50 });
    expect(outcome).toMatchObject({ kind: 'indeterminate', cause: 'DEADLINE_EXCEEDED' });
  });

  // grpc-js never reads the second message of a unary call, and so never comes to the status behind it.
  it('ends a reply of two messages', async () => {
    const twice = Buffer.concat([frame(machineBytes()), frame(machineBytes())]);
    const client = connect(await startHttp2Server((stream) => respond(stream, twice, { 'grpc-status': 0 })));
    const { outcome } = await client.call(GET, { timeoutMs: 50 });
    expect(outcome).toMatchObject({ kind: 'indeterminate', cause: 'DEADLINE_EXCEEDED' });
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
