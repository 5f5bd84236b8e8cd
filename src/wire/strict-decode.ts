import { checkFraming, type Frame } from './framing.js';
import type { MessageFns } from './gen/provider.js';
import {
  ConfigureRequest,
  CreateRequest,
  DeleteRequest,
  DrainRequest,
  ListFilter,
  Machine,
  MachineList,
  MachineRef,
  TransitionAck,
} from './gen/provider.js';
import { strictReader } from './reader.js';

/** Decodes one message, or throws. */
export type Decoder<T> = (bytes: Uint8Array) => T;

/** A frame whose children sit at the given field numbers. */
function frameOf(children: Readonly<Record<number, Frame>>): Frame {
  const frame: (Frame | undefined)[] = [];
  for (const [field, child] of Object.entries(children)) {
    frame[Number(field)] = child;
  }
  return Array.from(frame);
}

const LEAF: Frame = [];
const RESOURCES = frameOf({ 1: LEAF });
const MACHINE = frameOf({ 3: LEAF, 9: RESOURCES, 10: LEAF, 13: RESOURCES, 15: LEAF });

function strict<T>(codec: MessageFns<T>, frame: Frame): Decoder<T> {
  return (bytes) => {
    checkFraming(bytes, frame);
    return codec.decode(strictReader(bytes));
  };
}

/**
 * A decoder for every message that travels alone. Each throws on a truncated message, trailing garbage, a
 * nested message that overruns its bounds, and invalid UTF-8; unknown fields and enum values are kept.
 */
export const STRICT_DECODERS = {
  CreateRequest: strict(CreateRequest, LEAF),
  ConfigureRequest: strict(ConfigureRequest, frameOf({ 7: LEAF })),
  DrainRequest: strict(DrainRequest, LEAF),
  DeleteRequest: strict(DeleteRequest, LEAF),
  MachineRef: strict(MachineRef, LEAF),
  ListFilter: strict(ListFilter, LEAF),
  TransitionAck: strict(TransitionAck, frameOf({ 2: MACHINE })),
  Machine: strict(Machine, MACHINE),
  MachineList: strict(MachineList, frameOf({ 1: MACHINE })),
} as const;
