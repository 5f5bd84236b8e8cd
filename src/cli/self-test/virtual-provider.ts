/**
 * The reference provider in this process and in virtual time. Requests and replies are real bytes, and the handlers
 * are those of the server; only HTTP/2 between them is played.
 */
import { type Metadata, type ServerUnaryCall, status as StatusCode } from '@grpc/grpc-js';
import type { Call, CallKind, Listing, Outcome, ReplyOf } from '../../../model/call.js';
import type { ConnectedProvider, Exchanged } from '../../engine/world.js';
import type { MortalProvider } from '../../lanes/durable.js';
import type { Token } from '../../provider/call.js';
import {
  assemble,
  type Change,
  handlers,
  type ProviderOptions,
  type Scheduler,
  SERVICE,
  type Store,
} from '../../provider/index.js';
import type { Machine } from '../../provider/machine.js';
import { type Random, seededRandom } from '../../provider/random.js';
import { decodeReply, EnvironmentError, encodeCall } from '../../wire/index.js';
import type { VirtualTime } from './virtual-time.js';

/** What a virtual provider is like, beside the provider's own options. */
export interface VirtualOptions {
  readonly provider: Omit<ProviderOptions, 'addr' | 'credentials' | 'scheduler' | 'store'>;
  readonly connections: number;
  /** Seeds the time that each request and each reply is on its way. */
  readonly seed: number;
  /** The longest time on the way, in milliseconds. */
  readonly transitMs: number;
  /** How many times longer all the provider's own waits are. */
  readonly timeScale: number;
}

const METHODS = {
  Create: 'create',
  Configure: 'configure',
  Drain: 'drain',
  Delete: 'delete',
  Get: 'get',
  List: 'list',
} as const satisfies Readonly<Record<CallKind, keyof typeof SERVICE>>;

const EVERYTHING = { kind: 'List', states: [], maxResults: 0, sinceRevision: new Uint8Array() } as const;

/** One life of the provider: what it does after its end, nobody sees. */
interface Life {
  over: boolean;
  readonly domain: ReturnType<typeof assemble>;
  readonly serve: ReturnType<typeof handlers>;
}

export class VirtualProvider implements ConnectedProvider, MortalProvider {
  readonly connections: number;
  readonly log: readonly string[] = [];
  onLost: () => void = () => {};
  /** Calls made so far. */
  calls = 0;
  private readonly store: MemoryStore = new MemoryStore();
  private readonly random: Random;
  private life: Life | null = null;

  constructor(
    private readonly time: VirtualTime,
    private readonly options: VirtualOptions,
  ) {
    this.connections = options.connections;
    this.random = seededRandom(options.seed);
  }

  async start(): Promise<{ listing: Listing; connections: number }> {
    const domain = this.assembled(() => life.over);
    const life: Life = { over: false, domain, serve: handlers(domain, this.store) };
    this.life = life;
    const { outcome } = await this.call(EVERYTHING);
    if (outcome.kind === 'ok') return { listing: outcome.reply, connections: this.connections };
    throw new EnvironmentError(`the provider did not come up: ${outcome.message}`);
  }

