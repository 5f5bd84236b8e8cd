import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProvider } from '../../src/provider/index.js';
import { EnvironmentError } from '../../src/wire/environment-error.js';
import { MachineList } from '../../src/wire/gen/provider.js';
import { awaitReady } from '../../src/wire/ready.js';
import { RAW_METHODS } from '../../src/wire/service.js';
import { clientTls, serverTls } from '../../src/wire/tls.js';
import { type TlsOptions, tlsOptionsProblem } from '../../src/wire/tls-options.js';
import { machineMessage } from '../wire/messages.js';
import { connect, listen, startGrpcServer } from '../wire/servers.js';
import { Authority, type Pair, scratchFolder } from './authority.js';

const clock = () => performance.now();
const reply = Buffer.from(
  MachineList.encode({ machines: [machineMessage()], revision: new Uint8Array(0) }).finish(),
);

/** A provider with these credentials; ends with the test. Its address names the loopback address by its DNS name. */
async function serve(credentials: ServerCredentials): Promise<string> {
  const server = new Server();
  const refuse = (_call: unknown, answer: (error: { code: number }) => void) => answer({ code: 12 });
  server.addService(RAW_METHODS, {
    Create: refuse,
    Configure: refuse,
    Drain: refuse,
    Delete: refuse,
    Get: refuse,
    List: (_call: unknown, answer: (error: null, bytes: Buffer) => void) => answer(null, reply),
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  onTestFinished(() => server.forceShutdown());
  return `localhost:${port}`;
}

/** Like serverTls, which would refuse a certificate that is not valid now. */
async function unchecked({ cert, key }: Pair): Promise<ServerCredentials> {
  const pair = { cert_chain: await readFile(cert), private_key: await readFile(key) };
  return ServerCredentials.createSsl(null, [pair]);
}

async function machines(target: string, options: TlsOptions, now?: Date): Promise<number> {
  const client = connect(target, await clientTls({ tls: true, ...options }, target, now));
  return (await awaitReady(client, { deadlineMs: 2_000, clock, sleep })).machines.length;
}

/** The one line that the attempt ends with. */
async function complaint(attempt: Promise<unknown>): Promise<string> {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EnvironmentError);
  const message = error instanceof Error ? error.message : '';
  expect(message).not.toMatch(/[\n\r]|SSL routines|BEGIN PRIVATE|openssl\/ssl/);
  return message;
}

const clientOf = ({ cert, key }: Pair) => ({ tlsCert: cert, tlsKey: key });

describe('TLS', () => {
  it('connects to a server whose CA is given', async () => {
    const authority = await Authority.in(await scratchFolder());
    const { cert, key } = await authority.issue('server');
    const target = await serve(await serverTls({ tls: true, tlsCert: cert, tlsKey: key }));
    expect(await machines(target, { tlsCa: authority.ca })).toBe(1);
  });

  it('connects to a server under the name of its certificate', async () => {
    const authority = await Authority.in(await scratchFolder());
    const names = [{ type: 'dns' as const, value: 'provider.example' }];
    const target = await serve(await unchecked(await authority.issue('server', { names })));
    expect(await machines(target, { tlsCa: authority.ca, tlsServerName: 'provider.example' })).toBe(1);
    expect(await complaint(machines(target, { tlsCa: authority.ca }))).toMatch(
      /is for another name; .*--tls-server-name/,
    );
  });

  it('connects to an address, whose certificate must be for it, without a word of warning', async () => {
    const authority = await Authority.in(await scratchFolder());
    const warnings: string[] = [];
    const listener = (warning: Error): void => {
      warnings.push(warning.message);
    };
    process.on('warning', listener);
    onTestFinished(() => {
      process.off('warning', listener);
    });
    const right = (await serve(await unchecked(await authority.issue('right')))).replace(
      'localhost',
      '127.0.0.1',
    );
    expect(await machines(right, { tlsCa: authority.ca })).toBe(1);
    const names = [{ type: 'dns' as const, value: 'localhost' }];
    const wrong = await serve(await unchecked(await authority.issue('wrong', { names })));
    const address = wrong.replace('localhost', '127.0.0.1');
    expect(await complaint(machines(address, { tlsCa: authority.ca }))).toMatch(/is for another name/);
    expect(await complaint(machines(right, {}))).toMatch(/self-signed or of an unknown CA/);
    // Warnings are told of in a turn of their own.
    await sleep(0);
    expect(warnings).toEqual([]);
  });

  it('says that a CA is unknown', async () => {
    const folder = await scratchFolder();
    const [one, other] = [await Authority.in(folder, 'one'), await Authority.in(folder, 'other')];
    const target = await serve(await unchecked(await one.issue('server')));
    const unknown = /self-signed or of an unknown CA; .*--tls-ca/;
    expect(await complaint(machines(target, {}))).toMatch(unknown);
    expect(await complaint(machines(target, { tlsCa: other.ca }))).toMatch(unknown);
  });

  it('says that a certificate is not valid now', async () => {
    const authority = await Authority.in(await scratchFolder());
    const expired = await serve(await unchecked(await authority.issue('old', { from: -9, to: -2 })));
    expect(await complaint(machines(expired, { tlsCa: authority.ca }))).toMatch(/certificate has expired/);
    const early = await serve(await unchecked(await authority.issue('new', { from: 2, to: 9 })));
    expect(await complaint(machines(early, { tlsCa: authority.ca }))).toMatch(/not valid yet/);
  });

  it('says that the server does not speak TLS', async () => {
    const server = await startGrpcServer({ List: (_call, answer) => answer(null, reply) });
    expect(await complaint(machines(server.target, {}))).toMatch(/does not speak TLS; leave --tls out/);
  });

  it('says that a server wants TLS', async () => {
    const authority = await Authority.in(await scratchFolder());
    const target = await serve(await unchecked(await authority.issue('server')));
    const plain = awaitReady(connect(target), { deadlineMs: 500, clock, sleep });
    expect(await complaint(plain)).toMatch(/whether the server wants TLS/);
  });
});

describe('the reference provider', () => {
  it('serves with the credentials it is given', async () => {
    const authority = await Authority.in(await scratchFolder());
    const { cert, key } = await authority.issue('server');
    const credentials = await serverTls({ tls: true, tlsCert: cert, tlsKey: key });
    const provider = await startProvider({ addr: 'localhost:0', seedCount: 3, credentials });
    onTestFinished(() => provider.stop());
    expect(await machines(provider.address, { tlsCa: authority.ca })).toBe(3);
  });
});

describe('mutual TLS', () => {
  it('takes clients of its CA and tells others why not', async () => {
    const folder = await scratchFolder();
    const [one, other] = [await Authority.in(folder, 'one'), await Authority.in(folder, 'other')];
    const { cert, key } = await one.issue('server');
    const target = await serve(await serverTls({ tls: true, tlsCert: cert, tlsKey: key, tlsCa: one.ca }));
    const names = [{ type: 'url' as const, value: 'bigfleet://shard/conformance-1' }];
    const welcome = clientOf(await one.issue('client', { names }));
    expect(await machines(target, { tlsCa: one.ca, ...welcome })).toBe(1);
    expect(await complaint(machines(target, { tlsCa: one.ca }))).toMatch(
      /asks for a client certificate .*--tls-cert/,
    );
    const stranger = clientOf(await other.issue('stranger', { names }));
    expect(await complaint(machines(target, { tlsCa: one.ca, ...stranger }))).toMatch(
      /whether it takes the client certificate/,
    );
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('says so for a server of %s outside grpc-js', async (version) => {
    const authority = await Authority.in(await scratchFolder());
    const { cert, key } = await authority.issue('server');
    const server = tls.createServer({
      cert: await readFile(cert),
      key: await readFile(key),
      ca: await readFile(authority.ca),
      requestCert: true,
      ALPNProtocols: ['h2'],
      minVersion: version,
      maxVersion: version,
    });
    server.on('tlsClientError', () => undefined);
    const target = (await listen(server)).replace('127.0.0.1', 'localhost');
    expect(await complaint(machines(target, { tlsCa: authority.ca }))).toMatch(
      /asks for a client certificate/,
    );
  });
});

describe('the files of a certificate', () => {
  async function files() {
    const folder = await scratchFolder();
    const authority = await Authority.in(folder);
    const garbage = `${folder}/garbage`;
    await writeFile(garbage, 'no PEM at all');
    const damaged = `${folder}/damaged`;
    await writeFile(damaged, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    return { folder, authority, garbage, damaged, pair: await authority.issue('client') };
  }
  const load = (options: TlsOptions, now?: Date) =>
    complaint(clientTls({ tls: true, ...options }, 'localhost:1', now));

  it('must exist', async () => {
    const { folder, pair } = await files();
    const missing = `${folder}/missing.pem`;
    expect(await load({ tlsCa: missing })).toMatch(
      /cannot read --tls-ca .*missing\.pem": there is no such file/,
    );
    expect(await load({ tlsCert: missing, tlsKey: pair.key })).toMatch(/cannot read --tls-cert/);
    expect(await load({ tlsCert: pair.cert, tlsKey: folder })).toMatch(/cannot read --tls-key .*a folder/);
  });

  it('must be PEM', async () => {
    const { garbage, damaged, pair } = await files();
    expect(await load({ tlsCa: garbage })).toMatch(/expected a certificate in PEM .*--tls-ca/);
    expect(await load({ tlsCa: damaged })).toMatch(/damaged certificate/);
    expect(await load({ tlsCert: pair.key, tlsKey: pair.key })).toMatch(/expected a certificate in PEM/);
    expect(await load({ tlsCert: pair.cert, tlsKey: garbage })).toMatch(/expected a private key in PEM/);
    expect(await load({ tlsCert: pair.cert, tlsKey: pair.cert })).toMatch(/expected a private key in PEM/);
  });

  it('must fit each other', async () => {
    const { authority, pair } = await files();
    const { key } = await authority.issue('another');
    expect(await load({ tlsCert: pair.cert, tlsKey: key })).toMatch(/does not fit the certificate/);
  });

  it('must be valid now', async () => {
    const { pair } = await files();
    const options = { tlsCert: pair.cert, tlsKey: pair.key };
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    expect(await load(options, inDays(8))).toMatch(/expired on .*; renew it/);
    expect(await load(options, inDays(-2))).toMatch(/is not valid before/);
  });
});

describe('tlsOptionsProblem', () => {
  it.each<[TlsOptions, 'client' | 'server']>([
    [{}, 'client'],
    [{}, 'server'],
    [{ tls: true }, 'client'],
    [{ tls: true, tlsCa: 'ca', tlsServerName: 'name' }, 'client'],
    [{ tls: true, tlsCert: 'cert', tlsKey: 'key' }, 'server'],
    [{ tls: true, tlsCert: 'cert', tlsKey: 'key', tlsCa: 'ca' }, 'server'],
  ])('accepts %j for a %s', (options, role) => {
    expect(tlsOptionsProblem(options, role)).toBeNull();
  });

  it.each<[TlsOptions, 'client' | 'server', RegExp]>([
    [{ tlsCa: 'ca' }, 'client', /--tls-ca works only with --tls/],
    [{ tls: false, tlsServerName: 'name' }, 'client', /--tls-server-name works only with --tls/],
    [{ tls: true, tlsCert: 'cert' }, 'client', /--tls-cert is given without --tls-key/],
    [{ tls: true, tlsKey: 'key' }, 'client', /--tls-key is given without --tls-cert/],
    [{ tls: true, tlsCa: '' }, 'client', /--tls-ca is empty/],
    [{ tls: true }, 'server', /needs a certificate/],
    [{ tls: true, tlsCa: 'ca' }, 'server', /needs a certificate/],
  ])('refuses %j for a %s', (options, role, message) => {
    expect(tlsOptionsProblem(options, role)).toMatch(message);
  });
});
