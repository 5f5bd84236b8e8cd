/**
 * What counts as oversized (contract section 9, A8). The contract names no number, so the lines are drawn low: above
 * them a provider may refuse, below them it must take the request. B501's map of 55 keys is below.
 */

/** More entries, or more bytes of keys and values, may be refused. */
export const METADATA_ALWAYS_TAKEN = { entries: 55, bytes: 4096 } as const;
/** A bootstrap_blob of more bytes may be refused. */
export const BLOB_ALWAYS_TAKEN_BYTES = 16_384;

/** Whether a provider may refuse this blob as oversized. */
export function isLargeBlob(blob: Uint8Array): boolean {
  return blob.length > BLOB_ALWAYS_TAKEN_BYTES;
}

/** Whether a provider may refuse this map as oversized. */
export function isLargeMap(map: ReadonlyMap<string, string>): boolean {
  if (map.size > METADATA_ALWAYS_TAKEN.entries) return true;
  let units = 0;
  for (const [key, value] of map) units += key.length + value.length;
  // A UTF-16 code unit is at most three bytes of UTF-8: exact bytes are counted only near the line.
  return units * 3 > METADATA_ALWAYS_TAKEN.bytes && bytesOf(map) > METADATA_ALWAYS_TAKEN.bytes;
}

function bytesOf(map: ReadonlyMap<string, string>): number {
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const [key, value] of map) bytes += encoder.encode(key).length + encoder.encode(value).length;
  return bytes;
}
