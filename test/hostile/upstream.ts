/** The correct provider behind a hostile one: only what a case does is wrong, the rest is the reference provider's. */
import { Client, credentials, type StatusObject, status } from '@grpc/grpc-js';
import type { CallKind } from '../../model/call.js';
import { startProvider } from '../../src/provider/index.js';
import { CHANNEL_OPTIONS } from '../../src/wire/channel-options.js';
import { RAW_METHODS } from '../../src/wire/service.js';

/** What a provider answers: a status and, where it is OK, a message. */
export interface Answer {
  readonly code: number;
  readonly details: string;
  readonly body: Buffer;
}

/** A call on its way, with what a correct provider answers to it. */
export interface Passing extends Answer {
  readonly kind: CallKind;
  readonly request: Buffer;
  /** How many calls of this kind came before it. */
  readonly nth: number;
  /** How many calls of any kind came before it. */
  readonly count: number;
}

/** The correct provider. */
export interface Upstream {
  /** Carries the call out, whatever becomes of the answer. */
  pass(kind: CallKind, request: Buffer): Promise<Passing>;
  stop(): Promise<void>;
}

/** Starts the reference provider, with transitions that take long enough to be seen. */
export async function startUpstream(seedCount: number): Promise<Upstream> {
  const provider = await startProvider({
    addr: '127.0.0.1:0',
    seedCount,
    latency: { minMs: 0, maxMs: 2 },
  });
  const client = new Client(provider.address, credentials.createInsecure(), CHANNEL_OPTIONS);
  const counts = new Map<CallKind, number>();
  let count = 0;
  return {
    async pass(kind, request) {
      const nth = counts.get(kind) ?? 0;
      counts.set(kind, nth + 1);
      const passing = { kind, request, nth, count };
      count += 1;
      return { ...passing, ...(await forward(client, kind, request)) };
    },
    async stop() {
      client.close();
      await provider.stop();
    },
  };
}

function forward(client: Client, kind: CallKind, request: Buffer): Promise<Answer> {
  const { path, requestSerialize, responseDeserialize } = RAW_METHODS[kind];
  return new Promise((resolve) => {
    let body = Buffer.alloc(0);
    const call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      (_error, value) => {
        if (value !== undefined) body = Buffer.from(value);
      },
    );
    call.on('status', ({ code, details }: StatusObject) => resolve({ code, details, body }));
  });
}

/** A correct answer to anything. */
export const OK = status.OK;
