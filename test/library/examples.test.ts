/** The examples in docs/examples, run by their own test runners, against a correct and a wrong provider. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type RunningProvider, startProvider } from '../../src/provider/index.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const A_SUITE_MS = 300_000;

const running: RunningProvider[] = [];
afterAll(() => Promise.all(running.map((provider) => provider.stop())));

async function address(mutant?: string): Promise<string> {
  const provider = await startProvider({
    addr: '127.0.0.1:0',
    seedCount: 64,
    ...(mutant === undefined ? {} : { mutant }),
  });
  running.push(provider);
  return provider.address;
}

/** Runs a test runner on an example. Resolves to its exit code and everything it printed. */
function run(args: readonly string[], target: string): Promise<{ code: number; output: string }> {
  const env: NodeJS.ProcessEnv = { ...process.env, TARGET: target, NO_COLOR: '1' };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: ROOT, env, maxBuffer: 2 ** 26 },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

const RUNNERS = [
  ['node:test', ['--test', '--test-reporter=tap', 'docs/examples/node-test.mjs'], /^# pass [5-9]\d$/m],
  [
    'vitest',
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/library/vitest.config.ts'],
    /Tests {2}[5-9]\d passed/,
  ],
] as const;

describe.concurrent.each(RUNNERS)('the example for %s', (_, args, passes) => {
  it(
    'passes on a correct provider',
    async () => {
      const { code, output } = await run(args, await address());
      expect(output).toMatch(passes);
      expect(code).toBe(0);
    },
    A_SUITE_MS,
  );

  it(
    'fails with the story on a wrong one',
    async () => {
      const { code, output } = await run(args, await address('mark-not-advanced-when-op-fails'));
      expect(code).toBe(1);
      expect(output).toContain('<- wrong');
      expect(output).toContain('failed-operation-moves-the-mark');
    },
    A_SUITE_MS,
  );
});
