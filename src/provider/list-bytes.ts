/** The bytes of a List's reply, without holding up every other call while they are put together. */
import { setImmediate } from 'node:timers/promises';
import { MachineList, type Machine as MachineRecord } from '../wire/gen/provider.js';

/** What is done in one go, counted in records copied: a millisecond or so. */
const SLICE = 8_192;
/** To encode a record costs as much as to copy so many. */
const ENCODING = 32;

const EMPTY = new Uint8Array();
// Keyed by identity: a machine that changes has another record.
const encoded = new WeakMap<MachineRecord, Uint8Array>();

/**
 * Encodes the reply to a List. The records stay what they were when the reply was decided, however long the encoding
 * takes. Every record is encoded once in its life, because most of a large fleet is the same in every List.
 */
export async function listBytes(machines: readonly MachineRecord[], revision: Uint8Array): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let work = 0;
  for (const machine of machines) {
    const known = encoded.get(machine);
    const part = known ?? encode(machine);
    parts.push(part);
    length += part.length;
    work += known === undefined ? ENCODING : 1;
    if (work < SLICE) continue;
    work = 0;
    await setImmediate();
  }
  // A message is its fields in any order, and a list the concatenation of lists, so the parts need no frame.
  const last = MachineList.encode({ machines: [], revision }).finish();
  parts.push(last);
  return join(parts, length + last.length);
}

function encode(machine: MachineRecord): Uint8Array {
  const bytes = MachineList.encode({ machines: [machine], revision: EMPTY }).finish();
  encoded.set(machine, bytes);
  return bytes;
}

async function join(parts: readonly Uint8Array[], length: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(length);
  let offset = 0;
  for (const [index, part] of parts.entries()) {
    whole.set(part, offset);
    offset += part.length;
    if (index % SLICE === SLICE - 1) await setImmediate();
  }
  return whole;
}
