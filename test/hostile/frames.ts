/** Cases at the level of HTTP/2: responses, streams and connections that break off or make no sense. */
import http2 from 'node:http2';
import { gzipSync } from 'node:zlib';
import { ALLOWED, type Expected, type HostileCase, LOST, streamCase, undecided, violates } from './case.js';
import { frame, GRPC_HEADERS, type SpoilStream, send, sendRaw } from './fronts.js';
import { OK, type Passing } from './upstream.js';

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_REFUSED_STREAM, NGHTTP2_ENHANCE_YOUR_CALM } =
  http2.constants;
const STATUS_OK = { 'grpc-status': '0' };
/** No machine is ever seen, so none is ever seen at rest. */
const UNREADABLE = undecided(/could not be read any more/);
/** What was not asked yet cannot be asked any more. */
const GONE = undecided(
  /could not be read any more|replies? .*(was|were) lost|settle timeout|not met in this run/,
);
/** Mutations and Gets that succeed; the Lists stay whole, so that the check can begin. */
const isSpoilt = ({ kind, code }: Passing) => kind !== 'List' && code === OK;

type Spoil = (stream: http2.ServerHttp2Stream, passing: Passing) => void;

/** Every `period`-th call that succeeds is spoilt. */
function every(
  period: number,
  spoil: Spoil,
  chosen: (passing: Passing) => boolean = isSpoilt,
): () => SpoilStream {
  return () => {
    let hits = 0;
    return (stream, passing, respond, strike) => {
      if (!chosen(passing)) return respond();
      hits += 1;
      if (hits % period !== 0) return respond();
      strike();
      spoil(stream, passing);
    };
  };
}

const gets = ({ kind, code }: Passing) => kind === 'Get' && code === OK;
const creates = ({ kind, code }: Passing) => kind === 'Create' && code === OK;

/** Every Get is answered in this way. */
const get = (name: string, does: string, expected: Expected, spoil: Spoil) =>
  streamCase(name, does, expected, every(1, spoil, gets));
/** Every third call is answered in this way. */
const third = (name: string, does: string, expected: Expected, spoil: Spoil) =>
  streamCase(name, does, expected, every(3, spoil));
/** Every call after thirty is answered in this way, so that nothing can be concluded from then on. */
const finallyAll = (name: string, does: string, spoil: Spoil, args: readonly string[] = []) =>
  streamCase(
    name,
    does,
    GONE,
    () => {
      return (stream, passing, respond, strike) => {
        if (passing.count < 30) return respond();
        strike();
        spoil(stream, passing);
      };
    },
    { args },
  );

const timers = new Set<NodeJS.Timeout>();
function later(ms: number, stream: http2.ServerHttp2Stream, task: () => void): void {
  const timer = setTimeout(() => {
    timers.delete(timer);
    if (!stream.destroyed) task();
  }, ms);
  timers.add(timer);
  stream.once('close', () => clearTimeout(timer));
}

