/**
 * Kubernetes quantities, as in Machine.resources and Machine.allocatable (contract section 3, behavior B804).
 * Own code because the parsers to be had on npm compute in doubles, which rounds above 2^53, and lack the
 * suffixes n and u.
 */

/** An exact number: `unscaled` times ten to the power of `exponent`. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
}

const DECIMAL_EXPONENTS: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

const BINARY_FACTORS: ReadonlyMap<string, bigint> = new Map(
  ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, index) => [suffix, 1024n ** BigInt(index + 1)]),
);

const GRAMMAR = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:([eE][+-]?\d+)|([A-Za-z]*))$/;

/** Longer text is no quantity; together with the exponent's limit it bounds what a hostile provider can cost. */
const MAX_LENGTH = 256;
/** Far beyond what Kubernetes keeps (it clamps at 2^63-1 and at 10^-9), and still cheap to compute with. */
const MAX_EXPONENT = 1_000;

/**
 * Reads a Kubernetes quantity: an optional sign, a decimal number with digits on at least one side of its
 * point, and one of the suffixes n u m k M G T P E, Ki Mi Gi Ti Pi Ei, or a decimal exponent (`e3`, `E-3`).
 * A lone `E` is the suffix exa. Returns null for anything else, surrounding space included.
 */
export function parseQuantity(text: string): Quantity | null {
  if (text.length > MAX_LENGTH) return null;
  const parts = GRAMMAR.exec(text);
  if (parts === null) return null;
  const [, sign, whole = '', decimals = '', bareDecimals = '', power, suffix = ''] = parts;
  const fraction = decimals + bareDecimals;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const factor = BINARY_FACTORS.get(suffix);
  if (factor !== undefined) return { unscaled: digits * factor, exponent: -fraction.length };
  const shift = power === undefined ? DECIMAL_EXPONENTS.get(suffix) : Number(power.slice(1));
  if (shift === undefined || Math.abs(shift) > MAX_EXPONENT) return null;
  return { unscaled: digits, exponent: shift - fraction.length };
}

/** Texts whose reading is known; a fleet repeats a few. Bounded, because a provider may as well never repeat one. */
const KNOWN = new Map<string, boolean>();
const MOST_KNOWN = 1_024;

/** Whether `text` is a Kubernetes quantity, as {@link parseQuantity} reads it. */
export function isQuantity(text: string): boolean {
  const known = KNOWN.get(text);
  if (known !== undefined) return known;
  const readable = parseQuantity(text) !== null;
  if (text.length > MAX_LENGTH) return readable;
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
  KNOWN.set(text, readable);
  return readable;
}

/** floor(dividend / divisor), exactly; null when the divisor is zero. */
export function floorQuotient(dividend: Quantity, divisor: Quantity): bigint | null {
  if (divisor.unscaled === 0n) return null;
  const exponent = dividend.exponent - divisor.exponent;
  const top = dividend.unscaled * 10n ** BigInt(Math.max(exponent, 0));
  const bottom = divisor.unscaled * 10n ** BigInt(Math.max(-exponent, 0));
  const towardZero = top / bottom;
  const inexact = top % bottom !== 0n;
  return inexact && top < 0n !== bottom < 0n ? towardZero - 1n : towardZero;
}

/**
 * How many workloads of the size `resources` fit into `allocatable`: the smallest floor(allocatable /
 * resources) over the resource names that both maps hold. A divisor of zero sets no limit and is passed over.
 *
 * Returns null when the density cannot be computed (B804): a map is empty, some quantity cannot be read, or
 * no name is left to divide by.
 */
export function density(
  allocatable: ReadonlyMap<string, string>,
  resources: ReadonlyMap<string, string>,
): bigint | null {
  const available = parseAll(allocatable);
  const needed = parseAll(resources);
  if (available === null || needed === null) return null;
  let smallest: bigint | null = null;
  for (const [name, divisor] of needed) {
    const dividend = available.get(name);
    const fits = dividend === undefined ? null : floorQuotient(dividend, divisor);
    if (fits !== null && (smallest === null || fits < smallest)) smallest = fits;
  }
  return smallest;
}

function parseAll(texts: ReadonlyMap<string, string>): ReadonlyMap<string, Quantity> | null {
  const parsed = new Map<string, Quantity>();
  for (const [name, text] of texts) {
    const quantity = parseQuantity(text);
    if (quantity === null) return null;
    parsed.set(name, quantity);
  }
  return parsed;
}
