import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { density, floorQuotient, parseQuantity, type Quantity } from '../../model/quantity.js';

/** The text that a quantity stands for, times 10^12 (every case below is a multiple of 10^-12), or null. */
function picos(text: string): bigint | null {
  const quantity = parseQuantity(text);
  return quantity === null ? null : scaled(quantity, 12);
}

function scaled({ unscaled, exponent }: Quantity, places: number): bigint {
  const power = exponent + places;
  return power >= 0 ? unscaled * 10n ** BigInt(power) : unscaled / 10n ** BigInt(-power);
}

const UNIT = 10n ** 12n;

describe('a Kubernetes quantity', () => {
  it.each([
    ['0', 0n],
    ['1', UNIT],
    ['+5', 5n * UNIT],
    ['-1', -UNIT],
    ['0.5', UNIT / 2n],
    ['.5', UNIT / 2n],
    ['-.5', -UNIT / 2n],
    ['5.', 5n * UNIT],
    ['007', 7n * UNIT],
    ['1n', UNIT / 10n ** 9n],
    ['1u', UNIT / 10n ** 6n],
    ['100m', UNIT / 10n],
    ['1k', 10n ** 3n * UNIT],
    ['1M', 10n ** 6n * UNIT],
    ['1G', 10n ** 9n * UNIT],
    ['1T', 10n ** 12n * UNIT],
    ['1P', 10n ** 15n * UNIT],
    ['1E', 10n ** 18n * UNIT],
    ['1Ki', 2n ** 10n * UNIT],
    ['1Mi', 2n ** 20n * UNIT],
    ['1.5Gi', 3n * 2n ** 29n * UNIT],
    ['1Ti', 2n ** 40n * UNIT],
    ['1Pi', 2n ** 50n * UNIT],
    ['1Ei', 2n ** 60n * UNIT],
    ['1e3', 1000n * UNIT],
    ['1E3', 1000n * UNIT],
    ['1e+3', 1000n * UNIT],
    ['1e-3', UNIT / 1000n],
    ['1.25E-2', UNIT / 80n],
    ['9007199254740993', 9007199254740993n * UNIT],
    ['9223372036854775807', (2n ** 63n - 1n) * UNIT],
  ])('%s', (text, expected) => {
    expect(picos(text)).toBe(expected);
  });

  it.each([
    ...['', ' ', ' 1', '1 ', '1 Ki', '\n1', '1\n', '+', '-', '.', '+.', '--1', '+-1', '1..5', '1.5.5'],
    ...[
      '1K',
      '1ki',
      '1KI',
      '1kI',
      '1mi',
      '1Ni',
      '1i',
      '1B',
      '1KiB',
      '1Ki5',
      '1kk',
      'Ki',
      'm',
      '1g',
      '1U',
      '1N',
    ],
    ...['12e', '1e', '1e+', '1e3k', '1e3Ki', '1e1.5', '1e 3', 'e3', '1eE3'],
    ...['NaN', 'Infinity', '-Infinity', '0x10', '1_000', '1,000', '１', '٣', '1\u0000', 'one', '__proto__'],
    ...['1e1001', '1e-1001', '1e99999999999999999999', '9'.repeat(257)],
  ])('is not %j', (text) => {
    expect(parseQuantity(text)).toBeNull();
  });

  it('is read exactly, whatever its digits and suffix', () => {
    const suffixes: Record<string, bigint> = {
      n: 10n ** 3n,
      u: 10n ** 6n,
      m: 10n ** 9n,
      '': UNIT,
      k: 10n ** 3n * UNIT,
      E: 10n ** 18n * UNIT,
      e2: 100n * UNIT,
      'E-2': UNIT / 100n,
      Ki: 2n ** 10n * UNIT,
      Ei: 2n ** 60n * UNIT,
    };
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
        fc.constantFrom(...Object.entries(suffixes)),
        (digits, [suffix, factor]) => {
          expect(picos(`${digits}${suffix}`)).toBe(digits * factor);
        },
      ),
    );
  });

  it('does not depend on where the point stands', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{2,12}$/), fc.nat(12), (digits, at) => {
        const point = at % (digits.length + 1);
        const text = `${digits.slice(0, point)}.${digits.slice(point)}`;
        expect(picos(text)).toBe(picos(`${digits}e-${digits.length - point}`));
      }),
    );
  });

  it('answers any text without throwing', () => {
    const noise = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[-+.0-9eEKMGiknum]{0,20}$/));
    fc.assert(
      fc.property(noise, (text) => {
        const quantity = parseQuantity(text);
        if (quantity !== null) expect(text).toMatch(/^[+-]?[0-9.]+([eE][+-]?[0-9]+|[numkMGTPE]|[KMGTPE]i)?$/);
      }),
    );
  });
});

