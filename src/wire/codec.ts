import type { Ack, Call, ConfigureCall, ListCall, Listing, MutationCall, ReplyOf } from '../../model/call.js';
import type { MachineRecord } from '../../model/record.js';
import { decodeCapacityType, decodeState, encodeState } from './enums.js';
import {
  ConfigureRequest,
  CreateRequest,
  DeleteRequest,
  DrainRequest,
  ListFilter,
  type Machine,
  type MachineList,
  MachineRef,
  type TransitionAck,
} from './gen/provider.js';
import { STRICT_DECODERS } from './strict-decode.js';

/**
 * The request message of a call, as protobuf bytes (contract section 2).
 *
 * @throws RangeError for a call that the wire cannot carry unchanged: a string with a lone surrogate (it has no
 *   UTF-8), or a number outside its int64 or int32 field. Such a call is a defect of the caller.
 */
export function encodeCall(call: Call): Uint8Array {
  switch (call.kind) {
    case 'Create':
      return CreateRequest.encode(mutationFields(call)).finish();
    case 'Configure':
      return ConfigureRequest.encode(configureFields(call)).finish();
    case 'Drain':
      return DrainRequest.encode({
        ...mutationFields(call),
        gracePeriodSeconds: int64(call.grace, 'grace'),
      }).finish();
    case 'Delete':
      return DeleteRequest.encode(mutationFields(call)).finish();
    case 'Get':
      return MachineRef.encode({ id: text(call.machineId) }).finish();
    case 'List':
      return ListFilter.encode(listFields(call)).finish();
  }
}

/**
 * The payload of an OK reply to a call.
 *
 * @throws Error when the bytes are not one whole valid message: truncated, followed by garbage, or with a
 *   string that is not UTF-8.
 */
export function decodeReply<C extends Call>(call: C, bytes: Uint8Array): ReplyOf<C> {
  // The compiler cannot tie the kind at hand to the conditional type; this is the one place that vouches for it.
  return decodeByKind(call.kind, bytes) as ReplyOf<C>;
}

function decodeByKind(kind: Call['kind'], bytes: Uint8Array): Ack | MachineRecord | Listing {
  switch (kind) {
    case 'Get':
      return toRecord(STRICT_DECODERS.Machine(bytes));
    case 'List':
      return toListing(STRICT_DECODERS.MachineList(bytes));
    default:
      return toAck(STRICT_DECODERS.TransitionAck(bytes));
  }
}

/** The model's record of a Machine message. */
export function toRecord(machine: Machine): MachineRecord {
  const { host } = machine;
  return {
    id: machine.id,
    state: decodeState(machine.state),
    host: host === undefined ? null : { provider: host.provider, ref: host.ref },
    instanceType: machine.instanceType,
    zone: machine.zone,
    capacityType: decodeCapacityType(machine.capacityType),
    pricePerHour: machine.pricePerHour,
    interruptionProbability: machine.interruptionProbability,
    resources: machine.resources?.resources ?? null,
    allocatable: machine.allocatable?.resources ?? null,
    labels: machine.labels,
    lastError: machine.lastError,
    cluster: machine.cluster,
    shardMetadata: machine.shardMetadata,
  };
}

function toAck(ack: TransitionAck): Ack {
  return {
    operationId: ack.operationId,
    machine: ack.machine === undefined ? null : toRecord(ack.machine),
  };
}

function toListing(list: MachineList): Listing {
  return {
    machines: list.machines.map(toRecord),
    // Copied, because a view would keep the whole reply (tens of MiB at scale) alive as long as the cursor.
    revision: Uint8Array.from(list.revision),
  };
}

function mutationFields(call: MutationCall) {
  return {
    machineId: text(call.machineId),
    shardId: text(call.token.shard),
    shardEpoch: int64(call.token.epoch, 'epoch'),
    sequenceNumber: int64(call.token.sequence, 'sequence'),
  };
}

function configureFields(call: ConfigureCall): ConfigureRequest {
  const shardMetadata = new Map<string, string>();
  for (const [key, value] of call.metadata) {
    shardMetadata.set(text(key), text(value));
  }
  return {
    ...mutationFields(call),
    clusterId: text(call.cluster),
    bootstrapBlob: call.blob,
    shardMetadata,
  };
}

function listFields(call: ListCall): ListFilter {
  if ((call.maxResults | 0) !== call.maxResults) {
    throw new RangeError(`maxResults ${call.maxResults} does not fit into an int32`);
  }
  return {
    states: call.states.map(encodeState),
    maxResults: call.maxResults,
    sinceRevision: call.sinceRevision,
  };
}

// The encoder would put U+FFFD in place of a lone surrogate, and the provider be accused of echoing it.
function text(value: string): string {
  if (/\p{Surrogate}/u.test(value)) {
    throw new RangeError('a string with a lone surrogate cannot travel as UTF-8');
  }
  return value;
}

function int64(value: bigint, name: string): bigint {
  if (BigInt.asIntN(64, value) !== value) {
    throw new RangeError(`${name} ${value} does not fit into an int64`);
  }
  return value;
}
