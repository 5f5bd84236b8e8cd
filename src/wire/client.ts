import {
  Channel,
  type ChannelCredentials,
  credentials as grpcCredentials,
  Metadata,
  status as StatusCode,
  type StatusObject,
} from '@grpc/grpc-js';
import type { Call, ListCall, Outcome, ReplyOf } from '../../model/call.js';
import { CHANNEL_OPTIONS } from './channel-options.js';
import { decodeReply, encodeCall } from './codec.js';
import { ListWalk } from './list-walk.js';
import { RAW_METHODS, toBuffer } from './service.js';
import { Silence, type SilenceLimit } from './silence.js';
import { outcomeOfStatus, TOO_MANY } from './status.js';
import { parseTarget } from './target.js';

/** A monotonic clock, in milliseconds; only differences between its readings mean anything. */
export type Clock = () => number;

export interface ProviderClientOptions {
  /** HOST:PORT, [IPV6]:PORT or unix:PATH. */
  readonly target: string;
  /** What messages call the provider; its target unless given. */
  readonly knownAs?: string;
  /** How many HTTP/2 connections to hold, at least 1. */
  readonly connections: number;
  /** The deadline of a call that names none, in milliseconds. */
  readonly callTimeoutMs: number;
  /** Plaintext unless given. */
  readonly credentials?: ChannelCredentials;
  /** The name that the server's certificate must be for; the host of the target unless given. */
  readonly serverName?: string;
  readonly clock: Clock;
}

export interface CallOptions {
  /** Which connection, from 0; taken modulo the number of connections. Without it, connections take turns. */
  readonly connection?: number;
  /** The deadline of this call, in milliseconds. */
  readonly timeoutMs?: number;
}

/**
 * One call and what came of it. If it took effect, then between the two instants, or later when the outcome is
 * indeterminate.
 */
export interface Exchange<C extends Call> extends Timed<ReplyOf<C>> {}

/** What came of a call, with the two instants. */
export interface Timed<R> {
  readonly outcome: Outcome<R>;
  /** Read from the clock before the request was handed to the transport, in milliseconds. */
  readonly invokedAt: number;
  /** Read from the clock when the final status was there, before the reply was decoded, in milliseconds. */
  readonly returnedAt: number;
}

/** How long after a call's deadline it is given up when the transport has still not ended it, in milliseconds. */
const TRANSPORT_GRACE_MS = 500;

/** The status of a call that the transport did not end in time, as when it is still busy unpacking a reply. */
const NEVER_ENDED: StatusObject = {
  code: StatusCode.DEADLINE_EXCEEDED,
  details: 'no final status by the deadline',
  metadata: new Metadata(),
};

const GIVEN_UP = 'the run no longer talks to this provider';

/** The status of a call that grpc-js refused to start, as it does once its channel is closed. */
function notStarted(error: unknown): StatusObject {
  const details = error instanceof Error ? error.message : String(error);
  return { code: StatusCode.UNAVAILABLE, details, metadata: new Metadata() };
}

/** Speaks to one provider over several connections. */
export class ProviderClient {
  /** What the provider is called in messages. */
  readonly target: string;
  /** Whether it speaks TLS. */
  readonly secure: boolean;
  private readonly channels: readonly Channel[];
  private readonly clock: Clock;
  private readonly callTimeoutMs: number;
  private invoked = 0;
  private silence: Silence | null = null;
  private isGivenUp = false;

  /**
   * Opens nothing yet: each connection is made by its first call.
   *
   * @throws EnvironmentError when the target is malformed.
   * @throws RangeError when `connections` is not a positive integer.
   */
  constructor(options: ProviderClientOptions) {
    const { connections, credentials = grpcCredentials.createInsecure(), serverName } = options;
    if (!Number.isInteger(connections) || connections < 1) {
      throw new RangeError(`expected at least one connection, saw ${connections}`);
    }
    const address = parseTarget(options.target);
    this.target = options.knownAs ?? options.target;
    this.secure = options.credentials !== undefined;
    this.clock = options.clock;
    this.callTimeoutMs = options.callTimeoutMs;
    const channelOptions =
      serverName === undefined
        ? CHANNEL_OPTIONS
        : { ...CHANNEL_OPTIONS, 'grpc.ssl_target_name_override': serverName };
    this.channels = Array.from(
      { length: connections },
      () => new Channel(address, credentials, channelOptions),
    );
  }

  /** How many separate connections there are. */
  get connections(): number {
    return this.channels.length;
  }

  /** How many calls were made so far. */
  get calls(): number {
    return this.invoked;
  }

  /**
   * Makes one call, sent at most once. Whatever the provider or the network does becomes an outcome, at the
   * latest half a second after the deadline; the promise never rejects.
   *
   * - ok: status OK and a reply that decodes;
   * - indeterminate: UNAVAILABLE, DEADLINE_EXCEEDED or CANCELLED, whoever said it; a broken stream
   *   (UNAVAILABLE); a reply that is not one whole valid message or exceeds 1 GiB (MALFORMED);
   * - rejected: any other status, an undefined number counting as UNKNOWN.
   *
   * @throws RangeError at once, before anything is sent, for a call that the wire cannot carry (see encodeCall).
   */
  call<C extends Call>(call: C, options: CallOptions = {}): Promise<Exchange<C>> {
    return this.exchange(call, options, (reply) => decodeReply(call, reply));
  }