describe('floor of a quotient', () => {
  const quantity = fc.record({
    unscaled: fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
    exponent: fc.integer({ min: -20, max: 20 }),
  });
  const divisor = quantity.filter(({ unscaled }) => unscaled !== 0n);

  it('is the largest whole number whose multiple does not exceed the dividend', () => {
    fc.assert(
      fc.property(quantity, divisor, (dividend, by) => {
        const floor = floorQuotient(dividend, by) ?? expect.fail('a divisor other than zero has a quotient');
        const [top, bottom] = [scaled(dividend, 20), scaled(by, 20)];
        const remainder = top - floor * bottom;
        const size = bottom < 0n ? -bottom : bottom;
        const along = bottom < 0n ? -remainder : remainder;
        expect(along >= 0n && along < size).toBe(true);
      }),
    );
  });

  it('does not exist for a divisor of zero', () => {
    fc.assert(
      fc.property(quantity, fc.integer({ min: -20, max: 20 }), (dividend, exponent) => {
        expect(floorQuotient(dividend, { unscaled: 0n, exponent })).toBeNull();
      }),
    );
  });
});

describe('density', () => {
  const of = (allocatable: Record<string, string>, resources: Record<string, string>) =>
    density(new Map(Object.entries(allocatable)), new Map(Object.entries(resources)));

  it.each([
    ['one resource', { cpu: '4' }, { cpu: '500m' }, 8n],
    ['rounding down', { cpu: '3900m' }, { cpu: '1' }, 3n],
    ['the scarcest resource', { cpu: '64', memory: '16Gi' }, { cpu: '1', memory: '4Gi' }, 4n],
    ['decimal by binary', { memory: '1G' }, { memory: '1Mi' }, 953n],
    ['less than one', { cpu: '1' }, { cpu: '2' }, 0n],
    ['beyond doubles', { bytes: '9223372036854775807' }, { bytes: '1' }, 2n ** 63n - 1n],
    ['a resource that only one side names', { cpu: '4', disk: '1Ti' }, { cpu: '2', gpu: '1' }, 2n],
    ['a resource of zero beside another', { cpu: '4', gpu: '0' }, { cpu: '2', gpu: '0' }, 2n],
  ])('%s', (_, allocatable, resources, expected) => {
    expect(of(allocatable, resources)).toBe(expected);
  });

  it.each([
    ['nothing allocatable', {}, { cpu: '1' }],
    ['no resources', { cpu: '1' }, {}],
    ['no name in common', { cpu: '1' }, { memory: '1' }],
    ['only zeros to divide by', { cpu: '1' }, { cpu: '0' }],
    ['an unreadable dividend', { cpu: 'four' }, { cpu: '1' }],
    ['an unreadable divisor', { cpu: '4' }, { cpu: '1K' }],
    ['an unreadable quantity beside a good one', { cpu: '4', memory: '' }, { cpu: '1' }],
  ])('cannot be computed from %s', (_, allocatable, resources) => {
    expect(of(allocatable, resources)).toBeNull();
  });
});
