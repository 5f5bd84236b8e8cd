/** What a TLS handshake that failed says to people. */

/** How grpc-js begins to report a connection that did not come about; nothing a server says begins like this. */
const NO_CONNECTION = /^No connection established\. Last error: /;

/** What Node.js and OpenSSL say of a failed handshake, and what it means; the first that matches counts. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [
    /self-signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate/,
    'its certificate is self-signed or of an unknown CA; give the CA that signed it with --tls-ca FILE',
  ],
  [/certificate has expired/, 'its certificate has expired; renew it'],
  [/certificate is not yet valid/, 'its certificate is not valid yet; check the clocks of both machines'],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID/,
    'its certificate is for another name; connect by that name, or give it with --tls-server-name NAME',
  ],
  [
    /alert certificate required|alert handshake failure/,
    'it asks for a client certificate and got none that it takes; give one with --tls-cert FILE and --tls-key FILE',
  ],
  [
    /alert (?:unknown ca|bad certificate|certificate unknown|certificate expired|access denied|unsupported certificate)/,
    'it refuses the client certificate; give one that is valid and signed by a CA that the server trusts, with --tls-cert and --tls-key',
  ],
  [
    /wrong version number|packet length too long/,
    'it does not speak TLS; leave --tls out, or check the port',
  ],
];

/** Why the handshake failed, in words that continue "expected …, but", or null where TLS is not the reason. */
export function explainHandshake(message: string, secure: boolean): string | null {
  if (!NO_CONNECTION.test(message)) return null;
  const [, meaning] = FAULTS.find(([pattern]) => pattern.test(message)) ?? [];
  if (meaning !== undefined) return meaning;
  // Since TLS 1.3 a client is done before the server has looked at its certificate: it only sees the connection end.
  return secure && /Failed to connect|disconnected before secure TLS/.test(message)
    ? 'it ends every connection during the TLS handshake; check whether it speaks TLS, and whether it takes the client certificate (--tls-cert, --tls-key)'
    : null;
}
