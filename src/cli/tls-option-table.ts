/** Options of TLS, for the client that checks a provider and for the built-in server. */
import type { OptionSpec } from './option-spec.js';

const text = { type: 'text' } as const;
const group = 'TLS:';

/** Options of the commands that meet a provider at an address. */
export const CLIENT_TLS_TABLE: readonly OptionSpec[] = [
  { flags: '--tls', says: 'speak TLS with --target and --fault-target', kind: { type: 'switch' }, group },
  {
    flags: '--tls-ca <file>',
    says: "the CA of the provider's certificate, in PEM (default: the well-known ones)",
    kind: text,
    group,
  },
  { flags: '--tls-cert <file>', says: 'a certificate to show to the provider, in PEM', kind: text, group },
  { flags: '--tls-key <file>', says: 'its private key', kind: text, group },
  {
    flags: '--tls-server-name <name>',
    says: "the name in the provider's certificate, where it is not the host of the target",
    kind: text,
    group,
  },
];

/** Options of `serve`. */
export const SERVER_TLS_TABLE: readonly OptionSpec[] = [
  { flags: '--tls', says: 'speak TLS', kind: { type: 'switch' }, group },
  { flags: '--tls-cert <file>', says: 'the certificate, in PEM', kind: text, group },
  { flags: '--tls-key <file>', says: 'its private key', kind: text, group },
  {
    flags: '--tls-ca <file>',
    says: 'the CA that must have signed the certificate of every client (mutual TLS)',
    kind: text,
    group,
  },
];
