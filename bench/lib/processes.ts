/** The processes that whole runs are made of: the built tool, and the provider that it meets. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/lanes/boot.js';
import { OwnedProcess } from '../../src/lanes/owned-process.js';

/** The command line as `npm run build` leaves it; this file runs from bench/dist/bench/lib. */
export const CLI = fileURLToPath(new URL('../../../../dist/src/cli/main.js', import.meta.url));
/** A compiled file of the benchmarks by its name. */
export const script = (name: string): string => fileURLToPath(new URL(`../${name}.js`, import.meta.url));

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  /** From its start to its end, in milliseconds. */
  readonly wallMs: number;
}

/**
 * Runs node to its end.
 * @throws Error when it ends with a code that is not among `codes`
 */
export async function node(args: readonly string[], codes: readonly number[] = [0]): Promise<Ended> {
  const from = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const wallMs = performance.now() - from;
  if (code === null || !codes.includes(code))
    throw new Error(`node ${args.join(' ')} ended with ${code}: ${stderr || stdout}`);
  return { code, stdout, wallMs };
}

/** What a whole check came to. */
export interface CheckRun {
  readonly wallMs: number;
  /** Of the check itself, the boot of the provider included. */
  readonly durationMs: number;
  readonly calls: number;
  readonly digest: string;
}

/** Runs `bfcheck` on the built-in provider, in a process of its own, and reads its report. */
export async function checkRun(args: readonly string[], nodeArgs: readonly string[] = []): Promise<CheckRun> {
  return inFolder(async (folder) => {
    const places = [`--out=${folder}`, `--corpus=${folder}`];
    const { wallMs } = await node([...nodeArgs, CLI, ...BLACK_BOX, ...places, ...args]);
    const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
    return { wallMs, durationMs: report.duration_ms, calls: report.stats.rpcs, digest: report.digest };
  });
}

const BLACK_BOX = ['--profile=core,cloud,spot', '--quiet'];

/** Lends a folder that is removed afterwards. */
export async function inFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bfcheck-bench-'));
  try {
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Serves the built-in provider in a process of its own while `body` runs. */
export async function withServer<T>(
  args: readonly string[],
  body: (target: string) => Promise<T>,
): Promise<T> {
  const target = `127.0.0.1:${await freePort()}`;
  const serve = ['serve', `--addr=${target}`, '--until-stdin-closes', ...args];
  const server = OwnedProcess.run(process.execPath, [CLI, ...serve]);
  try {
    return await body(target);
  } finally {
    await server.kill();
  }
}
