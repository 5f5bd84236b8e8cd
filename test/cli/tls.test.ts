/** TLS on the command line: serve with a certificate, check with its CA. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { check } from '../../src/cli/check.js';
import type { CheckOptions } from '../../src/cli/check-options.js';
import { UsageError } from '../../src/cli/failure.js';
import { runCheck } from '../../src/cli/run-check.js';
import { Supply } from '../../src/cli/supply.js';
import { withDefaults } from '../../src/library/certify.js';
import { startProvider } from '../../src/provider/index.js';
import { serverTls } from '../../src/wire/index.js';
import { Authority, type PairOptions, scratchFolder } from '../tls/authority.js';

describe('a provider behind TLS', () => {
  it('is checked with the CA of its certificate', async () => {
    const authority = await Authority.in(await scratchFolder());
    const { cert, key } = await authority.issue('server');
    const provider = await startProvider({
      addr: '127.0.0.1:0',
      seedCount: 16,
      credentials: await serverTls({ tls: true, tlsCert: cert, tlsKey: key }),
    });
    onTestFinished(() => provider.stop());
    const target = provider.address.replace('127.0.0.1', 'localhost');
    const options = withDefaults({ target, tls: true, tlsCa: authority.ca, only: ['B301'], runs: 0 });
    const supply = new Supply(options);
    const run = await check(supply, options, {
      clock: () => performance.now(),
      sleep: (ms) => sleep(ms),
      timestamp: '2026-01-02T03:04:05.678Z',
      listen: () => {},
      interrupted: new Promise(() => {}),
    });
    expect(run.verdict).toBe('CERTIFIED');
    expect(supply.replayWith('black-box')).toBe(`--target ${target} --tls --tls-ca ${authority.ca}`);
  }, 30_000);
});

describe('a bad network before a provider behind TLS', { timeout: 60_000 }, () => {
  it.each(['localhost', '127.0.0.1'])(
    "still asks for a certificate of the target's own name (%s)",
    async (host) => {
      const authority = await Authority.in(await scratchFolder());
      const names = [
        host === 'localhost' ? { type: 'dns' as const, value: host } : { type: 'ip' as const, value: host },
      ];
      const right = await subjectOf(authority, host, { names });
      expect(right.listing.machines.length).toBe(16);
      await right.stop();
      const other = [{ type: 'dns' as const, value: 'elsewhere.example' }];
      await expect(subjectOf(authority, host, { names: other })).rejects.toThrow(
        new RegExp(`at ${host.replaceAll('.', '[.]')}:\\d+, but its certificate is for another name`),
      );
    },
  );
});

/** Meets a provider with a certificate of these names at `host`, through a slow network. */
async function subjectOf(authority: Authority, host: string, options: PairOptions) {
  const { cert, key } = await authority.issue(`server-${Math.trunc(performance.now() * 1_000)}`, options);
  const credentials = await serverTls({ tls: true, tlsCert: cert, tlsKey: key });
  const provider = await startProvider({ addr: '127.0.0.1:0', seedCount: 16, credentials });
  onTestFinished(() => provider.stop());
  const target = provider.address.replace('127.0.0.1', host);
  const chaos = 'latency=0..1';
  return new Supply(withDefaults({ target, tls: true, tlsCa: authority.ca, chaos })).blackBox();
}

describe('what is secret', { timeout: 60_000 }, () => {
  it('reaches neither a report, nor a counterexample, nor the terminal', async () => {
    const folder = await scratchFolder();
    const authority = await Authority.in(folder);
    const server = await authority.issue('server');
    const client = await authority.issue('client');
    const credentials = await serverTls({
      tls: true,
      tlsCert: server.cert,
      tlsKey: server.key,
      tlsCa: authority.ca,
    });
    const provider = await startProvider({
      addr: '127.0.0.1:0',
      seedCount: 32,
      credentials,
      mutant: 'equal-token-passes',
    });
    onTestFinished(() => provider.stop());
    const token = 'token-5up3r53cr3t';
    process.env.BFCHECK_TEST_TOKEN = token;
    onTestFinished(() => {
      delete process.env.BFCHECK_TEST_TOKEN;
    });
    const said: string[] = [];
    const options = withDefaults({
      target: provider.address,
      tls: true,
      tlsCa: authority.ca,
      tlsCert: client.cert,
      tlsKey: client.key,
      only: ['B303'],
      runs: 0,
      verbose: true,
      out: `${folder}/out`,
      corpus: `${folder}/corpus`,
    });
    expect(await runCheck(options, (text) => said.push(text))).toBe(1);
    const files = ['out', 'corpus'].flatMap((name) =>
      readdirSync(`${folder}/${name}`).map((file) => `${folder}/${name}/${file}`),
    );
    expect(files.length).toBeGreaterThan(5);
    const key = readFileSync(client.key, 'utf8')
      .split('\n')
      .filter((line) => /^[A-Za-z0-9+/=]{20,}$/.test(line));
    expect(key.length).toBeGreaterThan(1);
    for (const text of [said.join(''), ...files.map((file) => readFileSync(file, 'utf8'))]) {
      for (const secret of [token, 'PRIVATE KEY', ...key]) expect(text).not.toContain(secret);
    }
  });
});

describe('TLS options that make no sense together', () => {
  it.each<[Partial<CheckOptions>, string]>([
    [{ tls: true }, '--tls is for a provider that is running: give its address with --target'],
    [
      { tls: true, boot: './p {addr}' },
      '--tls is for a provider that is running: give its address with --target',
    ],
    [{ target: 'h:1', tlsCa: 'x' }, '--tls-ca works only with --tls; add --tls or leave it out'],
    [{ target: 'h:1', tls: true, tlsKey: 'x' }, '--tls-key is given without --tls-cert'],
  ])('%j is refused', (given, message) => {
    expect(() => new Supply(withDefaults(given))).toThrow(UsageError);
    expect(() => new Supply(withDefaults(given))).toThrow(message);
  });
});
