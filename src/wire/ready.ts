import type { Indeterminate, ListCall, Listing, Rejected } from '../../model/call.js';
import type { CallOptions, Clock, ProviderClient, Timed } from './client.js';
import { EnvironmentError, quoteForeign } from './environment-error.js';
import { isNotGrpc } from './status.js';
import { explainHandshake } from './tls-faults.js';

export interface ReadyOptions {
  /** How long to wait for the first List in all, in milliseconds. */
  readonly deadlineMs: number;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
}

const EVERYTHING: ListCall = { kind: 'List', states: [], maxResults: 0, sinceRevision: new Uint8Array(0) };
const PAUSE_MS = 50;

/**
 * Waits until the provider is ready: until a List answers, which an open port does not promise (contract
 * section 7). Asks again while nothing listens or the provider rejects, as both are usual during a boot.
 *
 * @returns the first listing.
 * @throws EnvironmentError when the deadline passed, and at once when waiting cannot help: the server is not
 *   gRPC, has no CapacityProvider, or answers List with bytes that are no MachineList.
 */
export function awaitReady(client: ProviderClient, options: ReadyOptions): Promise<Listing> {
  return firstReply(client, options, (bounds) => client.call(EVERYTHING, bounds));
}

/**
 * Like {@link awaitReady}, for a fleet of which nobody wants a record yet: the reply is awaited, not decoded.
 */
export async function awaitAnswer(client: ProviderClient, options: ReadyOptions): Promise<void> {
  await firstReply(client, options, (bounds) => client.walk(EVERYTHING, bounds));
}

async function firstReply<R>(
  client: ProviderClient,
  { deadlineMs, clock, sleep }: ReadyOptions,
  list: (bounds: CallOptions) => Promise<Timed<R>>,
): Promise<R> {
  const startedAt = clock();
  for (;;) {
    const timeoutMs = Math.max(1, deadlineMs - (clock() - startedAt));
    const { outcome } = await list({ connection: 0, timeoutMs });
    if (outcome.kind === 'ok') {
      return outcome.reply;
    }
    const remainingMs = deadlineMs - (clock() - startedAt);
    if (isFinal(outcome) || remainingMs <= PAUSE_MS) {
      throw new EnvironmentError(explain(client, outcome, deadlineMs));
    }
    await sleep(PAUSE_MS);
  }
}

// What grpc-js says of a peer that answers with something that is not HTTP/2.
const NOT_HTTP2 = /Protocol error|ERR_HTTP2|wrong version number|SSL routines|Parse Error/i;

function isFinal(outcome: Rejected | Indeterminate): boolean {
  return outcome.kind === 'rejected'
    ? outcome.code === 'UNIMPLEMENTED'
    : outcome.cause === 'MALFORMED' ||
        isNotGrpc(outcome) ||
        NOT_HTTP2.test(outcome.message) ||
        explainHandshake(outcome.message, false) !== null;
}

function explain(
  { target, secure }: ProviderClient,
  outcome: Rejected | Indeterminate,
  deadlineMs: number,
): string {
  const found =
    outcome.kind === 'rejected'
      ? explainRejection(outcome)
      : (explainHandshake(outcome.message, secure) ?? explainSilence(target, outcome, deadlineMs));
  return `expected a BigFleet capacity provider (a gRPC server) at ${target}, but ${found}`;
}

function explainRejection({ code, message }: Rejected): string {
  return code === 'UNIMPLEMENTED'
    ? `this gRPC server has no bigfleet.v1alpha1.CapacityProvider with List (${quoteForeign(message)}); check the port, or register the service`
    : `its List is rejected with ${code} (${quoteForeign(message)}); List must answer before anything can be checked, see the provider's own log`;
}

function explainSilence(target: string, outcome: Indeterminate, deadlineMs: number): string {
  const { cause, message } = outcome;
  const words = quoteForeign(withoutTransportNotes(message));
  if (isNotGrpc(outcome) || NOT_HTTP2.test(message)) {
    return `what answers there is not a gRPC server (${words}); check the port, and whether the server wants TLS or is an HTTP/1 server`;
  }
  if (cause === 'MALFORMED') {
    return `its reply to List is not a valid MachineList (${words}); check that it serves package bigfleet.v1alpha1 with the published field numbers`;
  }
  if (/Waiting for LB pick/.test(message)) {
    return `no HTTP/2 connection came about within ${deadlineMs} ms; check that the host can be reached and that a gRPC server, not something else, listens on ${target}`;
  }
  if (/Name resolution failed|waiting for name resolution/.test(message)) {
    return 'its host name cannot be resolved; correct the address';
  }
  if (cause === 'DEADLINE_EXCEEDED') {
    return `its List did not answer within ${deadlineMs} ms; check that the provider is not stuck, or allow it more time`;
  }
  if (/ECONNREFUSED|ENOENT/.test(message)) {
    return `nothing listens on ${target}; start the provider there, or correct the address`;
  }
  if (/Failed to connect|^No connection established\. Last error: .*ECONNRESET/.test(message)) {
    return 'what listens there closes every connection at once; check the port, and whether the server wants TLS';
  }
  return `List could not reach it within ${deadlineMs} ms (${cause}: ${words}); check the address and the provider's own log`;
}

/** Drops the timestamp that grpc-js appends, which would make the same failure read differently each time. */
function withoutTransportNotes(message: string): string {
  return message.replace(/ \(\d{4}-[\dT:.-]+Z\)\. Resolution note: .*$/s, '');
}