  /** Like {@link call}, for a List whose machines are to be decoded one by one (each may yet turn out malformed). */
  walk(call: ListCall, options: CallOptions = {}): Promise<Timed<ListWalk>> {
    return this.exchange(call, options, (reply) => new ListWalk(reply));
  }

  private exchange<R>(call: Call, options: CallOptions, decode: (reply: Buffer) => R): Promise<Timed<R>> {
    const request = toBuffer(encodeCall(call));
    if (this.isGivenUp) return Promise.resolve(this.givenUp());
    const channel = this.channel(options.connection ?? this.invoked);
    const timeoutMs = options.timeoutMs ?? this.callTimeoutMs;
    this.invoked += 1;
    return new Promise((resolve) => {
      const invokedAt = this.clock();
      const settle = (status: StatusObject, reply?: Buffer) => {
        clearTimeout(giveUp);
        if (this.isGivenUp) return resolve(this.givenUp(invokedAt));
        const returnedAt = this.clock();
        const outcome = outcomeOf(status, reply, decode);
        this.silence?.note(outcome, invokedAt, returnedAt);
        resolve({ outcome, invokedAt, returnedAt });
      };
      let inFlight: UnaryCall | undefined;
      const giveUp = setTimeout(() => {
        inFlight?.cancelWithStatus(StatusCode.CANCELLED, 'given up after the deadline');
        settle(NEVER_ENDED);
      }, timeoutMs + TRANSPORT_GRACE_MS);
      try {
        inFlight = send(channel, call.kind, request, timeoutMs, settle);
      } catch (error) {
        settle(notStarted(error));
      }
    });
  }

  /** Gives the provider up once it has answered nothing for so long: calls are then lost at once. */
  giveUpAfter({ limitMs, tell }: SilenceLimit): void {
    const give = (): void => {
      this.giveUp();
      tell();
    };
    this.silence = new Silence({ limitMs, tell: give });
  }

  /** From now on nothing is sent, and what still comes in is not read: calls are lost at once. */
  giveUp(): void {
    this.isGivenUp = true;
  }

  /** Closes every connection. Calls still in flight end as the transport sees fit, at the latest at their deadline. */
  close(): void {
    for (const channel of this.channels) {
      channel.close();
    }
  }

  private givenUp(invokedAt = this.clock()): Timed<never> {
    const outcome = { kind: 'indeterminate', cause: 'UNAVAILABLE', message: GIVEN_UP } as const;
    return { outcome, invokedAt, returnedAt: this.clock() };
  }

  private channel(number: number): Channel {
    const channel = this.channels[number % this.channels.length];
    if (channel === undefined) {
      throw new RangeError(`expected a connection number from 0, saw ${number}`);
    }
    return channel;
  }
}

type UnaryCall = ReturnType<Channel['createCall']>;

/**
 * Starts a call on the channel itself. The layer of grpc-js above it makes an emitter, a chain of interceptors and two
 * errors with stack traces for every call, a third of what a call costs, and none of it says more than the status.
 */
function send(
  channel: Channel,
  kind: Call['kind'],
  request: Buffer,
  timeoutMs: number,
  settle: (status: StatusObject, reply: Buffer | undefined) => void,
): UnaryCall {
  // grpc-js takes wall-clock instants and makes a duration of them at once.
  const inFlight = channel.createCall(RAW_METHODS[kind].path, Date.now() + timeoutMs, null, null, null);
  let reply: Buffer | undefined;
  let ended = false;
  inFlight.start(new Metadata(), {
    onReceiveMetadata: () => undefined,
    onReceiveMessage: (message: Buffer) => {
      if (reply !== undefined) inFlight.cancelWithStatus(StatusCode.UNIMPLEMENTED, TOO_MANY);
      reply = message;
      // A second message that nobody reads would hold the status back until the deadline.
      inFlight.startRead();
    },
    onReceiveStatus: (status) => {
      if (ended) return;
      ended = true;
      settle(status, reply);
    },
  });
  inFlight.startRead();
  inFlight.sendMessageWithContext({}, request);
  inFlight.halfClose();
  return inFlight;
}

function outcomeOf<R>(
  status: StatusObject,
  reply: Buffer | undefined,
  decode: (reply: Buffer) => R,
): Outcome<R> {
  if (status.code !== StatusCode.OK) {
    return outcomeOfStatus(status);
  }
  if (reply === undefined) {
    return { kind: 'indeterminate', cause: 'MALFORMED', message: 'status OK without a reply message' };
  }
  try {
    return { kind: 'ok', reply: decode(reply) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'indeterminate', cause: 'MALFORMED', message };
  }
}
