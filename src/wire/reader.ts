import { BinaryReader } from '@bufbuild/protobuf/wire';

// ignoreBOM keeps a leading U+FEFF, which is part of the text; without it the decoder would eat it.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A protobuf reader under which a string field of invalid UTF-8 is an error. The reader's own default puts
 * U+FFFD in place of bad bytes, which would hide that a provider changed what it was given.
 */
export function strictReader(bytes: Uint8Array): BinaryReader {
  return new BinaryReader(bytes, (text) => UTF8.decode(text));
}
