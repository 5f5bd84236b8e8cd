import type { MethodDefinition } from '@grpc/grpc-js';
import type { CallKind } from '../../model/call.js';
import { CapacityProviderService } from './gen/provider.js';
import { type Decoder, STRICT_DECODERS } from './strict-decode.js';

/** The same memory as a Buffer, which is what grpc-js moves. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function passThrough(bytes: Buffer): Buffer {
  return bytes;
}

function rawMethod(path: string): MethodDefinition<Buffer, Buffer> {
  return {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: passThrough,
    requestDeserialize: passThrough,
    responseSerialize: passThrough,
    responseDeserialize: passThrough,
  };
}

/**
 * The service with bytes in and bytes out, for clients, by call. The client decodes by itself: grpc-js reports a
 * reply that a deserializer refuses as status INTERNAL, the same as a provider that answered INTERNAL.
 */
export const RAW_METHODS: Readonly<Record<CallKind, MethodDefinition<Buffer, Buffer>>> = {
  Create: rawMethod(CapacityProviderService.create.path),
  Configure: rawMethod(CapacityProviderService.configure.path),
  Drain: rawMethod(CapacityProviderService.drain.path),
  Delete: rawMethod(CapacityProviderService.delete.path),
  Get: rawMethod(CapacityProviderService.get.path),
  List: rawMethod(CapacityProviderService.list.path),
};

/** A generated method, with a request decoder that refuses what it cannot read whole. */
function strictMethod<Request, Reply>(
  generated: MethodDefinition<Request, Reply>,
  requestDeserialize: Decoder<Request>,
): MethodDefinition<Request, Reply> {
  return { ...generated, requestDeserialize };
}

/**
 * The service for a server that speaks the generated types: requests come decoded, replies go out encoded.
 * A request that is not one whole valid message, invalid UTF-8 included, never reaches a handler; grpc-js
 * answers it INTERNAL.
 */
export const CAPACITY_PROVIDER = {
  create: strictMethod(CapacityProviderService.create, STRICT_DECODERS.CreateRequest),
  configure: strictMethod(CapacityProviderService.configure, STRICT_DECODERS.ConfigureRequest),
  drain: strictMethod(CapacityProviderService.drain, STRICT_DECODERS.DrainRequest),
  delete: strictMethod(CapacityProviderService.delete, STRICT_DECODERS.DeleteRequest),
  get: strictMethod(CapacityProviderService.get, STRICT_DECODERS.MachineRef),
  list: strictMethod(CapacityProviderService.list, STRICT_DECODERS.ListFilter),
} as const;
