import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Call, NO_TOKEN } from '../../model/call.js';
import { decodeReply, encodeCall } from '../../src/wire/codec.js';
import { CapacityType, MachineList, MachineState, TransitionAck } from '../../src/wire/gen/provider.js';
import { STRICT_DECODERS } from '../../src/wire/strict-decode.js';
import { AWKWARD, anyCall, stringMap, utf8 } from './arbitraries.js';
import { field, machineBytes, machineMessage } from './messages.js';
import { CONFIGURE, GET, LIST } from './raw-replies.js';

const INVALID_UTF8 = [
  [0xff],
  [0xc3, 0x28],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xc0, 0x80],
  [0xe2, 0x82],
];

/** What a server sees of a call, in the shape of the call. */
function asSeenByServer(call: Call): Call {
  const bytes = encodeCall(call);
  switch (call.kind) {
    case 'Get':
      return { kind: 'Get', machineId: STRICT_DECODERS.MachineRef(bytes).id };
    case 'List': {
      const filter = STRICT_DECODERS.ListFilter(bytes);
      expect(filter.states.map((state) => MachineState[state])).toEqual(
        call.states.map((state) => `MACHINE_STATE_${state}`),
      );
      return {
        kind: 'List',
        states: call.states,
        maxResults: filter.maxResults,
        sinceRevision: filter.sinceRevision,
      };
    }
    case 'Create':
      return { kind: 'Create', ...common(STRICT_DECODERS.CreateRequest(bytes)) };
    case 'Delete':
      return { kind: 'Delete', ...common(STRICT_DECODERS.DeleteRequest(bytes)) };
    case 'Drain': {
      const request = STRICT_DECODERS.DrainRequest(bytes);
      return { kind: 'Drain', ...common(request), grace: request.gracePeriodSeconds };
    }
    case 'Configure': {
      const request = STRICT_DECODERS.ConfigureRequest(bytes);
      return {
        kind: 'Configure',
        ...common(request),
        cluster: request.clusterId,
        metadata: request.shardMetadata,
        blob: request.bootstrapBlob,
      };
    }
  }
}

function common(request: { machineId: string; shardId: string; shardEpoch: bigint; sequenceNumber: bigint }) {
  return {
    machineId: request.machineId,
    token: { shard: request.shardId, epoch: request.shardEpoch, sequence: request.sequenceNumber },
  };
}

describe('encodeCall', () => {
  it('carries every call to the server unchanged', () => {
    fc.assert(
      fc.property(anyCall, (call) => {
        expect(asSeenByServer(call)).toEqual(call);
      }),
    );
  });

  it('writes the field numbers of the contract', () => {
    const token = { shard: 's', epoch: 2n, sequence: 3n };
    const id = field(1, Buffer.from('m'));
    const shard = (number: number) => field(number, Buffer.from('s'));
    expect([...encodeCall({ kind: 'Create', machineId: 'm', token })]).toEqual([
      ...id,
      ...shard(3),
      0x20,
      2,
      0x28,
      3,
    ]);
    expect([...encodeCall({ kind: 'Delete', machineId: 'm', token })]).toEqual([
      ...id,
      ...shard(2),
      0x18,
      2,
      0x20,
      3,
    ]);
    expect([...encodeCall({ kind: 'Drain', machineId: 'm', token, grace: 7n })]).toEqual([
      ...id,
      0x10,
      7,
      ...shard(3),
      0x20,
      2,
      0x28,
      3,
    ]);
    expect([...encodeCall({ ...CONFIGURE, token, metadata: new Map([['k', 'v']]) })]).toEqual([
      ...id,
      ...field(2, Buffer.from('c')),
      ...field(3, [1]),
      ...shard(4),
      0x28,
      2,
      0x30,
      3,
      ...field(7, [...field(1, Buffer.from('k')), ...field(2, Buffer.from('v'))]),
    ]);
    expect([
      ...encodeCall({
        kind: 'List',
        states: ['IDLE', 'FAILED'],
        maxResults: 5,
        sinceRevision: new Uint8Array([9]),
      }),
    ]).toEqual([...field(1, [3, 8]), 0x20, 5, ...field(5, [9])]);
  });

  it.each([2n ** 63n, -(2n ** 63n) - 1n])('refuses %s, which no int64 holds', (epoch) => {
    expect(() => encodeCall({ kind: 'Create', machineId: 'm', token: { ...NO_TOKEN, epoch } })).toThrow(
      RangeError,
    );
  });

  it('refuses a lone surrogate wherever a string goes, rather than send another string', () => {
    const lone = 'a\uD800';
    for (const call of [
      { ...GET, machineId: lone },
      { ...CONFIGURE, machineId: lone },
      { ...CONFIGURE, cluster: lone },
      { ...CONFIGURE, token: { ...NO_TOKEN, shard: lone } },
      { ...CONFIGURE, metadata: new Map([[lone, 'v']]) },
      { ...CONFIGURE, metadata: new Map([['k', lone]]) },
    ]) {
      expect(() => encodeCall(call)).toThrow(RangeError);
    }
  });

  it.each([2 ** 31, -(2 ** 31) - 1, 0.5, Number.NaN])('refuses max_results %s', (maxResults) => {
    expect(() => encodeCall({ ...LIST, maxResults })).toThrow(RangeError);
  });
});

