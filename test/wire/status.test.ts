import type http2 from 'node:http2';
import { Metadata, status } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { REJECTION_CODES } from '../../model/call.js';
import { field, machineBytes } from './messages.js';
import { CREATE, frame, GET, GRPC_HEADERS, getAgainst, respond } from './raw-replies.js';
import { connect, startGrpcServer, startHttp2Server } from './servers.js';

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
      'a frame past the limit',
      (stream) => respond(stream, frame(machineBytes(), 0, 2 ** 31), { 'grpc-status': 0 }),
    ],
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
    [
      'text in the place of frames',
      (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'text/html' });
        stream.end('<html></html>');
      },
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

  it.each([400, 401, 403, 404, 429, 500, 503])(
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
