/** Makes bytes that a provider did not issue as a cursor out of ones that it did. */
import type { Alteration } from '../../properties/program.js';

/** How far into the future an altered number points. */
const FUTURE = 1_000_000n;
const [ZERO, NINE] = [0x30, 0x39];

/** An altered copy of `cursor`. One that is already empty stays so: it is no cursor at all. */
export function altered(cursor: Uint8Array, how: Alteration): Uint8Array {
  if (cursor.length === 0) return cursor;
  switch (how) {
    case 'flipped':
      return withByte(cursor, cursor.length >> 1, (byte) => byte ^ 0x80);
    case 'digit':
      return otherDigit(cursor);
    case 'truncated':
      return cursor.slice(0, -1);
    case 'extended':
      return Uint8Array.from([...cursor, ZERO]);
    case 'future':
      return cursor.every(isDigit) ? laterText(cursor) : laterNumber(cursor);
  }
}

/** Still looks like a cursor where cursors are text; a binary one has its lowest bit of the first byte changed. */
function otherDigit(cursor: Uint8Array): Uint8Array {
  const at = cursor.findIndex((byte) => isDigit(byte) || isLetter(byte));
  if (at < 0) return withByte(cursor, 0, (byte) => byte ^ 1);
  return withByte(cursor, at, (byte) => {
    const next = byte + 1;
    return isDigit(next) || isLetter(next) ? next : byte - 1;
  });
}

function laterText(cursor: Uint8Array): Uint8Array {
  return new TextEncoder().encode(String(BigInt(new TextDecoder().decode(cursor)) + FUTURE));
}

/** The bytes as a big-endian number, which is what a number under a seal or without one begins with. */
function laterNumber(cursor: Uint8Array): Uint8Array {
  const later = Uint8Array.from(cursor);
  let carry = FUTURE;
  for (let i = later.length - 1; i >= 0 && carry > 0n; i--) {
    const sum = BigInt(later[i] ?? 0) + (carry & 0xffn);
    later[i] = Number(sum & 0xffn);
    carry = (carry >> 8n) + (sum >> 8n);
  }
  return later;
}

function withByte(cursor: Uint8Array, at: number, change: (byte: number) => number): Uint8Array {
  return cursor.map((byte, i) => (i === at ? change(byte) : byte));
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
