/** Providers in processes of their own, for tests that kill them. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ProviderOptions } from '../../src/provider/index.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = `${PROJECT}node_modules/.cache/provider-fixture/test/provider/fixture/serve.js`;

/** Compiles the program that {@link spawnProvider} runs; once before the tests of a file. */
export function compileFixture(): void {
  execFileSync('node_modules/.bin/tsc', ['-p', 'test/provider/fixture/tsconfig.json'], { cwd: PROJECT });
}

/** A provider in a process of its own. */
export interface ProviderProcess {
  /** Resolves with `host:port`; rejects with what it printed when the process ends before it listens. */
  readonly address: Promise<string>;
  /** Kills it like a power cut would, and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a provider on a free port. */
export function spawnProvider(options: Omit<ProviderOptions, 'addr'>): ProviderProcess {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify({ addr: '127.0.0.1:0', ...options })]);
  const ended = once(child, 'close');
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const listens = once(createInterface(child.stdout), 'line').then(([line]) => String(line));
  const dies = ended.then(([code, signal]) => {
    throw new Error(`the provider ended (${code ?? signal}) before it listened: ${complaint}`);
  });
  const address = Promise.race([listens, dies]);
  address.catch(() => undefined);
  dies.catch(() => undefined);
  return {
    address,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
