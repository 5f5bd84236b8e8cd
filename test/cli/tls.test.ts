/** TLS on the command line: serve with a certificate, check with its CA. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { check } from '../../src/cli/check.js';
import type { CheckOptions } from '../../src/cli/check-options.js';
import { UsageError } from '../../src/cli/failure.js';
import { Supply } from '../../src/cli/supply.js';
import { withDefaults } from '../../src/library/certify.js';
import { startProvider } from '../../src/provider/index.js';
import { serverTls } from '../../src/wire/index.js';
import { Authority, scratchFolder } from '../tls/authority.js';

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
