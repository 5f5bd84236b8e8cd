/** Cases at the level of protobuf: bytes that no encoder of the service writes. */
import { ALLOWED, answerCase, type Expected, type HostileCase, violates } from './case.js';
import { OK } from './upstream.js';

/** Spoils the bytes of every reply to Get. */
function bytes(
  name: string,
  does: string,
  expected: Expected,
  change: (body: Buffer) => Iterable<number>,
): HostileCase {
  return answerCase('protobuf', name, does, expected, () => (passing, strike) => {
    if (passing.kind !== 'Get' || passing.code !== OK) return passing;
    strike();
    return { ...passing, body: Buffer.from([...change(passing.body)]) };
  });
}

/** The bytes of a length-delimited field with fewer than 128 bytes inside. */
function field(number: number, content: readonly number[]): number[] {
  return [(number << 3) | 2, content.length, ...content];
}

/** Replaces the text of a string field that the message begins with: the id is the first field. */
const BAD_TEXT = [0x61, 0xff, 0xfe, 0x62];
const MALFORMED = violates('B801');

export const BYTE_CASES: readonly HostileCase[] = [
  bytes('utf8-invalid', 'the zone is not UTF-8', MALFORMED, (b) => [...b, ...field(5, BAD_TEXT)]),
  bytes('utf8-surrogate', 'the zone is half a surrogate pair', MALFORMED, (b) => [
    ...b,
    ...field(5, [0xed, 0xa0, 0x80]),
  ]),
  bytes('utf8-overlong', 'the zone is an overlong encoding of /', MALFORMED, (b) => [
    ...b,
    ...field(5, [0xc0, 0xaf]),
  ]),
  bytes('utf8-in-label', 'a label key is not UTF-8', MALFORMED, (b) => [
    ...b,
    ...field(10, [...field(1, BAD_TEXT), ...field(2, [0x61])]),
  ]),
  bytes('truncated', 'the message ends in the middle', MALFORMED, (b) => b.subarray(0, b.length - 3)),
  bytes('one-byte', 'the message is one byte', MALFORMED, () => [0x0a]),
  bytes('trailing-bytes', 'bytes of no meaning follow the message', MALFORMED, (b) => [...b, 0xff, 0xff]),
  bytes('trailing-zero', 'a zero byte follows the message', MALFORMED, (b) => [...b, 0]),
  bytes('end-of-no-group', 'the end of a group that never began follows', MALFORMED, (b) => [...b, 0x4c]),
  bytes('group-unended', 'a group begins and never ends', MALFORMED, (b) => [...b, 0xa3, 0x06]),
  bytes('groups-nested', 'ten thousand groups are nested', MALFORMED, (b) => [
    ...b,
    ...Array.from({ length: 10_000 }, () => [0xa3, 0x06]).flat(),
  ]),
  bytes('length-of-gigabytes', 'a field says that it is two gigabytes long', MALFORMED, (b) => [
    ...b,
    0x2a,
    0xff,
    0xff,
    0xff,
    0xff,
    0x07,
  ]),
  bytes('length-negative', 'a field says that it is -1 bytes long', MALFORMED, (b) => [
    ...b,
    0x2a,
    0xff,
    0xff,
    0xff,
    0xff,
    0xff,
    0xff,
    0xff,
    0xff,
    0xff,
    0x01,
  ]),
  bytes('varint-endless', 'a number has twelve bytes', MALFORMED, (b) => [
    ...b,
    0x10,
    ...Array.from({ length: 11 }, () => 0x80),
    0x01,
  ]),
  bytes('overrun', 'the host runs over its own end', MALFORMED, (b) => [...b, 0x1a, 3, 0x0a, 9, 0x61]),
  bytes('wire-type-7', 'a field has a wire type that does not exist', MALFORMED, (b) => [...b, 0x2f]),
  bytes('random', 'the message is noise', MALFORMED, (b) => b.map((byte, at) => byte ^ (at * 37 + 11))),
  bytes('empty', 'the message is empty', violates('B801'), () => []),
  bytes('of-another-type', 'the reply is an ack instead of a machine', violates('B801'), (b) => [
    ...field(1, [0x6f, 0x70]),
    0x12,
    0x80 | (b.length & 0x7f),
    b.length >> 7,
    ...b,
  ]),
  bytes('field-of-another-type', 'the state is a string', violates('B801'), (b) => [
    ...b,
    0x10,
    0,
    ...field(2, [0x61]),
  ]),
  bytes('state-of-33-bits', 'the state is a number of 33 bits that ends in 99', violates('B801'), (b) => [
    ...b,
    0x10,
    0xe3,
    0x80,
    0x80,
    0x80,
    0x10,
  ]),
  bytes('unknown-fields', 'fields that nobody knows follow', ALLOWED, (b) => [
    ...b,
    0xf8,
    0x3f,
    1,
    ...[0xfa, 0x3f, 2, 0x61, 0x62],
    0xa3,
    0x06,
    0x08,
    1,
    0xa4,
    0x06,
  ]),
  bytes('field-twice', 'the zone stands there twice, the last one counts', ALLOWED, (b) => [
    ...field(5, [0x78]),
    ...b,
  ]),
  bytes('reserved-field', 'the reserved field 11 is set', ALLOWED, (b) => [...b, ...field(11, [0x61])]),
  bytes('label-without-value', 'a label has neither key nor value', ALLOWED, (b) => [...b, ...field(10, [])]),
];
