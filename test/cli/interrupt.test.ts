/** bfcheck is ended at random moments: it still reports, and leaves no provider behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '../../dist/src/cli/main.js');
/** How often each way is tried; more on demand: `BFCHECK_KILLS=10 npx vitest run test/cli/interrupt.test.ts`. */
const TRIES = Number(process.env.BFCHECK_KILLS ?? 1);
const LATEST_MS = 6_000;
const GONE_DEADLINE_MS = 20_000;
const UP_DEADLINE_MS = 60_000;

/** Processes that inherited `mark` in their environment. */
async function marked(mark: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    const state = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
    if (environment.includes(mark) && !/\) Z /.test(state)) found.push(pid);
  }
  return found;
}

async function untilGone(mark: string): Promise<string[]> {
  const deadline = performance.now() + GONE_DEADLINE_MS;
  for (;;) {
    const left = await marked(mark);
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(50);
  }
}

interface Victim {
  readonly child: ChildProcess;
  readonly mark: string;
  readonly folder: string;
}

async function start(
  command: (args: string) => readonly [string, readonly string[]],
  more = '',
): Promise<Victim> {
  const folder = await mkdtemp(join(tmpdir(), 'bfcheck-kill-'));
  const mark = `BFCHECK_TEST_MARK_${randomUUID()}`;
  const args = `--profile core,cloud,spot,durable --runs 2000 --crashes 40 --out ${folder}/reports --corpus ${folder}/seeds${more}`;
  const [program, words] = command(args);
  const child = spawn(program, words, {
    env: { ...process.env, [mark]: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  // Its first line says that it is up, and listens to signals.
  const { stdout } = child;
  if (stdout === null) throw new Error('the child has a pipe for its output');
  await once(stdout, 'data', { signal: AbortSignal.timeout(UP_DEADLINE_MS) });
  stdout.resume();
  return { child, mark, folder };
}

const node = (args: string): readonly [string, readonly string[]] => [
  process.execPath,
  [MAIN, ...args.split(' ')],
];
const underShell = (args: string): readonly [string, readonly string[]] => [
  '/bin/sh',
  ['-c', `"${process.execPath}" "${MAIN}" ${args} & wait`],
];

/** Moments of a run, in milliseconds after its first line. */
const moments = Array.from({ length: TRIES }, (_, i) => 300 + ((i * 7919) % LATEST_MS));

describe.skipIf(process.platform !== 'linux')('bfcheck that is ended early', () => {
  it('reports what it knows at its time limit, and leaves nothing running', {
    timeout: 180_000,
  }, async () => {
    const { child, mark, folder } = await start(node, ' --time-limit 1500ms');
    try {
      // The test's own deadline is the proof: all that was asked for takes far longer.
      const [code] = await once(child, 'exit');
      expect(await untilGone(mark)).toEqual([]);
      expect(code).toBe(4);
      expect(JSON.parse(await readFile(join(folder, 'reports/report.json'), 'utf8'))).toMatchObject({
        verdict: 'INCOMPLETE',
        interrupted: 'the time limit of 1500 ms (--time-limit)',
      });
    } finally {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it.each(moments)(
      `reports what it knows after ${signal} at %i ms, and leaves nothing running`,
      { timeout: 180_000 },
      async (ms) => {
        const { child, mark, folder } = await start(node);
        try {
          await sleep(ms);
          child.kill(signal);
          const [code] = await once(child, 'exit');
          expect(await untilGone(mark)).toEqual([]);
          expect(code).toBe(4);
          const report: unknown = JSON.parse(await readFile(join(folder, 'reports/report.json'), 'utf8'));
          expect(report).toMatchObject({ verdict: 'INCOMPLETE', interrupted: `interrupted by ${signal}` });
        } finally {
          child.kill('SIGKILL');
          await rm(folder, { recursive: true, force: true });
        }
      },
    );
  }

  it.each(moments)(
    'outlives the shell above it, killed at %i ms, and still ends clean',
    { timeout: 180_000 },
    async (ms) => {
      const { child, mark, folder } = await start(underShell);
      try {
        await sleep(ms);
        child.kill('SIGKILL');
        await once(child, 'exit');
        const [orphan] = (await marked(mark)).map(Number).sort((a, b) => a - b);
        if (orphan !== undefined) process.kill(orphan, 'SIGTERM');
        expect(await untilGone(mark)).toEqual([]);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  it.each(moments)(
    'takes its providers with it even when it is killed itself at %i ms',
    { timeout: 180_000 },
    async (ms) => {
      const { child, mark, folder } = await start(node);
      try {
        await sleep(ms);
        child.kill('SIGKILL');
        await once(child, 'exit');
        expect(await untilGone(mark)).toEqual([]);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
