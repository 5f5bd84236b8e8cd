import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closest } from '../../model/registry/suggest.js';
import { BEHAVIORS, matchBehaviors, UnmatchedPatternError } from '../../model/registry.js';

function idsFor(pattern: string): string[] {
  return matchBehaviors(pattern).map((entry) => entry.id);
}

function complaint(pattern: string): string {
  try {
    matchBehaviors(pattern);
  } catch (error) {
    if (error instanceof UnmatchedPatternError) return error.message;
    throw error;
  }
  throw new Error(`${JSON.stringify(pattern)} matched`);
}

describe('patterns', () => {
  it.each([
    ['B303', ['B303']],
    ['b303', ['B303']],
    ['  B303\t', ['B303']],
    ['B121*', []],
    ['B120?', ['B1201', 'B1202', 'B1203', 'B1204', 'B1205']],
    ['B1??', ['B101', 'B103', 'B104', 'B105', 'B106', 'B107', 'B108', 'B109']],
    ['*07', ['B107', 'B207', 'B307', 'B407', 'B707', 'B807', 'B907', 'B1007', 'B1107']],
    ['B**303', ['B303']],
  ])('%s', (pattern, expected) => {
    if (expected.length === 0) expect(() => matchBehaviors(pattern)).toThrow(UnmatchedPatternError);
    else expect(idsFor(pattern)).toEqual(expected);
  });

  it('names an area, in any case', () => {
    const metadata = ['B501', 'B502', 'B503', 'B504', 'B505'];
    expect(idsFor('metadata')).toEqual(metadata);
    expect(idsFor('Metadata')).toEqual(metadata);
    expect(idsFor('field-shape')).toHaveLength(7);
  });

  it('takes every behavior for a lone star, in registry order', () => {
    expect(matchBehaviors('*')).toEqual(BEHAVIORS);
  });

  it('takes no character but * and ? as special', () => {
    for (const pattern of ['B.03', 'B30[3]', 'B303|B304', '(B303)', '^B303$', 'B30+3', 'B\\d+', 'B{303}']) {
      expect(() => matchBehaviors(pattern), pattern).toThrow(UnmatchedPatternError);
    }
  });
});

describe('a pattern that matches nothing', () => {
  it.each([
    ['B304', 'no behavior matches "B304"; did you mean B301?'],
    ['fenceing', 'no behavior matches "fenceing"; did you mean fencing?'],
    ['lifecylce', 'no behavior matches "lifecylce"; did you mean lifecycle?'],
    ['', 'no behavior matches ""; give an id such as B303, a glob such as B3*, or an area such as fencing'],
    [
      'B6*',
      'no behavior matches "B6*"; give an id such as B303, a glob such as B3*, or an area such as fencing',
    ],
  ])('%j', (pattern, message) => {
    expect(complaint(pattern)).toBe(message);
  });

  it('gets one line of bounded length, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (noise) => {
        const message = complaint(`!${noise}`);
        expect(message).not.toMatch(/[\u0000-\u001f]/);
        expect(message.length).toBeLessThan(600);
      }),
    );
  });
});

describe('the nearest word', () => {
  it.each([
    ['fencng', 'fencing'],
    ['lsit', 'list'],
    ['FENCING', 'fencing'],
    ['liist', 'list'],
    ['zzzzzz', null],
    ['', null],
  ])('%j: %j', (word, expected) => {
    expect(closest(word, ['list', 'fencing', 'lifecycle'])).toBe(expected);
  });

  it('is the word itself when it is among the candidates', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1 }), (words) => {
        for (const word of words) expect(closest(word, words)).toBe(word);
      }),
    );
  });

  it('finds a word from which one letter is missing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{4,10}$/), fc.nat(9), (word, at) => {
        const index = at % word.length;
        expect(closest(word.slice(0, index) + word.slice(index + 1), [word])).toBe(word);
      }),
    );
  });
});