describe('decodeReply', () => {
  it('keeps every string and map of a machine', () => {
    fc.assert(
      fc.property(
        utf8,
        utf8,
        stringMap,
        stringMap,
        stringMap,
        (id, lastError, labels, shardMetadata, resources) => {
          const bytes = machineBytes({ id, lastError, labels, shardMetadata, resources: { resources } });
          expect(decodeReply(GET, bytes)).toMatchObject({ id, lastError });
          const record = decodeReply(GET, bytes);
          expect([...record.labels]).toEqual([...labels]);
          expect([...record.shardMetadata]).toEqual([...shardMetadata]);
          expect([...(record.resources ?? [])]).toEqual([...resources]);
        },
      ),
    );
  });

  it('keeps the keys that objects lose', () => {
    const shardMetadata = new Map(AWKWARD.map((key) => [key, `value of ${key}`]));
    expect(decodeReply(GET, machineBytes({ shardMetadata })).shardMetadata).toEqual(shardMetadata);
  });

  it('keeps the difference between absent and empty', () => {
    const absent = decodeReply(
      GET,
      machineBytes({ host: undefined, resources: undefined, allocatable: undefined }),
    );
    expect(absent).toMatchObject({ host: null, resources: null, allocatable: null });
    const empty = decodeReply(
      GET,
      machineBytes({ host: { provider: '', ref: '' }, resources: { resources: new Map() } }),
    );
    expect(empty).toMatchObject({ host: { provider: '', ref: '' }, resources: new Map() });
    expect(
      decodeReply(CONFIGURE, TransitionAck.encode({ operationId: 'o', machine: undefined }).finish()),
    ).toEqual({
      operationId: 'o',
      machine: null,
    });
  });

  it.each([
    [MachineState.MACHINE_STATE_UNSPECIFIED, 'UNSPECIFIED'],
    [MachineState.MACHINE_STATE_SPECULATIVE, 'SPECULATIVE'],
    [MachineState.MACHINE_STATE_FAILED, 'FAILED'],
    [9, 'UNKNOWN(9)'],
    [-1, 'UNKNOWN(-1)'],
    [2 ** 31 - 1, 'UNKNOWN(2147483647)'],
  ])('names state %i %s', (state, name) => {
    expect(decodeReply(GET, machineBytes({ state })).state).toBe(name);
  });

  it.each([
    [CapacityType.CAPACITY_TYPE_UNSPECIFIED, 'UNSPECIFIED'],
    [CapacityType.CAPACITY_TYPE_SPOT, 'SPOT'],
    [5, 'UNKNOWN(5)'],
    [-7, 'UNKNOWN(-7)'],
  ])('names capacity type %i %s', (capacityType, name) => {
    expect(decodeReply(GET, machineBytes({ capacityType })).capacityType).toBe(name);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1.5, 1e308])('keeps the price %d', (pricePerHour) => {
    expect(decodeReply(GET, machineBytes({ pricePerHour })).pricePerHour).toBe(pricePerHour);
  });

  it('copies the revision out of the reply', () => {
    const bytes = MachineList.encode({
      machines: [machineMessage()],
      revision: new Uint8Array([0, 255]),
    }).finish();
    const listing = decodeReply(LIST, bytes);
    expect(listing.revision).toEqual(new Uint8Array([0, 255]));
    expect(listing.revision.buffer.byteLength).toBe(2);
    expect(listing.machines.map((machine) => machine.id)).toEqual(['m-1']);
  });

  it('takes an empty reply for an empty message, as protobuf has it', () => {
    expect(decodeReply(LIST, new Uint8Array(0))).toEqual({ machines: [], revision: new Uint8Array(0) });
    expect(decodeReply(GET, new Uint8Array(0))).toMatchObject({ id: '', state: 'UNSPECIFIED', host: null });
  });

  it.each(INVALID_UTF8)('refuses invalid UTF-8 in a string, a map key and a map value (%j)', (...bad) => {
    const long = [...Buffer.from('x'.repeat(40)), ...bad];
    expect(() => decodeReply(GET, new Uint8Array(field(1, bad)))).toThrow();
    expect(() => decodeReply(GET, new Uint8Array(field(1, long)))).toThrow();
    expect(() => decodeReply(GET, new Uint8Array(field(15, field(1, bad))))).toThrow();
    expect(() => decodeReply(GET, new Uint8Array(field(10, field(2, bad))))).toThrow();
  });
});
