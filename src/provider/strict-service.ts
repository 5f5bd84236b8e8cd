import { BinaryReader } from '@bufbuild/protobuf/wire';
import {
  CapacityProviderService,
  ConfigureRequest,
  CreateRequest,
  DeleteRequest,
  DrainRequest,
  ListFilter,
  MachineRef,
  type MessageFns,
} from '../wire/gen/provider.js';

/** A reader for which a string that is not UTF-8 is an error, as proto3 wants it, instead of a guess. */
class StrictReader extends BinaryReader {
  override string(): string {
    return super.string(true);
  }
}

function strictly<T>(message: MessageFns<T>): (bytes: Buffer) => T {
  return (bytes) => message.decode(new StrictReader(bytes));
}

/** The generated service, except that it refuses requests whose strings are not UTF-8. */
export const StrictCapacityProviderService = {
  create: { ...CapacityProviderService.create, requestDeserialize: strictly(CreateRequest) },
  configure: { ...CapacityProviderService.configure, requestDeserialize: strictly(ConfigureRequest) },
  drain: { ...CapacityProviderService.drain, requestDeserialize: strictly(DrainRequest) },
  delete: { ...CapacityProviderService.delete, requestDeserialize: strictly(DeleteRequest) },
  get: { ...CapacityProviderService.get, requestDeserialize: strictly(MachineRef) },
  list: { ...CapacityProviderService.list, requestDeserialize: strictly(ListFilter) },
} as const;
