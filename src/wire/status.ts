import { status as StatusCode, type StatusObject } from '@grpc/grpc-js';
import { type Indeterminate, REJECTION_CODES, type Rejected, type RejectionCode } from '../../model/call.js';

const REJECTION_NAMES: ReadonlySet<string> = new Set(REJECTION_CODES);

function isRejectionCode(name: string | undefined): name is RejectionCode {
  return name !== undefined && REJECTION_NAMES.has(name);
}

/** The name of a status number; a number that gRPC does not define counts as UNKNOWN, as the gRPC text demands. */
function codeName(code: number): RejectionCode {
  const name: string | undefined = StatusCode[code];
  return isRejectionCode(name) ? name : 'UNKNOWN';
}

/** What is said of a call that was answered with more than one message. */
export const TOO_MANY = 'Too many responses received';

/** How grpc-js begins to say that a reply came, but that it could not make one message out of it. */
const UNREADABLE_REPLY = [
  'Failed to decompress ',
  'Received message larger than max ',
  'Received message that decompresses to a size larger than ',
  TOO_MANY,
];

/**
 * How grpc-js begins to say that the stream or the connection broke. It gives these codes like INTERNAL or
 * RESOURCE_EXHAUSTED, as if the provider had rejected the call.
 */
const BROKEN_STREAM = [
  'Received RST_STREAM with code ',
  'Failed to start HTTP/2 stream with error ',
  'Write error: ',
  'Failed to write message',
  'Bandwidth exhausted or memory limit exceeded',
  'Protocol not secure enough',
  'Invalid status from control plane: ',
  'No status information received',
];

/** The response had no grpc-status at all, so its code was made up from the HTTP status. */
const HTTP_STATUS = /^Received HTTP status code \d+$/;

/** The stream ended without trailers, or what should be a frame's length is text. */
const NO_GRPC_FRAMES =
  /\(Call ended without gRPC status\)$|^No status information received$|^Received message larger than max /;

/** Whether this outcome came from a server that speaks HTTP but did not end the call in the way of gRPC. */
export function isNotGrpc(outcome: Rejected | Indeterminate): boolean {
  const { kind, message } = outcome;
  return kind === 'indeterminate' && (HTTP_STATUS.test(message) || NO_GRPC_FRAMES.test(message));
}

/**
 * What a final status other than OK says about the call.
 *
 * A server's status comes in trailers; grpc-js makes up others by itself, with the same codes, when a stream
 * breaks or a reply cannot be read. Those leave open whether the call took effect. Made-up ones carry no
 * metadata and one of few known texts, so a status with metadata, or with any other text, is the server's own.
 */
export function outcomeOfStatus(status: StatusObject): Rejected | Indeterminate {
  const message: string = status.details ?? '';
  if (!Number.isInteger(status.code)) {
    return numberlessOutcome(status, message);
  }
  const code = codeName(status.code);
  if (code === 'UNAVAILABLE' || code === 'DEADLINE_EXCEEDED' || code === 'CANCELLED') {
    return { kind: 'indeterminate', cause: code, message };
  }
  if (HTTP_STATUS.test(message)) {
    return { kind: 'indeterminate', cause: 'UNAVAILABLE', message };
  }
  if (!hasMetadata(status)) {
    if (beginsWithOneOf(message, UNREADABLE_REPLY)) {
      return { kind: 'indeterminate', cause: 'MALFORMED', message };
    }
    if (beginsWithOneOf(message, BROKEN_STREAM)) {
      return { kind: 'indeterminate', cause: 'UNAVAILABLE', message };
    }
  }
  return { kind: 'rejected', code, message };
}

/**
 * A status without a number: NaN where the server's grpc-status was not one, and nothing at all where grpc-js
 * failed on a compressed reply and put its own error into the place of a status.
 */
function numberlessOutcome(status: StatusObject, message: string): Rejected | Indeterminate {
  return typeof status.code === 'number'
    ? { kind: 'rejected', code: 'UNKNOWN', message }
    : {
        kind: 'indeterminate',
        cause: 'MALFORMED',
        message: message || 'the reply could not be decompressed',
      };
}

function hasMetadata(status: StatusObject): boolean {
  return Object.keys(status.metadata.getMap()).length > 0;
}

function beginsWithOneOf(message: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => message.startsWith(beginning));
}
