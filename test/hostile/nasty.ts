/** Values that trip readers up, and ways to put them into any place of a file. */
import fc from 'fast-check';
import { expect } from 'vitest';

/** JSON texts: numbers that are none, keys of the prototype, paths out of the folder, terminal escapes, depth and length. */
export const nasty = fc.oneof(
  fc.json(),
  fc.constantFrom(
    'null',
    '1e999',
    '-0',
    '9007199254740993',
    '0.5',
    '-1',
    '1000000000000',
    '""',
    '"\\ud800"',
    '"\\u001b[2J\\u009b31m\\u2028"',
    '[]',
    '{}',
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"$map":7}',
    '{"$bigint":"x"}',
    '{"$set":[[]]}',
    '"__proto__"',
    '"constructor"',
    '"../../../../etc/passwd"',
    `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
    `"${'x'.repeat(100_000)}"`,
  ),
);

type Path = readonly (string | number)[];

/** Every place in a JSON value, as the keys that lead there. */
export function places(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, item]) => places(item, [...path, key]));
  return [path, ...inner];
}

/** The JSON text of `whole` with what stands at `path` replaced by `text`. */
export function textWith(whole: unknown, path: Path, text: string): string {
  const write = (value: unknown, at: number): string => {
    if (at === path.length) return text;
    if (Array.isArray(value)) {
      return `[${value.map((item, n) => (String(n) === path[at] ? write(item, at + 1) : JSON.stringify(item))).join(',')}]`;
    }
    const fields = Object.entries(value as Record<string, unknown>).map(
      ([key, item]) =>
        `${JSON.stringify(key)}:${key === path[at] ? write(item, at + 1) : JSON.stringify(item)}`,
    );
    return `{${fields.join(',')}}`;
  };
  return write(whole, 0);
}

/** Nothing that was read has become a part of every object. */
export function expectUnpolluted(): void {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect('polluted' in {}).toBe(false);
}