export const RESPONSE_CASES: readonly HostileCase[] = [
  get('content-type-html', 'every Get is answered with a web page', violates('B801'), (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/html' });
    stream.end('<html><script>alert(1)</script></html>');
  }),
  get('http-503', 'every Get is answered 503 by something in between', UNREADABLE, (stream) => {
    stream.respond({ ':status': 503, 'content-type': 'text/plain' });
    stream.end('overloaded');
  }),
  get('http-302', 'every Get is redirected', UNREADABLE, (stream) =>
    stream.respond({ ':status': 302, location: 'http://127.0.0.1:1/' }, { endStream: true }),
  ),
  get('no-status', 'the status is missing', UNREADABLE, (stream, { body }) =>
    sendRaw(stream, frame(body), { 'x-other': '1' }),
  ),
  get('ok-without-message', 'the status is OK and there is no message', violates('B801'), (stream) =>
    stream.respond({ ...GRPC_HEADERS, ...STATUS_OK }, { endStream: true }),
  ),
  get(
    'trailers-only-internal',
    'every Get is INTERNAL in trailers alone',
    violates('B107', 'B101', 'B215', 'B305', 'B801'),
    (stream) => send(stream, { code: 13, details: 'broken', body: Buffer.alloc(0) }),
  ),
  get('status-99', 'the status is 99', violates('B107', 'B101', 'B215', 'B305', 'B801'), (stream, { body }) =>
    sendRaw(stream, frame(body), { 'grpc-status': '99' }),
  ),
  get(
    'status-text',
    'the status is a word',
    violates('B107', 'B101', 'B215', 'B305', 'B801'),
    (stream, { body }) => sendRaw(stream, frame(body), { 'grpc-status': 'fine' }),
  ),
  get(
    'status-negative',
    'the status is -1',
    violates('B107', 'B101', 'B215', 'B305', 'B801'),
    (stream, { body }) => sendRaw(stream, frame(body), { 'grpc-status': '-1' }),
  ),
  get(
    'message-with-escapes',
    'the status text holds terminal escapes',
    violates('B107', 'B101', 'B215', 'B305', 'B801'),
    (stream) =>
      stream.respond(
        {
          ...GRPC_HEADERS,
          'grpc-status': '13',
          'grpc-message': '%1b%5b2J%1b%5d0;pwned%07%e2%80%ae%0d%0a<script>',
        },
        { endStream: true },
      ),
  ),
  get(
    'message-badly-encoded',
    'the status text is badly percent-encoded',
    violates('B107', 'B101', 'B215', 'B305', 'B801'),
    (stream) =>
      stream.respond(
        { ...GRPC_HEADERS, 'grpc-status': '13', 'grpc-message': '%ZZ%%1%ff%fe%' },
        { endStream: true },
      ),
  ),
  get('message-of-a-megabyte', 'the status text is a megabyte', UNREADABLE, (stream) =>
    stream.respond(
      { ...GRPC_HEADERS, 'grpc-status': '13', 'grpc-message': 'x'.repeat(1024 * 1024) },
      { endStream: true },
    ),
  ),
  get(
    'message-of-32-kilobytes',
    'the status text is 32 kilobytes',
    violates('B107', 'B101', 'B215', 'B305', 'B801'),
    (stream) =>
      stream.respond(
        { ...GRPC_HEADERS, 'grpc-status': '13', 'grpc-message': 'x'.repeat(32 * 1024) },
        { endStream: true },
      ),
  ),
  get('metadata-of-a-thousand', 'a thousand trailers come with the status', UNREADABLE, (stream, { body }) =>
    sendRaw(stream, frame(body), {
      ...STATUS_OK,
      ...Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`x-${n}`, 'y'])),
    }),
  ),
  get('informational', 'informational headers come first', ALLOWED, (stream, passing) => {
    stream.additionalHeaders({ ':status': 103, link: '</style.css>' });
    send(stream, passing);
  }),
  get('gzip', 'replies are compressed', ALLOWED, (stream, { body }) =>
    sendRaw(stream, frame(gzipSync(body), 1), STATUS_OK, { 'grpc-encoding': 'gzip' }),
  ),
  get('gzip-damaged', 'compressed replies are damaged', violates('B801'), (stream, { body }) =>
    sendRaw(stream, frame(Buffer.concat([gzipSync(body).subarray(0, 20), Buffer.alloc(20)]), 1), STATUS_OK, {
      'grpc-encoding': 'gzip',
    }),
  ),
  get(
    'gzip-bomb',
    'a small compressed reply holds 32 megabytes',
    violates('B801'),
    (() => {
      let bomb: Buffer | undefined;
      return (stream: http2.ServerHttp2Stream) => {
        bomb ??= gzipSync(Buffer.alloc(32 * 1024 * 1024));
        sendRaw(stream, frame(bomb, 1), STATUS_OK, { 'grpc-encoding': 'gzip' });
      };
    })(),
  ),
  get(
    'encoding-unknown',
    'replies are compressed in a way that nobody knows',
    violates('B801'),
    (stream, { body }) => sendRaw(stream, frame(body, 1), STATUS_OK, { 'grpc-encoding': 'zebra' }),
  ),
  get(
    'compressed-flag-only',
    'replies say that they are compressed and name no way',
    violates('B801'),
    (stream, { body }) => sendRaw(stream, frame(body, 1), STATUS_OK),
  ),
  get('reply-twice', 'every Get is answered twice', violates('B801'), (stream, { body }) =>
    sendRaw(stream, Buffer.concat([frame(body), frame(body)]), STATUS_OK),
  ),
  get('frame-too-short', 'the frame says more bytes than come', violates('B801'), (stream, { body }) =>
    sendRaw(stream, frame(body, 0, body.length + 10), STATUS_OK),
  ),
  get('frame-of-gigabytes', 'the frame says four gigabytes', violates('B801'), (stream, { body }) =>
    sendRaw(stream, frame(body, 0, 0xffff_ffff), STATUS_OK),
  ),
  get('frame-head-cut', 'the frame ends within its head', violates('B801'), (stream, { body }) =>
    sendRaw(stream, frame(body).subarray(0, 3), STATUS_OK),
  ),
  get('frame-and-garbage', 'bytes that nobody reads follow the frame', ALLOWED, (stream, { body }) =>
    sendRaw(stream, Buffer.concat([frame(body), Buffer.from('xyz')]), STATUS_OK),
  ),
];

