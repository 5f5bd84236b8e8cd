import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeReply } from '../../src/wire/codec.js';
import { MalformedMessageError } from '../../src/wire/framing.js';
import { MachineList, TransitionAck } from '../../src/wire/gen/provider.js';
import { stringMap, utf8 } from './arbitraries.js';
import { field, machineBytes, machineMessage } from './messages.js';
import { CONFIGURE, GET, LIST } from './raw-replies.js';

const HOST = field(3, field(1, Buffer.from('p')));

describe('a reply that is not one whole message', () => {
  it.each([
    ['a zero tag at the end', [...HOST, 0]],
    ['zero bytes at the end', [...HOST, 0, 0, 0]],
    ['a zero tag inside a nested message', field(3, [...field(1, Buffer.from('p')), 0])],
    ['the end of a group that was not open', [...HOST, 0x0c]],
    ['a group that never ends', [...HOST, 0x83, 0x01]],
    ['a group that another field ends', [0xa3, 0x06, 0xac, 0x06]],
    ['wire type 6', [...HOST, 0x0e, 0]],
    ['wire type 7', [...HOST, 0x0f, 0]],
    [
      'a string longer than its nested message',
      [0x1a, 3, 0x0a, 10, 0x61, ...field(1, Buffer.from('abcdefgh'))],
    ],
    ['a map entry longer than its machine', [0x7a, 40, ...field(1, Buffer.from('k'))]],
    ['a number cut short in a nested message', [0x1a, 2, 0x98, 0x80, 0x01, 0x61]],
    ['a length that only looks small in 32 bits', [0x0a, 0x81, 0x80, 0x80, 0x80, 0x10, 0x61]],
    ['a number of eleven bytes', [0x10, ...Array.from({ length: 10 }, () => 0x80), 0]],
    ['a number of ten bytes past 64 bits', [0x10, ...Array.from({ length: 9 }, () => 0x80), 2]],
    ['a double of seven bytes', [0x39, 0, 0, 0, 0, 0, 0, 0]],
    ['a tag past 32 bits', [0x8a, 0x80, 0x80, 0x80, 0x10, 1, 0x61]],
    ['text', [...Buffer.from('<html>no gRPC here</html>')]],
  ])('is refused: %s', (_name, bytes) => {
    expect(() => decodeReply(GET, new Uint8Array(bytes))).toThrow(MalformedMessageError);
  });

  it('is refused wherever a machine, an ack or a list is cut inside a field', () => {
    const machine = machineMessage({ labels: new Map([['k', 'v']]), shardMetadata: new Map([['k', 'v']]) });
    const ack = TransitionAck.encode({ operationId: 'op', machine }).finish();
    const list = MachineList.encode({ machines: [machine, machine], revision: new Uint8Array([1]) }).finish();
    for (let length = 1; length < ack.length; length++) {
      // The only proper prefixes that are messages by themselves end between two fields of the ack.
      if (length === field(1, Buffer.from('op')).length) continue;
      expect(() => decodeReply(CONFIGURE, ack.subarray(0, length))).toThrow();
    }
    const one = field(
      1,
      machineBytes({ labels: machine.labels, shardMetadata: machine.shardMetadata }),
    ).length;
    for (let length = 1; length < list.length; length++) {
      const betweenFields = length % one === 0 && length <= 2 * one;
      if (betweenFields) continue;
      expect(() => decodeReply(LIST, list.subarray(0, length))).toThrow();
    }
  });
});

describe('a whole message', () => {
  it('is accepted whatever its strings', () => {
    fc.assert(
      fc.property(utf8, stringMap, (id, labels) => {
        expect(decodeReply(GET, machineBytes({ id, labels })).id).toBe(id);
      }),
    );
  });

  it.each([
    ['an unknown varint of ten bytes', [0xa0, 0x06, ...Array.from({ length: 9 }, () => 0xff), 1]],
    ['an unknown string', [0xa2, 0x06, 2, 0xff, 0xff]],
    ['an unknown fixed64', [0xa1, 0x06, 1, 2, 3, 4, 5, 6, 7, 8]],
    ['an unknown fixed32', [0xa5, 0x06, 1, 2, 3, 4]],
    ['an unknown group', [0xa3, 0x06, 0x08, 1, 0xa4, 0x06]],
    ['an unknown empty string last', [0xa2, 0x06, 0]],
    ['an empty nested message last', [0x1a, 0]],
    ['a length written in more bytes than needed', [0x0a, 0x83, 0x80, 0x00, 0x6d, 0x2d, 0x31]],
  ])('may hold %s', (_name, bytes) => {
    expect(decodeReply(GET, new Uint8Array([...field(1, Buffer.from('m-1')), ...bytes])).id).toBe('m-1');
  });
});
