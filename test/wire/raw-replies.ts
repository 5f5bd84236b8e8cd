import type http2 from 'node:http2';
import type { ConfigureCall, CreateCall, GetCall, ListCall } from '../../model/call.js';
import { NO_TOKEN } from '../../model/call.js';
import { connect, startHttp2Server } from './servers.js';

export const GET: GetCall = { kind: 'Get', machineId: 'm-1' };
export const CREATE: CreateCall = { kind: 'Create', machineId: 'm-1', token: NO_TOKEN };
export const LIST: ListCall = { kind: 'List', states: [], maxResults: 0, sinceRevision: new Uint8Array(0) };

export const CONFIGURE: ConfigureCall = {
  kind: 'Configure',
  machineId: 'm',
  token: NO_TOKEN,
  cluster: 'c',
  metadata: new Map(),
  blob: new Uint8Array([1]),
};

/** The response headers of a gRPC server. */
export const GRPC_HEADERS = { ':status': 200, 'content-type': 'application/grpc+proto' };

/** A gRPC frame: compressed flag, length, payload. */
export function frame(payload: Uint8Array, compressed = 0, length = payload.length): Buffer {
  const head = Buffer.from([compressed, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, payload]);
}

/** Answers a call below gRPC and gives the outcome of a Get. */
export async function getAgainst(answer: (stream: http2.ServerHttp2Stream) => void) {
  const client = connect(await startHttp2Server(answer));
  return (await client.call(GET)).outcome;
}

/** Sends headers and body, then the trailers. */
export function respond(
  stream: http2.ServerHttp2Stream,
  body: Uint8Array,
  trailers: http2.OutgoingHttpHeaders,
  headers: http2.OutgoingHttpHeaders = {},
) {
  stream.respond({ ...GRPC_HEADERS, ...headers }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(body);
}
