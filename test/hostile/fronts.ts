/** Servers that stand before the correct provider and spoil what it says, on three levels. */
import http2 from 'node:http2';
import type net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { type handleUnaryCall, Server, ServerCredentials } from '@grpc/grpc-js';
import type { CallKind } from '../../model/call.js';
import { RAW_METHODS } from '../../src/wire/service.js';
import { type Answer, OK, type Passing, type Upstream } from './upstream.js';

/** A server that the check is run against. */
export interface Front {
  readonly address: string;
  stop(): Promise<void>;
}

/** Counts the times that something wrong was done. */
export type Strike = () => void;

/** Spoils the answer of a gRPC server, or gives it back as it is. */
export type SpoilAnswer = (passing: Passing, strike: Strike) => Answer | Promise<Answer>;

/** A gRPC server whose answers are spoilt. */
export async function grpcFront(upstream: Upstream, spoil: SpoilAnswer, strike: Strike): Promise<Front> {
  const server = new Server({ 'grpc.max_send_message_length': -1, 'grpc.max_receive_message_length': -1 });
  const handler =
    (kind: CallKind): handleUnaryCall<Buffer, Buffer> =>
    ({ request }, reply) => {
      upstream
        .pass(kind, request)
        .then((passing) => spoil(passing, strike))
        .then(({ code, details, body }) => (code === OK ? reply(null, body) : reply({ code, details })))
        .catch((error: unknown) => reply({ code: 2, details: `the hostile server itself: ${error}` }));
    };
  server.addService(RAW_METHODS, {
    Create: handler('Create'),
    Configure: handler('Configure'),
    Drain: handler('Drain'),
    Delete: handler('Delete'),
    Get: handler('Get'),
    List: handler('List'),
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return { address: `127.0.0.1:${port}`, stop: async () => server.forceShutdown() };
}

/** Answers below gRPC; `respond` sends the answer as a gRPC server would. */
export type SpoilStream = (
  stream: http2.ServerHttp2Stream,
  passing: Passing,
  respond: (answer?: Partial<Answer>) => void,
  strike: Strike,
) => void;

export interface Http2FrontOptions {
  readonly settings?: http2.Settings;
  readonly onSession?: (session: http2.ServerHttp2Session, strike: Strike) => void;
}

const KINDS: ReadonlyMap<string, CallKind> = new Map(
  (Object.keys(RAW_METHODS) as CallKind[]).map((kind) => [RAW_METHODS[kind].path, kind]),
);

/** An HTTP/2 server whose frames are written by hand. */
export async function http2Front(
  upstream: Upstream,
  spoil: SpoilStream,
  strike: Strike,
  { settings = {}, onSession }: Http2FrontOptions = {},
): Promise<Front> {
  const server = http2.createServer({ settings });
  server.on('session', (session) => {
    session.on('error', () => undefined);
    onSession?.(session, strike);
  });
  server.on('stream', (stream, headers) => {
    const kind = KINDS.get(String(headers[':path']));
    stream.on('error', () => undefined);
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      if (kind === undefined) return stream.close(http2.constants.NGHTTP2_PROTOCOL_ERROR);
      void upstream.pass(kind, Buffer.concat(chunks).subarray(5)).then((passing) => {
        if (!stream.destroyed)
          spoil(stream, passing, (answer) => send(stream, { ...passing, ...answer }), strike);
      });
    });
  });
  return tcpFront(server);
}

/** The headers that every gRPC response begins with. */
export const GRPC_HEADERS = { ':status': 200, 'content-type': 'application/grpc+proto' };

/** A gRPC frame: compressed flag, length, payload. */
export function frame(payload: Uint8Array, compressed = 0, length = payload.length): Buffer {
  const head = Buffer.from([compressed, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, payload]);
}

/** Sends an answer in the way of gRPC. */
export function send(stream: http2.ServerHttp2Stream, { code, details, body }: Answer): void {
  const trailers = { 'grpc-status': String(code), 'grpc-message': encodeURIComponent(details) };
  if (code !== OK) stream.respond({ ...GRPC_HEADERS, ...trailers }, { endStream: true });
  else sendRaw(stream, frame(body), trailers);
}

/** Sends headers, bytes and trailers as they are given. */
export function sendRaw(
  stream: http2.ServerHttp2Stream,
  bytes: Uint8Array,
  trailers: http2.OutgoingHttpHeaders,
  headers: http2.OutgoingHttpHeaders = {},
): void {
  stream.respond({ ...GRPC_HEADERS, ...headers }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(bytes);
}

/** Any server on a free port of the loopback; stopping it destroys what is open. */
export async function tcpFront(server: net.Server): Promise<Front> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