  /** Equal for lives whose machines and marks are alike; names of operations do not matter. */
  fingerprint(): string {
    const machines = [...(this.life?.domain.fleet.all() ?? [])]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ state, host, binding, lastError, carriedBy, led, accepted }) => [
        state,
        host !== null,
        binding && [binding.cluster, ...binding.metadata],
        lastError,
        carriedBy?.kind,
        Object.keys(led),
        accepted,
      ]);
    return JSON.stringify([machines, this.store.fences()]);
  }

  async crash(): Promise<void> {
    await this.end();
    try {
      await this.start();
    } catch (error) {
      this.onLost();
      throw error;
    }
  }

  async end(): Promise<void> {
    if (this.life) this.life.over = true;
    this.life = null;
  }

  async call<C extends Call>(call: C, where: { readonly connection?: number } = {}): Promise<Exchanged<C>> {
    const invokedAt = this.time.clock();
    const connection = (where.connection ?? this.calls) % this.connections;
    this.calls += 1;
    const outcome = await this.exchange(call, connection);
    return { outcome, invokedAt, returnedAt: this.time.clock() };
  }

  private async exchange<C extends Call>(call: C, connection: number): Promise<Outcome<ReplyOf<C>>> {
    const request = Buffer.from(encodeCall(call));
    const { life } = this;
    await this.transit();
    if (life === null || life.over) return DOWN;
    const answered = await serve(life.serve, call.kind, request, `connection-${connection}`);
    await this.transit();
    if (life.over) return DOWN;
    return answered instanceof Uint8Array ? { kind: 'ok', reply: decodeReply(call, answered) } : answered;
  }

  private transit(): Promise<void> {
    return this.time.sleep(this.random.next() * this.options.transitMs);
  }

  private assembled(isOver: () => boolean) {
    const { provider, timeScale } = this.options;
    const scheduler: Scheduler = {
      after: (ms, task) =>
        this.time.after(ms * timeScale, () => {
          if (!isOver()) task();
        }),
      close: () => undefined,
    };
    return assemble(provider, scheduler, this.store);
  }
}

const DOWN = { kind: 'indeterminate', cause: 'UNAVAILABLE', message: 'the provider is down' } as const;

type Rejected = Extract<Outcome<never>, { kind: 'rejected' | 'indeterminate' }>;

/** Calls a handler as the server would: what comes back is the bytes of a reply, or a status. */
function serve(
  service: ReturnType<typeof handlers>,
  kind: CallKind,
  bytes: Buffer,
  peer: string,
): Promise<Buffer | Rejected> {
  const method = METHODS[kind];
  const { requestDeserialize, responseSerialize } = SERVICE[method];
  const call = { request: requestDeserialize(bytes), getPeer: () => peer };
  return new Promise((resolve) => {
    const callback = (error: { code?: number; details?: string } | null, reply?: unknown): void => {
      if (error === null) resolve((responseSerialize as (value: unknown) => Buffer)(reply));
      else resolve(rejection(error));
    };
    // The six handlers differ in their message types only, and each gets its own here.
    const handler = service[method] as unknown as (
      call: Pick<ServerUnaryCall<unknown, unknown>, 'request' | 'getPeer'>,
      callback: (
        error: { code?: number; details?: string; metadata?: Metadata } | null,
        reply?: unknown,
      ) => void,
    ) => void;
    handler(call, callback);
  });
}

function rejection({ code, details }: { code?: number; details?: string }): Rejected {
  const name = StatusCode[code ?? StatusCode.UNKNOWN] as keyof typeof StatusCode;
  const message = details ?? '';
  if (name === 'UNAVAILABLE' || name === 'DEADLINE_EXCEEDED' || name === 'CANCELLED')
    return { kind: 'indeterminate', cause: name, message };
  return { kind: 'rejected', code: name === 'OK' ? 'UNKNOWN' : name, message };
}

/** What survives a life. */
class MemoryStore implements Store {
  private readonly machines = new Map<string, Machine>();
  private readonly marks = new Map<string, Token>();
  private cursorKey: string | undefined;

  remembered(): ReturnType<Store['remembered']> {
    const { cursorKey } = this;
    if (cursorKey === undefined) return undefined;
    return { machines: [...this.machines.values()], marks: [...this.marks], cursorKey };
  }

  write(change: Change): void {
    if ('mark' in change) this.marks.set(change.mark.key, change.mark.token);
    else if ('machine' in change) this.machines.set(change.machine.id, change.machine);
    else this.cursorKey = change.founded.cursorKey;
  }

  /** Every mark, as text. */
  fences(): readonly string[] {
    return [...this.marks].map(([key, { epoch, sequence }]) => `${key} ${epoch} ${sequence}`).sort();
  }

  durable(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
