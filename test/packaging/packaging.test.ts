/** The real tarball in an empty folder, on this Node; `npm run test:packaging` takes three versions of it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('installs and works', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/packaging.mjs', '--quick'], {
    cwd: ROOT,
  }).catch((error: { stdout?: string }) => ({ stdout: String(error.stdout ?? error) }));
  expect(stdout).toMatch(/^packed \d+ files, \d+ KiB\ntypes compile\n {2}v\d+\.\d+\.\d+: works/);
}, 400_000);
