/** TLS and mutual TLS, for the client that checks a provider and for the server that the reference provider is. */
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { type ChannelCredentials, credentials, ServerCredentials } from '@grpc/grpc-js';
import { AddressCredentials } from './tls-address.js';
import { readIdentity, readTrusted } from './tls-files.js';
import type { TlsOptions } from './tls-options.js';

/** What a client needs to speak TLS; spread into ProviderClientOptions. */
export interface ClientTls {
  readonly credentials: ChannelCredentials;
  /** The name that the server's certificate must be for; absent where it is an address, which the credentials know. */
  readonly serverName?: string;
}

/**
 * The credentials of a client for the server at `target`, by whichever way it is reached. Without `tls` there are none, and the connection is plaintext. Without `tlsCa` the
 * well-known roots that come with Node.js are trusted; nothing is taken from environment variables of gRPC.
 *
 * @param options a combination in which tlsOptionsProblem sees nothing wrong
 * @throws EnvironmentError in one line, see readTrusted and readIdentity
 */
export async function clientTls(
  options: TlsOptions,
  target: string,
  now: Date = new Date(),
): Promise<ClientTls | Record<string, never>> {
  const { tls, tlsCa, tlsServerName } = options;
  if (tls !== true) return {};
  const context = createSecureContext({
    ...(tlsCa === undefined ? {} : { ca: await readTrusted(tlsCa) }),
    ...(await identityOf(options, now)),
  });
  const serverName = tlsServerName ?? hostOf(target);
  if (isIP(serverName) > 0) return { credentials: new AddressCredentials(context, serverName) };
  return { credentials: credentials.createFromSecureContext(context), serverName };
}

/** The host of HOST:PORT or [IPV6]:PORT; `localhost` for a socket of this machine. */
function hostOf(target: string): string {
  if (target.startsWith('unix:')) return 'localhost';
  return target.slice(0, Math.max(0, target.lastIndexOf(':'))).replace(/^\[|\]$/g, '');
}

/**
 * The credentials of a server. With `tlsCa` every client must show a certificate signed by it (mutual TLS).
 *
 * @param options a combination in which tlsOptionsProblem sees nothing wrong
 * @throws EnvironmentError in one line, see readTrusted and readIdentity
 */
export async function serverTls(options: TlsOptions, now: Date = new Date()): Promise<ServerCredentials> {
  const identity = options.tls === true ? await identityOf(options, now) : undefined;
  if (identity === undefined) return ServerCredentials.createInsecure();
  const pair = { cert_chain: identity.cert, private_key: identity.key };
  const clients = options.tlsCa === undefined ? null : await readTrusted(options.tlsCa);
  return ServerCredentials.createSsl(clients, [pair], clients !== null);
}

async function identityOf({ tlsCert, tlsKey }: TlsOptions, now: Date) {
  return tlsCert === undefined || tlsKey === undefined ? undefined : readIdentity(tlsCert, tlsKey, now);
}
