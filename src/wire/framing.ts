/**
 * Which length-delimited fields of a message are messages themselves, by field number. Every other field is a
 * leaf whose inside is not looked at here.
 */
export type Frame = readonly (Frame | undefined)[];

/** The bytes are not a well-formed protobuf message. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
}

const MAX_GROUP_DEPTH = 100;
const MAX_TAG = 0xffff_ffff;
const NO_CHILDREN: Frame = [];

/**
 * Checks the skeleton of a message: every tag is legal, every field and every nested message ends inside the
 * one around it, nothing is left over.
 *
 * The generated decoders need this before them: they stop in silence at a zero tag or a stray end of group,
 * and let a nested message read past its own end into its parent's bytes. Either would turn a garbled reply
 * into a plausible record of something the provider never said.
 *
 * @throws MalformedMessageError naming the byte offset.
 */
export function checkFraming(bytes: Uint8Array, frame: Frame): void {
  new FrameWalk(bytes).message(bytes.length, frame);
}

class FrameWalk {
  private position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  message(end: number, frame: Frame): void {
    while (this.position < end) {
      const tag = this.tag(end);
      this.field(tag, end, frame, 0);
    }
  }

  private field(tag: number, end: number, frame: Frame, groupDepth: number): void {
    switch (tag & 7) {
      case 0:
        this.varint(end);
        return;
      case 1:
        this.advance(8, end);
        return;
      case 2: {
        const length = this.varint(end);
        const child = frame[tag >>> 3];
        if (child === undefined) {
          this.advance(length, end);
        } else {
          this.nested(length, end, child);
        }
        return;
      }
      case 3:
        this.group(tag, end, groupDepth + 1);
        return;
      case 5:
        this.advance(4, end);
        return;
      default:
        throw this.malformed(`a field of wire type ${tag & 7}`);
    }
  }

  private nested(length: number, end: number, frame: Frame): void {
    const nestedEnd = this.position + length;
    if (nestedEnd > end) {
      throw this.malformed('a nested message longer than what surrounds it');
    }
    this.message(nestedEnd, frame);
  }

  // Nobody sends groups today, but an unknown one is legal protobuf and must not count as garbage.
  private group(startTag: number, end: number, depth: number): void {
    if (depth > MAX_GROUP_DEPTH) {
      throw this.malformed('groups nested too deeply');
    }
    for (;;) {
      const tag = this.tag(end);
      if ((tag & 7) === 4) {
        if (tag >>> 3 !== startTag >>> 3) {
          throw this.malformed('the end of a group that was not open');
        }
        return;
      }
      this.field(tag, end, NO_CHILDREN, depth);
    }
  }

  private tag(end: number): number {
    const tag = this.varint(end);
    if (tag > MAX_TAG || tag >>> 3 === 0) {
      throw this.malformed(`an illegal tag ${tag}`);
    }
    return tag;
  }

  private advance(length: number, end: number): void {
    if (this.position + length > end) {
      throw this.malformed('a field cut short');
    }
    this.position += length;
  }

  /** Reads a varint of up to ten bytes. The value is exact up to 2^53, which is past any length that fits. */
  private varint(end: number): number {
    let value = 0;
    let scale = 1;
    for (let count = 1; count <= 10; count++) {
      if (this.position >= end) {
        throw this.malformed('a number cut short');
      }
      const byte = this.bytes[this.position++] ?? 0;
      if (byte < 0x80) {
        if (count === 10 && byte > 1) {
          break;
        }
        return value + byte * scale;
      }
      value += (byte & 0x7f) * scale;
      scale *= 128;
    }
    throw this.malformed('a number wider than 64 bits');
  }

  private malformed(what: string): MalformedMessageError {
    return new MalformedMessageError(`malformed message: ${what} at byte ${this.position}`);
  }
}
