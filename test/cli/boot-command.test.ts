/** What a user is told about a boot command that cannot work. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { CheckOptions } from '../../src/cli/check-options.js';
import { UsageError } from '../../src/cli/failure.js';
import { Supply } from '../../src/cli/supply.js';
import { boot, shellLauncher } from '../../src/lanes/boot.js';

const supply = (options: Partial<CheckOptions>) => new Supply(options as CheckOptions);

it.each(['boot', 'faultBoot'] as const)('%s without a place for the address is bad usage', (option) => {
  expect(() => supply({ [option]: './provider' })).toThrow(UsageError);
  expect(() => supply({ [option]: './provider' })).toThrow('{addr} or {port}');
  expect(() => supply({ [option]: './provider --addr={addr}' })).not.toThrow();
  expect(() => supply({ [option]: './provider -p {port}' })).not.toThrow();
});

it('a provider that ends at once is quoted with the line that says why, not with the end of its usage', async () => {
  const usage =
    "printf 'flag provided but not defined: -adr\\nUsage of provider:\\n  -addr string\\n' >&2; exit 2";
  const options = {
    connections: 1,
    callTimeoutMs: 1_000,
    bootTimeoutMs: 10_000,
    clock: () => performance.now(),
    sleep: (ms: number) => sleep(ms),
  };
  const values = { seedCount: 1, state: '', provider: 'x' };
  await expect(boot(shellLauncher(usage), values, options)).rejects.toThrow(
    /exited with code 2.*not defined: -adr/,
  );
});
