/** The gRPC adaptor: requests to calls, replies to responses, and nothing else. */
import { type handleUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import type {
  CapacityProviderServer,
  ConfigureRequest,
  CreateRequest,
  DeleteRequest,
  DrainRequest,
  ListFilter,
  TransitionAck,
} from '../wire/gen/provider.js';
import { CAPACITY_PROVIDER } from '../wire/service.js';
import type { Mutation, Rejection, Token } from './call.js';
import { listBytes } from './list-bytes.js';
import type { Kind } from './machine.js';
import type { Answered } from './policies.js';
import type { Provider } from './provider.js';
import { pause } from './scheduler.js';
import type { Store } from './store.js';

type Handlers = Omit<CapacityProviderServer, 'list'> & { readonly list: handleUnaryCall<ListFilter, Buffer> };

type Ok<T> = T & { readonly ok: true };

/** The service as this provider speaks it: a List comes as bytes, see {@link listBytes}. */
export const SERVICE = {
  ...CAPACITY_PROVIDER,
  list: { ...CAPACITY_PROVIDER.list, responseSerialize: (bytes: Buffer) => bytes },
};

/** The handlers of a provider's six calls. */
export function handlers(provider: Provider, store: Store): Handlers {
  const { policies } = provider;
  const answer = answering(provider, store);
  const mutation = <Request>(rpc: Kind, read: (request: Request, peer: string) => Mutation) =>
    answer(
      rpc,
      (request: Request, peer) => policies.mutate(read(request, peer), provider),
      ({ operationId, machine }): TransitionAck => ({ operationId, machine }),
    );
  return {
    create: mutation('Create', createCall),
    configure: mutation('Configure', configureCall),
    drain: mutation('Drain', drainCall),
    delete: mutation('Delete', deleteCall),
    get: answer(
      'Get',
      ({ id }) => policies.get(id, provider),
      ({ machine }) => machine,
    ),
    list: answer(
      'List',
      ({ states, maxResults, sinceRevision }) =>
        policies.list({ states, maxResults, since: sinceRevision }, provider),
      ({ machines, revision }) => listBytes(machines, revision),
    ),
  };
}

/** Wraps a decision into a unary handler whose reply leaves once the decision is durable. */
function answering(provider: Provider, store: Store) {
  return <Request, Reply extends Answered['reply'] & { readonly ok: true }, Response>(
    rpc: Answered['rpc'],
    decide: (request: Request, peer: string) => Reply | Rejection | Promise<Reply | Rejection>,
    respond: (reply: Ok<Reply>) => Response | Promise<Response>,
  ): handleUnaryCall<Request, Response> => {
    return (call, callback) => {
      reply(rpc, () => decide(call.request, call.getPeer()), respond, callback).catch((error: unknown) => {
        callback({ code: status.INTERNAL, details: String(error) });
      });
    };
  };

  async function reply<Reply extends Answered['reply'] & { readonly ok: true }, Response>(
    rpc: Answered['rpc'],
    decide: () => Reply | Rejection | Promise<Reply | Rejection>,
    respond: (reply: Ok<Reply>) => Response | Promise<Response>,
    callback: sendUnaryData<Response>,
  ): Promise<void> {
    const decision = await decide();
    try {
      await store.durable();
    } catch (error) {
      // It took effect here and may not survive: the code must not claim either.
      return callback({ code: status.UNAVAILABLE, details: String(error) });
    }
    const ms = provider.policies.replyTime({ rpc, reply: decision }, provider.random);
    if (ms > 0) await pause(provider.scheduler, ms);
    if (decision.ok) callback(null, await respond(decision));
    else callback({ code: status[decision.code], details: decision.message });
  }
}

function createCall(request: CreateRequest, peer: string): Mutation {
  return { kind: 'Create', ...addressed(request, peer) };
}

function configureCall(request: ConfigureRequest, peer: string): Mutation {
  return {
    kind: 'Configure',
    ...addressed(request, peer),
    cluster: request.clusterId,
    metadata: request.shardMetadata,
    blob: request.bootstrapBlob,
  };
}

function drainCall(request: DrainRequest, peer: string): Mutation {
  return { kind: 'Drain', ...addressed(request, peer), graceSeconds: request.gracePeriodSeconds };
}

function deleteCall(request: DeleteRequest, peer: string): Mutation {
  return { kind: 'Delete', ...addressed(request, peer) };
}

interface TokenFields {
  readonly machineId: string;
  readonly shardId: string;
  readonly shardEpoch: bigint;
  readonly sequenceNumber: bigint;
}

function addressed(request: TokenFields, peer: string): { machineId: string; token: Token; peer: string } {
  const { machineId, shardId, shardEpoch, sequenceNumber } = request;
  return { machineId, token: { shard: shardId, epoch: shardEpoch, sequence: sequenceNumber }, peer };
}
