/** Cursors: a revision under a seal, so that bytes this provider never issued are recognised (contract section 5). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Provider } from './provider.js';

const REVISION_BYTES = 8;
const SEAL_BYTES = 8;

/** The cursor that stands for a revision. */
export function seal(revision: number, provider: Provider): Uint8Array {
  const body = Buffer.alloc(REVISION_BYTES);
  body.writeBigUInt64BE(BigInt(revision));
  return Buffer.concat([body, stamp(body, provider)]);
}

/** The revision a cursor stands for; undefined where this provider never issued those bytes. */
export function unseal(cursor: Uint8Array, provider: Provider): number | undefined {
  if (cursor.length !== REVISION_BYTES + SEAL_BYTES) return undefined;
  const body = Buffer.from(cursor.subarray(0, REVISION_BYTES));
  if (!timingSafeEqual(stamp(body, provider), cursor.subarray(REVISION_BYTES))) return undefined;
  const revision = Number(body.readBigUInt64BE());
  return revision <= provider.fleet.head ? revision : undefined;
}

function stamp(body: Buffer, provider: Provider): Buffer {
  return createHmac('sha256', provider.config.cursorKey).update(body).digest().subarray(0, SEAL_BYTES);
}
