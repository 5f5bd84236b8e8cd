import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grouped, limited, shortId, visible } from '../../src/report/escape.js';
import { HOSTILE } from './runs.js';

/** Everything that can act on a reader; written independently of the escaping itself. */
function isHarmless(text: string): boolean {
  return [...text].every((character) => {
    const code = character.codePointAt(0) ?? 0;
    const control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
    const direction =
      (code >= 0x202a && code <= 0x202e) ||
      (code >= 0x2066 && code <= 0x2069) ||
      [0x200e, 0x200f, 0x061c].includes(code);
    const separator = code === 0x2028 || code === 0x2029;
    const invisible =
      (code >= 0x200b && code <= 0x200d) || code === 0xfeff || (code >= 0xe0000 && code <= 0xe007f);
    const half = code >= 0xd800 && code <= 0xdfff;
    return !control && !direction && !separator && !invisible && !half;
  });
}

describe('visible', () => {
  it('writes out what would act on a terminal', () => {
    expect(visible('a\u001b[31mb\u0007\u009b\n\t\u202e\u{e0041}\ud800z')).toBe(
      'a\\x1b[31mb\\x07\\x9b\\n\\t\\u202e\\u{e0041}\\ud800z',
    );
  });

  it('takes the power from words that CI servers obey at the start of a line', () => {
    expect(visible('::error::a ::add-mask::b ##[group]c ##teamcity[d] std::vector a :b: ## e')).toBe(
      '\\x3a:error::a \\x3a:add-mask::b \\x23#[group]c \\x23#teamcity[d] std::vector a :b: ## e',
    );
  });

  it('leaves what people write as it is', () => {
    const text = 'Zürich 東京 נמל 🚀 e\u0301 <b>&amp;</b> "quoted" \\back';
    expect(visible(text)).toBe(text);
  });

  it('never lets anything active through, whatever the text and wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: fc.constantFrom(...HOSTILE), maxLength: 60 }),
        fc.integer({ min: 1, max: 80 }),
        (a, b, longest) => isHarmless(visible(a + b, longest)) && isHarmless(shortId(a + b, 24)),
      ),
      { seed: 7, numRuns: 2000 },
    );
  });

  it('cuts a long text with a note, without splitting a character', () => {
    expect(visible('x'.repeat(1_000_010), 10)).toBe(`${'x'.repeat(10)}… (1,000,000 more characters)`);
    expect(visible('a🚀b', 2)).toBe('a… (3 more characters)');
  });

  it('counts what an earlier cut left out when it cuts again', () => {
    expect(visible(limited('x'.repeat(5000), 4096), 10)).toBe(`${'x'.repeat(10)}… (4,990 more characters)`);
  });

  it('thins out marks stacked on one letter', () => {
    expect([...visible(`a${'\u0301'.repeat(50)}b`)].length).toBeLessThan(10);
  });
});

describe('limited, shortId, grouped', () => {
  it('limits without escaping', () => {
    expect(limited('\u001b[0m')).toBe('\u001b[0m');
    expect(limited('abcdef', 3)).toBe('abc… (3 more characters)');
  });

  it('keeps both ends of a long id', () => {
    expect(shortId('op-1')).toBe('op-1');
    expect(shortId(`op-${'0'.repeat(60)}17`)).toMatch(/^op-0+…0+17$/);
    expect(shortId(`op-${'0'.repeat(60)}17`).length).toBeLessThanOrEqual(24);
  });

  it('groups thousands', () => {
    expect([0, 999, 1000, 1234567].map(grouped)).toEqual(['0', '999', '1,000', '1,234,567']);
  });
});
