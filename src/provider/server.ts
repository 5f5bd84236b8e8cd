import { randomBytes } from 'node:crypto';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { type Actuator, timedActuator } from './actuator.js';
import { altered } from './alteration.js';
import { FAULT_TIMEOUT_MS, FAULTY_FLEET, faultActuator } from './fault-actuator.js';
import { findMutant } from './mutants/index.js';
import { healthy, type Latency } from './policies.js';
import { createProvider, type Provider } from './provider.js';
import { type Random, seededRandom } from './random.js';
import { type Scheduler, timerScheduler } from './scheduler.js';
import { handlers, SERVICE } from './service.js';
import { FORGETFUL, type Store } from './store.js';
import { findVariant } from './variants/index.js';

/** How a reference provider is started. */
export interface ProviderOptions {
  /** `host:port` to listen on; port 0 takes a free one. */
  readonly addr: string;
  /** Plaintext unless given. */
  readonly credentials?: ServerCredentials;
  /** Machines in a new fleet; 256 unless given. */
  readonly seedCount?: number;
  /** HostRef.provider of every machine; `reference` unless given. */
  readonly providerName?: string;
  /** How long a transition takes, in milliseconds; 0 to 2 unless given. */
  readonly latency?: Latency;
  /** False for a provider that answers every Delete UNIMPLEMENTED. */
  readonly deletes?: boolean;
  /** Name of the bug to have, see {@link findMutant}. */
  readonly mutant?: string;
  /** Name of the unusual but correct way to be, see {@link findVariant}. */
  readonly variant?: string;
  /** Seed of every chance decision; 1 unless given. */
  readonly randomSeed?: number;
  /** Instead of a generator seeded with `randomSeed`. */
  readonly random?: Random;
  /** Instead of the process's timers. */
  readonly scheduler?: Scheduler;
  /** Instead of the actuator that always succeeds. */
  readonly actuator?: Actuator;
  /** Milliseconds after which a transition is given up as failed; never unless given. */
  readonly transitionTimeoutMs?: number;
  /**
   * True for a provider that fails where it is asked to (contract section 7, fault lane): by the cluster of a
   * Configure, or by the label of a machine. It gives transitions up after 2 s unless told otherwise.
   */
  readonly fault?: boolean;
  /** Folder in which the fleet survives the process; a fleet found there is taken up instead of a new one. */
  readonly statePath?: string;
  /** Instead of the one in `statePath`. */
  readonly store?: Store;
}

/** A provider that answers. */
export interface RunningProvider {
  /** `host:port` it listens on. */
  readonly address: string;
  readonly port: number;
  /** Stops listening, breaks what is open, and drops unfinished transitions. */
  stop(): Promise<void>;
}

/** gRPC's own limit of 4 MiB is below what a large fleet, map or blob needs. */
const UNLIMITED = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };

/**
 * Starts a reference provider.
 * @throws RangeError for an unknown mutant or variant
 * @throws Error when the address cannot be bound or the state folder cannot be used
 */
export async function startProvider(options: ProviderOptions): Promise<RunningProvider> {
  const scheduler = options.scheduler ?? timerScheduler();
  const store = options.store ?? (await storeIn(options.statePath));
  const server = new Server(UNLIMITED);
  const stop = async () => {
    scheduler.close();
    await new Promise<void>((resolve) => {
      server.tryShutdown(() => resolve());
      server.forceShutdown();
    });
    await store.close();
  };
  try {
    server.addService(SERVICE, handlers(assemble(options, scheduler, store), store));
    const port = await listen(server, options);
    const host = options.addr.slice(0, options.addr.lastIndexOf(':'));
    return { address: `${host}:${port}`, port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Loaded only when it is used: most providers keep nothing, and a native module is slow to load. */
async function storeIn(path: string | undefined): Promise<Store> {
  if (path === undefined) return FORGETFUL;
  const { openDurableStore } = await import('./durable-store.js');
  return openDurableStore(path);
}

/**
 * The provider that `options` describe, without a server in front of it.
 * @throws RangeError for an unknown mutant or variant
 */
export function assemble(
  options: Omit<ProviderOptions, 'addr' | 'credentials'>,
  scheduler: Scheduler,
  store: Store,
): Provider {
  const variant = options.variant === undefined ? undefined : findVariant(options.variant);
  const mutant = options.mutant === undefined ? undefined : findMutant(options.mutant);
  const base = healthy(options.latency ?? { minMs: 0, maxMs: 2 });
  const faulty = options.fault === true;
  const policies = altered(altered(altered(base, faulty ? FAULTY_FLEET : undefined), variant), mutant);
  const random = options.random ?? seededRandom(options.randomSeed ?? 1);
  const transitionTimeoutMs = options.transitionTimeoutMs ?? (faulty ? FAULT_TIMEOUT_MS : undefined);
  const timed = timedActuator(policies, random, scheduler);
  const actuator =
    faulty && transitionTimeoutMs !== undefined
      ? faultActuator(policies, timed, scheduler, transitionTimeoutMs)
      : timed;
  return createProvider({
    policies,
    config: {
      providerName: options.providerName ?? 'reference',
      seedCount: options.seedCount ?? 256,
      deletes: options.deletes ?? variant?.deletes ?? true,
      boot: randomBytes(6).toString('hex'),
      cursorKey: randomBytes(16).toString('hex'),
      transitionTimeoutMs,
    },
    random,
    scheduler,
    store,
    actuator: options.actuator ?? actuator,
  });
}

function listen(server: Server, { addr, credentials }: ProviderOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(addr, credentials ?? ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}
