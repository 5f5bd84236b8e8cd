/** Proxies and servers for the tests of the broken network; each ends with its test. */
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { CALM, type ChaosOptions, type ChaosProxy, startChaosProxy } from '../../src/chaos/index.js';
import { seededRandom } from '../../src/provider/random.js';

/** A proxy in front of `target`. */
export async function proxyTo(
  target: string,
  chaos: Partial<ChaosOptions> = {},
  seed = 1,
): Promise<ChaosProxy> {
  const proxy = await startChaosProxy({ target, chaos: { ...CALM, ...chaos }, random: seededRandom(seed) });
  onTestFinished(() => proxy.stop());
  return proxy;
}

/** Everything that came in on one connection, and how it ended. */
export class Conversation {
  private readonly chunks: Buffer[] = [];
  private error: NodeJS.ErrnoException | undefined;
  private readonly changed = new Set<() => void>();

  private constructor(readonly socket: Socket) {
    const tell = () => {
      for (const wake of [...this.changed]) wake();
    };
    socket.on('data', (bytes) => {
      this.chunks.push(bytes);
      tell();
    });
    socket.on('error', (error) => {
      this.error = error;
    });
    socket.on('close', tell);
  }

  static async with(address: string): Promise<Conversation> {
    const [host, port] = address.split(':');
    const socket = net.connect({ host, port: Number(port) });
    onTestFinished(() => {
      socket.destroy();
    });
    await once(socket, 'connect');
    return new Conversation(socket);
  }

  get received(): Buffer {
    return Buffer.concat(this.chunks);
  }

  /** Resolves once `length` bytes came in; fails after five seconds. */
  async bytes(length: number): Promise<Buffer> {
    await this.until(() => this.received.length >= length, `${length} bytes`);
    return this.received;
  }

  /** How the connection ended: the code of its error, or `closed`. */
  async ending(): Promise<string> {
    await this.until(() => this.socket.closed, 'the end of the connection');
    return this.error?.code ?? 'closed';
  }

  private async until(condition: () => boolean, what: string): Promise<void> {
    const deadline = AbortSignal.timeout(5_000);
    while (!condition()) {
      if (deadline.aborted) throw new Error(`${what} did not come within 5 s`);
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.changed.delete(wake);
          deadline.removeEventListener('abort', wake);
          resolve();
        };
        this.changed.add(wake);
        deadline.addEventListener('abort', wake);
      });
    }
  }
}
