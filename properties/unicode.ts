/** Metadata maps that find providers which touch what they store: any valid UTF-8 is allowed (contract section 2). */
import fc from 'fast-check';

/** Keys and values that have broken an implementation somewhere. */
const TRAPS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u0001\u001f',
  '\u007f\u0080\u009f',
  '\u00e9',
  'e\u0301',
  '\u05d0\u05d1',
  '\u202e\u0041',
  '\ufeffbom',
  '\u{1f600}',
  '\u{10ffff}',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '0',
  '01',
  '1',
  '-1',
  'Team',
  'team',
  'TEAM',
  'null',
  'undefined',
  '<script>',
  '%00',
  '\\u0000',
  'a=b,c=d',
  '\r\n',
];

/** A string of whole code points: what UTF-8 can carry. */
const text = (maxLength: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...TRAPS) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength }) },
  );

/** Maps of up to `maxEntries` entries. */
export function unicodeMetadata(maxEntries = 12): fc.Arbitrary<readonly (readonly [string, string])[]> {
  return fc
    .uniqueArray(fc.tuple(text(12), text(24)), {
      maxLength: maxEntries,
      selector: ([key]) => key,
      size: 'max',
    })
    .map((entries) => entries as readonly (readonly [string, string])[]);
}
