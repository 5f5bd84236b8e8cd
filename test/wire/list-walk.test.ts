/** The walk over a List and its decoding at once must say the same, of whole replies and of broken ones. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Listing } from '../../model/call.js';
import { MachineList } from '../../src/wire/gen/provider.js';
import { decodeReply, ListWalk } from '../../src/wire/index.js';
import { bytes, stringMap, utf8 } from './arbitraries.js';
import { machineMessage } from './messages.js';
import { LIST } from './raw-replies.js';

const machine = fc
  .record({ id: utf8, labels: stringMap, shardMetadata: stringMap, state: fc.nat(12) })
  .map(machineMessage);
const listing = fc
  .record({ machines: fc.array(machine, { maxLength: 6 }), revision: bytes })
  .map((list) => MachineList.encode(list).finish());

function walked(reply: Uint8Array): Listing {
  const walk = new ListWalk(reply);
  return { machines: [...walk.machines()], revision: walk.revision };
}

function attempt<T>(decode: () => T): T | 'malformed' {
  try {
    return decode();
  } catch {
    return 'malformed';
  }
}

describe('the walk over a List', () => {
  it('yields what decoding at once does', () => {
    fc.assert(
      fc.property(listing, (reply) => {
        expect(walked(reply)).toEqual(decodeReply(LIST, reply));
      }),
    );
  });

  it('takes and refuses the same bytes when some are changed, lost or added', () => {
    fc.assert(
      fc.property(listing, fc.nat(), fc.nat(255), fc.boolean(), (reply, at, byte, cut) => {
        const broken = Uint8Array.from(cut ? reply.subarray(0, at % (reply.length + 1)) : reply);
        if (broken.length > 0) broken[at % broken.length] = byte;
        expect(attempt(() => walked(broken))).toEqual(attempt(() => decodeReply(LIST, broken)));
      }),
      { numRuns: 500 },
    );
  });

  it('counts a revision that is sent twice as it was sent last', () => {
    const once = (revision: number[]) =>
      MachineList.encode({ machines: [], revision: Uint8Array.from(revision) }).finish();
    expect(walked(Uint8Array.from([...once([1, 2]), ...once([3])])).revision).toEqual(Uint8Array.from([3]));
  });

  it('does not keep the reply alive by its revision', () => {
    const { revision } = new ListWalk(
      MachineList.encode({ machines: [machineMessage()], revision: Uint8Array.from([7]) }).finish(),
    );
    expect(revision.buffer.byteLength).toBe(1);
  });
});
