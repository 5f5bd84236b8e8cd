/** Certificates made on the spot, in a folder that goes with the test. */
import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { onTestFinished } from 'vitest';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 60 * 60 * 1000;
const DAY = (days: number) => new Date(Date.now() + days * DAY_MS);

/** A certificate and its key, as PEM files. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface PairOptions {
  /** DNS names and addresses; `localhost` and 127.0.0.1 unless given. */
  readonly names?: readonly x509.JsonGeneralName[];
  /** Days from now. */
  readonly from?: number;
  readonly to?: number;
}

const LOCAL: readonly x509.JsonGeneralName[] = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
];

/** A folder that is removed at the end of the test. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bfcheck-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A certificate authority. */
export class Authority {
  private serial = 1;

  private constructor(
    private readonly folder: string,
    private readonly keys: webcrypto.CryptoKeyPair,
    private readonly certificate: x509.X509Certificate,
    /** Path of its certificate. */
    readonly ca: string,
  ) {}

  static async in(folder: string, name = 'Test CA'): Promise<Authority> {
    const keys = (await crypto.subtle.generateKey(ALGORITHM, true, [
      'sign',
      'verify',
    ])) as webcrypto.CryptoKeyPair;
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: `CN=${name}`,
      notBefore: DAY(-1),
      notAfter: DAY(30),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
    });
    const ca = join(folder, `${name.replaceAll(' ', '-')}.pem`);
    await writeFile(ca, certificate.toString('pem'));
    return new Authority(folder, keys, certificate, ca);
  }

  /** Signs a certificate for a new key. */
  async issue(name: string, { names = LOCAL, from = -1, to = 7 }: PairOptions = {}): Promise<Pair> {
    const keys = (await crypto.subtle.generateKey(ALGORITHM, true, [
      'sign',
      'verify',
    ])) as webcrypto.CryptoKeyPair;
    this.serial += 1;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: this.serial.toString(16).padStart(2, '0'),
      subject: `CN=${name}`,
      issuer: this.certificate.subject,
      notBefore: DAY(from),
      notAfter: DAY(to),
      signingAlgorithm: ALGORITHM,
      publicKey: keys.publicKey,
      signingKey: this.keys.privateKey,
      extensions: [new x509.SubjectAlternativeNameExtension([...names])],
    });
    const pair = { cert: join(this.folder, `${name}.pem`), key: join(this.folder, `${name}.key`) };
    await writeFile(pair.cert, certificate.toString('pem'));
    const der = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
    await writeFile(pair.key, x509.PemConverter.encode(der, 'PRIVATE KEY'));
    return pair;
  }
}
