/** Calls and replies as the domain sees them: no transport, no generated requests. */
import type { status } from '@grpc/grpc-js';
import type { Machine as MachineRecord, MachineState } from '../wire/gen/provider.js';

/** A fencing token as it stood in the request; all three zero or empty means there is none. */
export interface Token {
  readonly shard: string;
  readonly epoch: bigint;
  readonly sequence: bigint;
}

interface Addressed {
  readonly machineId: string;
  readonly token: Token;
  /** The connection the call came on. A correct provider never looks at it. */
  readonly peer: string;
}

/** A Create call. */
export interface CreateCall extends Addressed {
  readonly kind: 'Create';
}

/** A Configure call. */
export interface ConfigureCall extends Addressed {
  readonly kind: 'Configure';
  readonly cluster: string;
  readonly metadata: ReadonlyMap<string, string>;
  /** Handed to the actuator, never stored. */
  readonly blob: Uint8Array;
}

/** A Drain call. */
export interface DrainCall extends Addressed {
  readonly kind: 'Drain';
  readonly graceSeconds: bigint;
}

/** A Delete call. */
export interface DeleteCall extends Addressed {
  readonly kind: 'Delete';
}

/** Any of the four mutating calls. */
export type Mutation = CreateCall | ConfigureCall | DrainCall | DeleteCall;

/** A List call. */
export interface Query {
  /** Union filter by wire value; empty means every state. */
  readonly states: readonly MachineState[];
  /** A cap when above zero. */
  readonly maxResults: number;
  /** A cursor, or empty, or anything a client cares to send. */
  readonly since: Uint8Array;
}

/** The name of a gRPC status code. */
export type Code = keyof typeof status;

/** A refusal, in the words of gRPC. */
export interface Rejection {
  readonly ok: false;
  readonly code: Code;
  readonly message: string;
}

/** An accepted mutation, or the replay of one. */
export interface Ack {
  readonly ok: true;
  readonly operationId: string;
  readonly machine: MachineRecord;
}

/** The answer to a mutating call. */
export type Reply = Ack | Rejection;

/** The answer to a Get. */
export type Found = { readonly ok: true; readonly machine: MachineRecord } | Rejection;

/** The answer to a List. */
export type Listed =
  | { readonly ok: true; readonly machines: readonly MachineRecord[]; readonly revision: Uint8Array }
  | Rejection;

/** Builds a refusal. */
export function reject(code: Code, message: string): Rejection {
  return { ok: false, code, message };
}
