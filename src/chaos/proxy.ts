/** A TCP proxy that stands for a bad network between a client and its provider. It knows nothing of what it carries. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { parseTarget } from '../wire/target.js';
import { Link, type Network } from './link.js';
import type { ChaosOptions } from './options.js';
import { PartitionClock } from './partition.js';
import type { ChaosRandom } from './random.js';
import { type ChaosStats, noStats } from './stats.js';
import { processTimers, type Timers } from './timers.js';

export interface ChaosProxyOptions {
  /** Where the provider is: HOST:PORT, [IPV6]:PORT or unix:PATH. */
  readonly target: string;
  readonly chaos: ChaosOptions;
  /** Draws every chance. The same seed draws the same numbers; which chunk gets which is up to the network. */
  readonly random: ChaosRandom;
  /** Instead of the process's timers. */
  readonly timers?: Timers;
}

/** A proxy that carries connections. */
export interface ChaosProxy {
  /** `127.0.0.1:PORT`, for the client. */
  readonly address: string;
  /** Read it at any time; it goes on counting. */
  readonly stats: Readonly<ChaosStats>;
  /** Ends every connection and every timer, and stops listening. */
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

/**
 * Starts a proxy on a free port of the loopback address.
 *
 * @throws EnvironmentError when the target is malformed, Error when no port can be bound.
 */
export async function startChaosProxy(options: ChaosProxyOptions): Promise<ChaosProxy> {
  const { chaos, random, target, timers = processTimers() } = options;
  const open = dialer(target);
  const stats = noStats();
  const links = new Set<Link>();
  const partitions = new PartitionClock(chaos.partition, timers, (until) => {
    stats.partitions += 1;
    for (const link of links) link.partition(until);
  });
  const network: Network = { chaos, random, timers, stats, partitionedUntil: () => partitions.until };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    stats.connections += 1;
    links.add(new Link(client, open(), network, (link) => links.delete(link)));
  });
  const port = await listen(server);
  partitions.start();
  const stop = async (): Promise<void> => {
    partitions.stop();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const link of [...links]) link.end('quiet');
    await closed;
  };
  return { address: `${HOST}:${port}`, stats, stop };
}

function dialer(target: string): () => Socket {
  parseTarget(target);
  const shared = { allowHalfOpen: true, noDelay: true };
  if (target.startsWith('unix:')) {
    const path = target.slice('unix:'.length);
    return () => connect({ ...shared, path });
  }
  const colon = target.lastIndexOf(':');
  const host = target.slice(0, colon).replace(/^\[|\]$/g, '');
  const port = Number(target.slice(colon + 1));
  return () => connect({ ...shared, host, port });
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, () => {
      server.off('error', reject);
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('the proxy has no port'));
      else resolve(address.port);
    });
  });
}