export const STREAM_CASES: readonly HostileCase[] = [
  third('reset-cancel', 'every third call is reset with CANCEL after it was carried out', LOST, (stream) =>
    stream.close(NGHTTP2_CANCEL),
  ),
  third(
    'reset-internal',
    'every third call is reset with INTERNAL_ERROR after it was carried out',
    LOST,
    (stream) => stream.close(NGHTTP2_INTERNAL_ERROR),
  ),
  third(
    'reset-calm',
    'every third call is reset with ENHANCE_YOUR_CALM after it was carried out',
    LOST,
    (stream) => stream.close(NGHTTP2_ENHANCE_YOUR_CALM),
  ),
  third(
    'reset-after-message',
    'every third call is reset between its message and its status',
    LOST,
    (stream, { body }) => {
      stream.respond(GRPC_HEADERS);
      stream.write(frame(body), () => stream.close(NGHTTP2_INTERNAL_ERROR));
    },
  ),
  third(
    'goaway',
    'every third call is carried out, then the connection is told to go away',
    LOST,
    (stream) => {
      stream.session?.goaway(NGHTTP2_ENHANCE_YOUR_CALM);
      stream.session?.destroy();
    },
  ),
  third('goaway-and-answer', 'every third answer comes with a GOAWAY', ALLOWED, (stream, passing) => {
    stream.session?.goaway();
    send(stream, passing);
  }),
  third('connection-cut', 'every third call cuts its connection', LOST, (stream) =>
    stream.session?.destroy(),
  ),
  streamCase(
    'refused-after-effect',
    'every tenth mutation is carried out and refused with REFUSED_STREAM, which says that it was not',
    LOST,
    every(
      10,
      (stream) => stream.close(NGHTTP2_REFUSED_STREAM),
      ({ kind, code }) => kind !== 'Get' && kind !== 'List' && code === OK,
    ),
  ),
  streamCase(
    'no-reply',
    'every twentieth call is never answered',
    LOST,
    every(20, () => undefined),
    { args: ['--call-timeout', '1s'] },
  ),
  streamCase(
    'headers-only',
    'every twentieth call gets headers and nothing more',
    LOST,
    every(20, (stream) => stream.respond(GRPC_HEADERS)),
    { args: ['--call-timeout', '1s'] },
  ),
  streamCase(
    'message-without-end',
    'every twentieth call gets a message and no status',
    LOST,
    every(20, (stream, { body }) => {
      stream.respond(GRPC_HEADERS);
      stream.write(frame(body));
    }),
    { args: ['--call-timeout', '1s'] },
  ),
  streamCase(
    'after-the-deadline',
    'every twentieth answer comes after the deadline',
    LOST,
    every(20, (stream, passing) => later(1_500, stream, () => send(stream, passing))),
    { args: ['--call-timeout', '1s'] },
  ),
  streamCase(
    'slow-drip',
    'every twentieth answer comes at one byte a second',
    LOST,
    every(20, (stream, { body }) => {
      const bytes = frame(body);
      stream.respond(GRPC_HEADERS);
      const drip = (at: number) => {
        if (at >= bytes.length) return;
        stream.write(bytes.subarray(at, at + 1));
        later(1_000, stream, () => drip(at + 1));
      };
      drip(0);
    }),
    { args: ['--call-timeout', '1s'] },
  ),
  streamCase(
    'body-without-end',
    'every Create is answered with bytes that never end',
    LOST,
    every(
      1,
      (stream) => {
        stream.respond(GRPC_HEADERS);
        const chunk = Buffer.alloc(64 * 1024, 0x41);
        stream.write(frame(Buffer.alloc(0), 0, 0x3fff_ffff));
        const pour = () => {
          while (!stream.destroyed && stream.write(chunk));
          stream.once('drain', pour);
        };
        pour();
      },
      creates,
    ),
    { args: ['--call-timeout', '1s', '--runs', '3', '--only', 'B101,B103'] },
  ),
  streamCase(
    'slow-answers',
    'every answer takes 20 ms',
    ALLOWED,
    () => (stream, _passing, respond, strike) => {
      strike();
      later(20, stream, () => respond());
    },
  ),
  streamCase(
    'settings-flood',
    'every session sends a flood of pings and settings',
    ALLOWED,
    () => (_stream, _passing, respond) => respond(),
    {
      onSession: (session, strike) => {
        strike();
        for (let n = 0; n < 9; n++) session.ping(() => undefined);
        for (let n = 0; n < 9; n++) session.settings({ maxConcurrentStreams: 100 + n });
      },
    },
  ),
  streamCase(
    'one-stream-at-a-time',
    'a connection takes one call at a time',
    ALLOWED,
    () => (_stream, _passing, respond, strike) => {
      strike();
      respond();
    },
    { settings: { maxConcurrentStreams: 1 } },
  ),
  streamCase(
    'tiny-frames',
    'frames and windows are as small as HTTP/2 allows',
    ALLOWED,
    () => (_stream, _passing, respond, strike) => {
      strike();
      respond();
    },
    { settings: { maxFrameSize: 16_384, initialWindowSize: 1_024, headerTableSize: 0 } },
  ),
];

