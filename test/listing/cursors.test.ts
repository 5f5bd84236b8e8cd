import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALTERATIONS } from '../../properties/program.js';
import { altered } from '../../src/engine/cursors.js';

const text = (words: string) => new TextEncoder().encode(words);
const words = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('an altered cursor', () => {
  it('is never the cursor itself', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 32 }),
        fc.constantFrom(...ALTERATIONS),
        (cursor, how) => {
          expect(altered(cursor, how)).not.toEqual(cursor);
        },
      ),
    );
  });

  it('leaves the original as it was', () => {
    const cursor = text('1234');
    for (const how of ALTERATIONS) altered(cursor, how);
    expect(words(cursor)).toBe('1234');
  });

  it('stays a number in digits where the cursor is one', () => {
    expect(words(altered(text('1234'), 'digit'))).toBe('2234');
    expect(words(altered(text('9'), 'digit'))).toBe('8');
    expect(words(altered(text('1234'), 'future'))).toBe('1001234');
    expect(words(altered(text('1234'), 'extended'))).toBe('12340');
    expect(words(altered(text('1234'), 'truncated'))).toBe('123');
  });

  it('points to a later revision where the cursor is a big-endian number', () => {
    const cursor = new Uint8Array(8);
    new DataView(cursor.buffer).setBigUint64(0, 0x1_ffffn);
    const later = altered(cursor, 'future');
    expect(new DataView(later.buffer).getBigUint64(0)).toBe(0x1_ffffn + 1_000_000n);
  });

  it('is nothing where there was no cursor', () => {
    for (const how of ALTERATIONS) expect(altered(new Uint8Array(0), how)).toHaveLength(0);
  });
});
