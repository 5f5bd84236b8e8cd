import http2 from 'node:http2';
import net, { type AddressInfo, type Socket } from 'node:net';
import { type handleUnaryCall, Server, ServerCredentials } from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';
import type { CallKind } from '../../model/call.js';
import { ProviderClient, type ProviderClientOptions } from '../../src/wire/client.js';
import { RAW_METHODS } from '../../src/wire/service.js';

type RawHandler = handleUnaryCall<Buffer, Buffer>;

/** A gRPC server that moves bytes, so that a test can answer with any. Ends with the test. */
export async function startGrpcServer(
  handlers: Partial<Record<CallKind, RawHandler>>,
  address = '127.0.0.1:0',
): Promise<RunningServer> {
  const server = new Server({ 'grpc.max_send_message_length': -1, 'grpc.max_receive_message_length': -1 });
  const unimplemented: RawHandler = (_call, reply) => reply({ code: 12, details: 'not in this test' });
  server.addService(RAW_METHODS, {
    Create: unimplemented,
    Configure: unimplemented,
    Drain: unimplemented,
    Delete: unimplemented,
    Get: unimplemented,
    List: unimplemented,
    ...handlers,
  });
  return bind(server, address);
}

/** A gRPC server without any service. */
export function startEmptyGrpcServer(): Promise<RunningServer> {
  return bind(new Server(), '127.0.0.1:0');
}

export interface RunningServer {
  readonly target: string;
  /** Cuts every connection at once. */
  readonly kill: () => void;
}

async function bind(server: Server, address: string): Promise<RunningServer> {
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const kill = () => server.forceShutdown();
  onTestFinished(kill);
  return { target: `127.0.0.1:${port}`, kill };
}

/** An HTTP/2 server below gRPC, for what a gRPC server would never send. Ends with the test. */
export async function startHttp2Server(
  onStream: (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void,
): Promise<string> {
  const server = http2.createServer();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    onStream(stream, headers);
  });
  return listen(server);
}

/** A bare TCP server. Ends with the test. */
export function startTcpServer(onSocket: (socket: Socket) => void): Promise<string> {
  return listen(
    net.createServer((socket) => {
      socket.on('error', () => undefined);
      onSocket(socket);
    }),
  );
}

/** Listens on a free port of the loopback; at the end of the test the server and all its sockets are closed. */
export async function listen(server: net.Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The address of a port on which nothing listens. */
export async function deadTarget(): Promise<string> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `127.0.0.1:${port}`;
}

/** A client that is closed at the end of the test. */
export function connect(target: string, options: Partial<ProviderClientOptions> = {}): ProviderClient {
  const client = new ProviderClient({
    target,
    connections: 1,
    callTimeoutMs: 5_000,
    clock: () => performance.now(),
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}
