/** JSON for what JSON has no words for: bigints, maps, sets, bytes, and numbers that are none or have no end. */

/** `value` as plain JSON data; {@link unpacked} makes the same again. */
export function packed(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: String(value) };
  if (typeof value === 'number') return isPlain(value) ? value : { $number: numberText(value) };
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (value instanceof Map) return { $map: packed([...value]) };
  if (value instanceof Set) return { $set: packed([...value]) };
  if (Array.isArray(value)) return value.map(packed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, packed(member)]),
  );
}

function isPlain(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** What {@link packed} was given, with fields that were undefined left out. */
export function unpacked(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(unpacked);
  if (typeof data !== 'object' || data === null) return data;
  const entries = Object.entries(data);
  const [[tag, content] = ['', null], ...more] = entries;
  if (more.length === 0 && tag.startsWith('$')) return tagged(tag, content);
  return Object.fromEntries(entries.map(([key, member]) => [key, unpacked(member)]));
}

function tagged(tag: string, content: unknown): unknown {
  switch (tag) {
    case '$bigint':
      return BigInt(String(content));
    case '$number':
      return Number(content);
    case '$bytes':
      return new Uint8Array(Buffer.from(String(content), 'base64'));
    case '$map':
      return new Map(unpacked(content) as [unknown, unknown][]);
    case '$set':
      return new Set(unpacked(content) as unknown[]);
    default:
      throw new RangeError(`unknown tag ${tag}`);
  }
}
