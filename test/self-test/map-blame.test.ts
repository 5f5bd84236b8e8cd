/** What a changed map says about its provider. */
import { describe, expect, it } from 'vitest';
import { behaviorsOfMap } from '../../model/map-blame.js';

const many = new Map(Array.from({ length: 80 }, (_, i) => [`key-${i}`, i % 3 === 0 ? '' : 'value'] as const));
const entries = (map: ReadonlyMap<string, string>) => [...map];

describe('the first behavior of a changed map', () => {
  it.each<[string, ReadonlyMap<string, string>, Iterable<readonly [string, string]>, string]>([
    [
      'keys that were never sent',
      new Map([['a', '1']]),
      [
        ['a', '1'],
        ['old', '2'],
      ],
      'B502',
    ],
    [
      'empty values lost',
      new Map([
        ['a', ''],
        ['b', '1'],
      ]),
      [['b', '1']],
      'B501',
    ],
    ['empty values of a large map lost', many, entries(many).filter(([, value]) => value !== ''), 'B501'],
    ['the end of a large map lost', many, entries(many).slice(0, 50), 'B503'],
    ['a large map replaced by its size', many, [['keys', '80']], 'B503'],
    ['a long value cut', new Map([['a', 'x'.repeat(500)]]), [['a', 'x'.repeat(256)]], 'B503'],
    ['a NUL lost', new Map([['a', 'x\0y']]), [['a', 'x']], 'B501'],
    ['unicode composed', new Map([['a', 'e\u0301']]), [['a', '\u00e9']], 'B501'],
    ['an astral character replaced', new Map([['a', '\u{1f980}']]), [['a', '\ufffd']], 'B1202'],
    ['a key of every object lost', new Map([['__proto__', 'x']]), [], 'B1202'],
    ['keys trimmed', new Map([[' a', 'x']]), [['a', 'x']], 'B1202'],
    [
      'keys of a large map in lower case',
      new Map(entries(many).map(([k, v]) => [k.toUpperCase(), v])),
      many,
      'B501',
    ],
  ])('%s', (_what, sent, shown, behavior) => {
    expect(behaviorsOfMap(sent, new Map(shown))[0]).toBe(behavior);
  });
});
