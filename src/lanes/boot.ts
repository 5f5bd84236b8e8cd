/** Boots the provider under test: the built-in one, or what `--boot` says. */
import { createServer } from 'node:net';
import type { Listing } from '../../model/call.js';
import {
  awaitAnswer,
  awaitReady,
  type Clock,
  EnvironmentError,
  ProviderClient,
  type ReadyOptions,
} from '../wire/index.js';
import { OwnedProcess } from './owned-process.js';

/** What the placeholders of a boot command stand for. */
export interface BootValues {
  readonly seedCount: number;
  /** Folder that survives the process; empty for a provider that keeps nothing. */
  readonly state: string;
  /** HostRef.provider to use. */
  readonly provider: string;
}

/** How to start a process that listens on `port` of the loopback address. */
export type Launcher = (port: number, values: BootValues) => OwnedProcess;

export interface BootOptions {
  readonly connections: number;
  readonly callTimeoutMs: number;
  readonly bootTimeoutMs: number;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A provider in a process of ours, of whose machines nothing is known yet. */
export interface StartedProvider {
  readonly process: OwnedProcess;
  readonly client: ProviderClient;
  readonly address: string;
  /** Ends the process with all its children. */
  stop(): Promise<void>;
}

/** A provider in a process of ours. */
export interface BootedProvider extends StartedProvider {
  /** Its first List. */
  readonly listing: Listing;
}

const HOST = '127.0.0.1';

/** Takes `--boot`'s command line; the placeholders are {addr}, {port}, {seed_count}, {state} and {provider}. */
export function shellLauncher(template: string): Launcher {
  return (port, values) => {
    const replacements: Readonly<Record<string, string>> = {
      '{addr}': `${HOST}:${port}`,
      '{port}': String(port),
      '{seed_count}': String(values.seedCount),
      '{state}': values.state,
      '{provider}': values.provider,
    };
    return OwnedProcess.shell(template.replace(/\{[a-z_]+\}/g, (name) => replacements[name] ?? name));
  };
}

/**
 * Starts a provider and waits until a List answers, which an open port does not promise (contract section 7).
 * @throws EnvironmentError with the last lines of its log when it does not come up
 */
export async function boot(
  launch: Launcher,
  values: BootValues,
  options: BootOptions,
): Promise<BootedProvider> {
  const { started, reply } = await start(launch, values, options, awaitReady);
  return { ...started, listing: reply };
}

/**
 * Like {@link boot}, for a large fleet that is to be looked at machine by machine: its first List is not decoded.
 * @throws EnvironmentError with the last lines of its log when it does not come up
 */
export async function bootLarge(
  launch: Launcher,
  values: BootValues,
  options: BootOptions,
): Promise<StartedProvider> {
  const { started } = await start(launch, values, options, awaitAnswer);
  return started;
}

async function start<R>(
  launch: Launcher,
  values: BootValues,
  options: BootOptions,
  answer: (client: ProviderClient, options: ReadyOptions) => Promise<R>,
): Promise<{ started: StartedProvider; reply: R }> {
  const port = await freePort();
  const owned = launch(port, values);
  const address = `${HOST}:${port}`;
  const client = new ProviderClient({ ...options, target: address });
  const stop = async (): Promise<void> => {
    client.close();
    await owned.kill();
  };
  try {
    const ready = answer(client, { ...options, deadlineMs: options.bootTimeoutMs });
    const reply = await Promise.race([ready, diedEarly(owned)]);
    return { started: { process: owned, client, address, stop }, reply };
  } catch (error) {
    await stop();
    throw new EnvironmentError(`the provider did not come up: ${reasonOf(error)}${lastWords(owned)}`);
  }
}

async function diedEarly(owned: OwnedProcess): Promise<never> {
  throw new EnvironmentError(`its process ${await owned.ended}`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a process says of its end; many print it first and then how they are to be used, or a stack. */
const TELLING = /error|fatal|panic|fail|refus|not defined|unknown|invalid/i;

function lastWords({ log }: OwnedProcess): string {
  const last = log.findLast((line) => TELLING.test(line)) ?? log.at(-1);
  return last === undefined ? '' : `; its last words: ${JSON.stringify(last.slice(0, 300))}`;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string')
    throw new EnvironmentError('no free port on the loopback address');
  return address.port;
}
