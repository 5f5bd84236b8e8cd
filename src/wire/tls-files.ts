/** Reads PEM files and says in one line what is wrong with them. No message ever holds what is in a key file. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { EnvironmentError, quoteForeign } from './environment-error.js';

/** A certificate with its chain, and its private key. */
export interface Identity {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Far above any chain or bundle of certificates, in bytes. */
const LARGEST_FILE_BYTES = 16 * 1024 * 1024;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
};

/**
 * Certificates to trust.
 * @throws EnvironmentError when the file cannot be read or holds no certificate
 */
export async function readTrusted(path: string): Promise<Buffer> {
  const text = await readPem('--tls-ca', path);
  certificatesIn(text, '--tls-ca', path);
  return text;
}

/**
 * A certificate and its private key.
 * @param now the instant at which the certificate must be valid
 * @throws EnvironmentError when a file cannot be read or is not PEM, the certificate is not valid at `now`, or the
 *   key is not the certificate's
 */
export async function readIdentity(certPath: string, keyPath: string, now: Date): Promise<Identity> {
  const cert = await readPem('--tls-cert', certPath);
  const [leaf] = certificatesIn(cert, '--tls-cert', certPath);
  checkValidity(leaf, certPath, now);
  const key = await readPem('--tls-key', keyPath);
  if (!leaf.checkPrivateKey(privateKeyIn(key, keyPath))) {
    throw new EnvironmentError(
      `the private key in --tls-key ${quoteForeign(keyPath)} does not fit the certificate in --tls-cert ${quoteForeign(certPath)}; give the two files that were made together (the certificate itself comes first, then its chain)`,
    );
  }
  return { cert, key };
}

async function readPem(flag: string, path: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    const reason = REASONS[error.code ?? ''] ?? error.code ?? 'unknown reason';
    throw new EnvironmentError(`cannot read ${flag} ${quoteForeign(path)}: ${reason}; correct the path`);
  });
  if (bytes.length <= LARGEST_FILE_BYTES) return bytes;
  throw new EnvironmentError(`${flag} ${quoteForeign(path)} is too large to be a PEM file; correct the path`);
}

function certificatesIn(pem: Buffer, flag: string, path: string): [X509Certificate, ...X509Certificate[]] {
  const blocks = pem.toString('latin1').match(CERTIFICATE) ?? [];
  try {
    const [first, ...rest] = blocks.map((block) => new X509Certificate(block));
    if (first !== undefined) return [first, ...rest];
  } catch {
    throw new EnvironmentError(
      `${flag} ${quoteForeign(path)} holds a damaged certificate; export it again as PEM`,
    );
  }
  throw new EnvironmentError(
    `expected a certificate in PEM ("-----BEGIN CERTIFICATE-----") in ${flag} ${quoteForeign(path)}, saw none; convert DER with openssl x509 -inform der`,
  );
}

function privateKeyIn(pem: Buffer, path: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    const encrypted = code === 'ERR_MISSING_PASSPHRASE';
    throw new EnvironmentError(
      encrypted
        ? `the private key in --tls-key ${quoteForeign(path)} is encrypted; give one without a passphrase`
        : `expected a private key in PEM in --tls-key ${quoteForeign(path)}, saw none that can be read`,
    );
  }
}

function checkValidity({ validFrom, validTo }: X509Certificate, path: string, now: Date): void {
  if (new Date(validTo) < now) {
    throw new EnvironmentError(
      `the certificate in --tls-cert ${quoteForeign(path)} expired on ${validTo}; renew it`,
    );
  }
  if (new Date(validFrom) > now) {
    throw new EnvironmentError(
      `the certificate in --tls-cert ${quoteForeign(path)} is not valid before ${validFrom}; check the clock, or wait`,
    );
  }
}