const SHORT = [
  '--call-timeout',
  '1s',
  '--settle-timeout',
  '1s',
  '--runs',
  '3',
  '--only',
  'B101,B103,B104,B303',
];

export const END_CASES: readonly HostileCase[] = [
  finallyAll('falls-silent', 'after thirty calls nothing is answered any more', () => undefined, SHORT),
  finallyAll(
    'goes-down',
    'after thirty calls every connection is cut',
    (stream) => stream.session?.destroy(),
    SHORT,
  ),
  finallyAll(
    'unavailable-for-good',
    'after thirty calls everything is UNAVAILABLE',
    (stream) => send(stream, { code: 14, details: 'gone', body: Buffer.alloc(0) }),
    SHORT,
  ),
  streamCase(
    'silent-without-time-limit',
    'after thirty calls nothing is answered any more, and the run has all the time in the world',
    undecided(/^the provider answered nothing for 3000 ms \(--silence-limit\)$/),
    () => (_stream, passing, respond, strike) => {
      if (passing.count < 30) return respond();
      strike();
    },
    { args: [...SHORT.slice(0, 4), '--runs', '500', '--time-limit', '10h', '--silence-limit', '3s'] },
  ),
  streamCase(
    'no-new-streams',
    'after thirty calls connections take no new calls',
    GONE,
    () => (stream, passing, respond, strike) => {
      if (passing.count >= 30) {
        strike();
        stream.session?.settings({ maxConcurrentStreams: 0 });
      }
      respond();
    },
    { args: SHORT },
  ),
];

export const FRAME_CASES: readonly HostileCase[] = [...RESPONSE_CASES, ...STREAM_CASES, ...END_CASES];
