import type { MachineRecord } from '../../model/record.js';
import { toRecord } from './codec.js';
import { checkFraming } from './framing.js';
import { strictReader } from './reader.js';
import { STRICT_DECODERS } from './strict-decode.js';

const MACHINES_TAG = (1 << 3) | 2;
const REVISION_TAG = (2 << 3) | 2;

/**
 * The reply to a List whose machines are decoded one by one. A fleet of 100,000 is tens of MiB as bytes and several
 * hundred as records: whoever looks at each machine once need not hold them all, and can pause in between.
 */
export class ListWalk {
  /** Opaque; empty means that the provider has no cursors. */
  readonly revision: Uint8Array;

  /** @throws MalformedMessageError when the outermost message is not one whole message. */
  constructor(private readonly bytes: Uint8Array) {
    checkFraming(bytes, []);
    this.revision = lastRevision(bytes);
  }

  /** Length of the reply in bytes. */
  get size(): number {
    return this.bytes.length;
  }

  /**
   * The machines in the order of the reply.
   * @throws Error at the first machine that is not one whole valid message.
   */
  *machines(): Generator<MachineRecord, void, undefined> {
    const reader = strictReader(this.bytes);
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === MACHINES_TAG) yield toRecord(STRICT_DECODERS.Machine(reader.bytes()));
      else reader.skip(tag & 7, tag >>> 3);
    }
  }
}

/** A field that is sent twice counts as it was sent last. */
function lastRevision(bytes: Uint8Array): Uint8Array {
  const reader = strictReader(bytes);
  let revision = new Uint8Array(0);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === REVISION_TAG) revision = Uint8Array.from(reader.bytes());
    else reader.skip(tag & 7, tag >>> 3);
  }
  return revision;
}
