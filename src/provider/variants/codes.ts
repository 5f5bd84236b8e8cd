/** Providers that use the freedom of contract section 9 in what they refuse, and with which words and ids. */
import { createHash } from 'node:crypto';
import { type ConfigureCall, type Mutation, reject } from '../call.js';
import type { Variant } from './variant.js';

/** The caps a provider with caps has, in keys and in bytes of keys and values. */
const MAP_KEYS = 64;
const MAP_BYTES = 8 * 1024;

/** Variants in codes, ids and marks. */
export const CODES: readonly Variant[] = [
  {
    name: 'no-delete',
    says: 'Every Delete is UNIMPLEMENTED.',
    deletes: false,
    alter: () => ({}),
  },
  {
    name: 'invalid-argument-for-wrong-position',
    says: 'A call from the wrong place is refused as INVALID_ARGUMENT (A7).',
    alter: (base) => ({
      wrongPosition: (call, machine) => reject('INVALID_ARGUMENT', base.wrongPosition(call, machine).message),
    }),
  },
  {
    name: 'uuid-operation-ids',
    says: 'Operation ids look like UUIDs.',
    alter: (base) => ({
      mint: (call, machine, provider) => uuidOf(base.mint(call, machine, provider)),
    }),
  },
  {
    name: 'marks-moved-by-shape-rejection',
    says: 'A request refused for its grace period has moved the mark, if its token was good (A5, A6).',
    alter: (base) => ({
      shape(call, provider) {
        const refused = base.shape(call, provider);
        const onlyGrace = refused !== undefined && base.shape(withoutGrace(call), provider) === undefined;
        return (onlyGrace ? base.fence(call, provider) : undefined) ?? refused;
      },
    }),
  },
  {
    name: 'create-on-idle-answers-drain-id',
    says: 'Create on a machine that a Drain brought back to Idle has the operation id of that Drain (A2).',
    alter: (base) => ({
      replay(call, machine, provider) {
        const operationId = base.replay(call, machine, provider);
        const drained =
          call.kind === 'Create' && machine.state === 'IDLE' && machine.carriedBy?.kind === 'Drain';
        return operationId !== undefined && drained ? machine.carriedBy.id : operationId;
      },
    }),
  },
  {
    name: 'idle-is-idle',
    says: 'Create and Drain repeat each other wherever both lead to Idle, with the operation id of the one that was carried out (A2).',
    alter: (base) => ({
      replay(call, machine, provider) {
        const { carriedBy, state } = machine;
        const toIdle = state === 'CREATING' || state === 'DRAINING' || state === 'IDLE';
        const either = call.kind === 'Create' || call.kind === 'Drain';
        return either && toIdle && carriedBy !== null ? carriedBy.id : base.replay(call, machine, provider);
      },
    }),
  },
  {
    name: 'stale-before-shape',
    says: 'The fence is asked before the shape of a request (A5, A6).',
    alter: () => ({ order: ['fence', 'shape', 'existence', 'idempotency', 'position'] }),
  },
  {
    name: 'second-delete-refused',
    says: 'Delete on a machine that is Speculative is refused, whatever led there (A3).',
    alter: (base) => ({
      replay(call, machine, provider) {
        const gone = call.kind === 'Delete' && machine.state === 'SPECULATIVE';
        return gone ? undefined : base.replay(call, machine, provider);
      },
    }),
  },
  {
    name: 'metadata-cap',
    says: `A map of more than ${MAP_KEYS} keys or ${MAP_BYTES} bytes is refused as INVALID_ARGUMENT (A8).`,
    alter: (base) => ({
      shape(call, provider) {
        const refused = base.shape(call, provider);
        if (refused !== undefined || call.kind !== 'Configure' || !overCap(call)) return refused;
        return reject('INVALID_ARGUMENT', `shard_metadata is over ${MAP_KEYS} keys or ${MAP_BYTES} bytes`);
      },
    }),
  },
  {
    name: 'shardless-unfenced',
    says: 'Epoch and sequence number without a shard are ignored (A4).',
    alter: (base) => ({ tokenOf: (call) => (call.token.shard === '' ? undefined : base.tokenOf(call)) }),
  },
  {
    name: 'shardless-invalid',
    says: 'Epoch and sequence number without a shard are refused as INVALID_ARGUMENT (A4).',
    alter: (base) => ({
      shape(call, provider) {
        const { shard, epoch, sequence } = call.token;
        const shardless = shard === '' && (epoch !== 0n || sequence !== 0n);
        const refused = base.shape(call, provider);
        if (refused !== undefined || !shardless) return refused;
        return reject('INVALID_ARGUMENT', 'a token needs a shard_id');
      },
    }),
  },
];

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function withoutGrace(call: Mutation): Mutation {
  return call.kind === 'Drain' ? { ...call, graceSeconds: 0n } : call;
}

function overCap(call: ConfigureCall): boolean {
  let bytes = 0;
  for (const [key, value] of call.metadata) bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  return call.metadata.size > MAP_KEYS || bytes > MAP_BYTES;
}
