/** Turns a step of a program into the call that is sent. */
import type { Call, MutationCall, Token } from '../../model/call.js';
import type { MutationStep } from '../../properties/program.js';

/** The byte that bootstrap blobs are made of; what is in them is nobody's business. */
const BLOB_BYTE = 0x62;

/** The mutation of `step` on the machine `machineId`. */
export function mutationCall(step: MutationStep, machineId: string, token: Token): MutationCall {
  if (step.call === 'Configure') {
    return {
      kind: 'Configure',
      machineId,
      token,
      cluster: step.cluster,
      metadata: new Map(step.metadata),
      blob: new Uint8Array(step.blobBytes).fill(BLOB_BYTE),
    };
  }
  if (step.call === 'Drain') return { kind: 'Drain', machineId, token, grace: BigInt(step.grace) };
  return { kind: step.call, machineId, token };
}

/** A List without a cursor. */
export function listCall(states: (Call & { kind: 'List' })['states'] = []): Call & { kind: 'List' } {
  return { kind: 'List', states, maxResults: 0, sinceRevision: new Uint8Array(0) };
}
