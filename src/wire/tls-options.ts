/** Which TLS options belong together. */

/** The command line's TLS options; files are named by path, in PEM. */
export interface TlsOptions {
  readonly tls?: boolean;
  /** Certificates to trust: the server's CA for a client, the clients' CA for a server. */
  readonly tlsCa?: string;
  /** The own certificate, with its chain. */
  readonly tlsCert?: string;
  /** The private key of `tlsCert`, without a passphrase. */
  readonly tlsKey?: string;
  /** The name that the server's certificate must be for, where it is not the host of the target. */
  readonly tlsServerName?: string;
}

const FLAGS = {
  tlsCa: '--tls-ca',
  tlsCert: '--tls-cert',
  tlsKey: '--tls-key',
  tlsServerName: '--tls-server-name',
} as const;

/** What is wrong with this combination of options, in one line, or null where nothing is. */
export function tlsOptionsProblem(options: TlsOptions, role: 'client' | 'server'): string | null {
  const given = (Object.keys(FLAGS) as (keyof typeof FLAGS)[]).filter((key) => options[key] !== undefined);
  const empty = given.find((key) => options[key] === '');
  if (empty !== undefined) return `${FLAGS[empty]} is empty; give it a value or leave it out`;
  const [first] = given;
  if (options.tls !== true) {
    return first === undefined ? null : `${FLAGS[first]} works only with --tls; add --tls or leave it out`;
  }
  if ((options.tlsCert === undefined) !== (options.tlsKey === undefined)) {
    const [here, missing] =
      options.tlsCert === undefined ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key'];
    return `${here} is given without ${missing}; a certificate and its private key go together`;
  }
  if (role === 'server' && options.tlsCert === undefined) {
    return 'a server needs a certificate for --tls; add --tls-cert FILE and --tls-key FILE';
  }
  return null;
}
