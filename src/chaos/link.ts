/** One connection through the network: a socket on either side, and what happens to the bytes between them. */
import type { Socket } from 'node:net';
import { Flow } from './flow.js';
import type { ChaosOptions } from './options.js';
import type { ChaosRandom } from './random.js';
import { between } from './random.js';
import type { ChaosStats } from './stats.js';
import type { Timers } from './timers.js';

export interface Network {
  readonly chaos: ChaosOptions;
  readonly random: ChaosRandom;
  readonly timers: Timers;
  readonly stats: ChaosStats;
  /** The instant until which the present partition lasts, or 0 where there is none. */
  readonly partitionedUntil: () => number;
}

export class Link {
  private readonly there: Flow;
  private readonly back: Flow;
  private over = false;

  /** @param onEnd is called once, when both sockets are closed or about to be. */
  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly network: Network,
    private readonly onEnd: (link: Link) => void,
  ) {
    this.there = new Flow(client, server, network.timers);
    this.back = new Flow(server, client, network.timers);
    this.carry(client, this.there);
    this.carry(server, this.back);
    this.partition(network.partitionedUntil());
  }

  /** Lets nothing through in either direction before the instant `until`. */
  partition(until: number): void {
    this.there.block(until);
    this.back.block(until);
  }

  /** Ends both sockets at once; with a reset that their other ends see, where asked to. */
  end(how: 'reset' | 'quiet'): void {
    if (this.over) return;
    this.over = true;
    for (const flow of [this.there, this.back]) flow.stop();
    for (const socket of [this.client, this.server]) {
      if (how === 'reset' && !socket.connecting) socket.resetAndDestroy();
      else socket.destroy();
    }
    this.onEnd(this);
  }

  private carry(from: Socket, flow: Flow): void {
    from.on('data', (bytes) => this.take(bytes, flow));
    from.on('end', () => flow.push(null, this.delayMs()));
    // Whatever breaks one side breaks the other: a network does not explain.
    from.on('error', () => this.end('reset'));
    from.on('close', () => this.closeWhenBothAre());
  }

  private take(bytes: Buffer, flow: Flow): void {
    const { chaos, random, stats, timers } = this.network;
    stats.chunks += 1;
    stats.bytes += bytes.length;
    if (random.next() < chaos.reset) {
      stats.resets += 1;
      this.end('reset');
      return;
    }
    if (random.next() < chaos.stall.chance) {
      stats.stalls += 1;
      flow.block(timers.now() + chaos.stall.ms);
    }
    flow.push(bytes, this.delayMs());
  }

  private delayMs(): number {
    const { latency, jitterMs } = this.network.chaos;
    const { random } = this.network;
    return between(random, latency.minMs, latency.maxMs) + between(random, 0, jitterMs);
  }

  private closeWhenBothAre(): void {
    if (this.client.closed && this.server.closed) this.end('quiet');
  }
}
