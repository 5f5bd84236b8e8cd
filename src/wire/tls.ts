/** TLS and mutual TLS, for the client that checks a provider and for the server that the reference provider is. */
import { createSecureContext } from 'node:tls';
import { type ChannelCredentials, credentials, ServerCredentials } from '@grpc/grpc-js';
import { readIdentity, readTrusted } from './tls-files.js';
import type { TlsOptions } from './tls-options.js';

/** What a client needs to speak TLS; spread into ProviderClientOptions. */
export interface ClientTls {
  readonly credentials: ChannelCredentials;
  /** The name that the server's certificate must be for; the host of the target where absent. */
  readonly serverName?: string;
}

/**
 * The credentials of a client. Without `tls` there are none, and the connection is plaintext. Without `tlsCa` the
 * well-known roots that come with Node.js are trusted; nothing is taken from environment variables of gRPC.
 *
 * @param options a combination in which tlsOptionsProblem sees nothing wrong
 * @throws EnvironmentError in one line, see readTrusted and readIdentity
 */
export async function clientTls(
  options: TlsOptions,
  now: Date = new Date(),
): Promise<ClientTls | Record<string, never>> {
  const { tls, tlsCa, tlsServerName } = options;
  if (tls !== true) return {};
  const context = createSecureContext({
    ...(tlsCa === undefined ? {} : { ca: await readTrusted(tlsCa) }),
    ...(await identityOf(options, now)),
  });
  return {
    credentials: credentials.createFromSecureContext(context),
    ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }),
  };
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
