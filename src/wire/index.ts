/** The wire: everything that knows of gRPC and protobuf, and the only way from the engine to a provider. */
export {
  type CallOptions,
  type Clock,
  type Exchange,
  ProviderClient,
  type ProviderClientOptions,
  type Timed,
} from './client.js';
export { decodeReply, encodeCall, toRecord } from './codec.js';
export { EnvironmentError, quoteForeign } from './environment-error.js';
export { MalformedMessageError } from './framing.js';
export { ListWalk } from './list-walk.js';
export { awaitAnswer, awaitReady, type ReadyOptions } from './ready.js';
export { CAPACITY_PROVIDER, RAW_METHODS } from './service.js';
export { parseTarget } from './target.js';
export { type ClientTls, clientTls, serverTls } from './tls.js';
export { type TlsOptions, tlsOptionsProblem } from './tls-options.js';
