/** Readers of option values; each refusal is one line that says what was expected. */
import { InvalidArgumentError } from 'commander';
import ms from 'ms';

/** A whole number of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^-?\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(
      `expected a whole number of at least ${least}, saw ${JSON.stringify(text)}.`,
    );
  };
}

/** A length of time such as 500ms, 2s or 1m; a bare number is milliseconds. Returns milliseconds. */
export function duration(text: string): number {
  const value = text.trim() === '' ? undefined : ms(text as ms.StringValue);
  if (value !== undefined && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError(`expected a duration such as 500ms, 2s or 1m, saw ${JSON.stringify(text)}.`);
}

/** MIN..MAX, each a duration. Returns milliseconds. */
export function durationRange(text: string): { minMs: number; maxMs: number } {
  const [from, to, ...rest] = text.split('..');
  if (from !== undefined && to !== undefined && rest.length === 0) {
    const range = { minMs: duration(from), maxMs: duration(to) };
    if (range.minMs <= range.maxMs) return range;
  }
  throw new InvalidArgumentError(`expected a range such as 0..50ms, saw ${JSON.stringify(text)}.`);
}

/** A list separated by commas, added to what earlier uses of the option gave. */
export function commaList(text: string, before: readonly string[] | undefined): string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return [...(before ?? []), ...items];
}
