/**
 * The words in which the model speaks of a provider: the calls a shard makes and what came back.
 * Plain data, no I/O; `src/wire` turns these into protobuf and back.
 */
import type { LifecycleState } from './machine.js';
import type { MachineRecord } from './record.js';

/** The four calls that change a machine, in lifecycle order (contract section 3). */
export const MUTATIONS = ['Create', 'Configure', 'Drain', 'Delete'] as const;
/** A call that changes a machine. */
export type Mutation = (typeof MUTATIONS)[number];
/** Every call of the service. */
export type CallKind = Mutation | 'Get' | 'List';

/** A fence token as it travels: (shard_id, shard_epoch, sequence_number), int64 kept exact (contract section 4.2). */
export interface Token {
  readonly shard: string;
  readonly epoch: bigint;
  readonly sequence: bigint;
}

/** The absent token: all three fields zero or empty, so no fence applies. */
export const NO_TOKEN: Token = { shard: '', epoch: 0n, sequence: 0n };

interface MutationBase {
  readonly machineId: string;
  readonly token: Token;
}
export interface CreateCall extends MutationBase {
  readonly kind: 'Create';
}
export interface ConfigureCall extends MutationBase {
  readonly kind: 'Configure';
  readonly cluster: string;
  /** Compared byte for byte with what the provider echoes. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly blob: Uint8Array;
}
export interface DrainCall extends MutationBase {
  readonly kind: 'Drain';
  /** grace_period_seconds, int64. */
  readonly grace: bigint;
}
export interface DeleteCall extends MutationBase {
  readonly kind: 'Delete';
}
/** A call that changes a machine, with its arguments. */
export type MutationCall = CreateCall | ConfigureCall | DrainCall | DeleteCall;

export interface GetCall {
  readonly kind: 'Get';
  readonly machineId: string;
}
export interface ListCall {
  readonly kind: 'List';
  /** A union filter; empty means every state. */
  readonly states: readonly LifecycleState[];
  /** int32; 0 means no cap. */
  readonly maxResults: number;
  /** An opaque cursor; empty means none. */
  readonly sinceRevision: Uint8Array;
}
/** Any call of the service, with its arguments. */
export type Call = MutationCall | GetCall | ListCall;

/** The gRPC status names that a server can answer with, OK left out. */
export const REJECTION_CODES = [
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;
export type RejectionCode = (typeof REJECTION_CODES)[number];

/** The reply to a mutation: TransitionAck. `machine` is null when the provider sent none. */
export interface Ack {
  readonly operationId: string;
  readonly machine: MachineRecord | null;
}
/** The reply to List. */
export interface Listing {
  readonly machines: readonly MachineRecord[];
  /** Opaque; empty means that the provider has no cursors. */
  readonly revision: Uint8Array;
}
/** The payload of an OK reply, by call. */
export type ReplyOf<C extends Call> = C extends MutationCall
  ? Ack
  : C extends GetCall
    ? MachineRecord
    : Listing;

/** The server answered with a status other than OK. */
export interface Rejected {
  readonly kind: 'rejected';
  readonly code: RejectionCode;
  /** The server's own words; data, never trusted. */
  readonly message: string;
}
/**
 * Nobody knows whether the call took effect: the reply was lost, late, or could not be decoded (contract
 * section 6). `MALFORMED` means that a reply came whose bytes are not a valid message.
 */
export interface Indeterminate {
  readonly kind: 'indeterminate';
  readonly cause: 'UNAVAILABLE' | 'DEADLINE_EXCEEDED' | 'CANCELLED' | 'MALFORMED';
  readonly message: string;
}
/** One of the three things that can come of a call. */
export type Outcome<R = Ack | MachineRecord | Listing> =
  | { readonly kind: 'ok'; readonly reply: R }
  | Rejected
  | Indeterminate;
