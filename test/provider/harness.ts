/** A client of the reference provider, for its tests. */
import { credentials, type ServiceError, status } from '@grpc/grpc-js';
import { type ProviderOptions, startProvider } from '../../src/provider/index.js';
import {
  CapacityProviderClient,
  type ListFilter,
  type Machine,
  type MachineList,
  MachineState,
  type TransitionAck,
} from '../../src/wire/gen/provider.js';

/** A token, as `[shard, epoch, sequence]`. */
export type Fence = readonly [shard: string, epoch: bigint, sequence: bigint];

const NONE: Fence = ['', 0n, 0n];
const DEADLINE_MS = 5_000;

type Callback<T> = (error: ServiceError | null, reply: T) => void;

/** The reply of a call, or a rejection with its ServiceError. */
function reply<T>(send: (callback: Callback<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    send((error, value) => (error === null ? resolve(value) : reject(error)));
  });
}

/** The name of the status a call ended with. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'OK';
  } catch (error) {
    return status[(error as ServiceError).code];
  }
}

/** A client with one connection of its own. */
export function connect(address: string) {
  const client = new CapacityProviderClient(address, credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
    'grpc.use_local_subchannel_pool': 1,
  });
  const token = (machineId: string, [shardId, shardEpoch, sequenceNumber]: Fence) => ({
    machineId,
    shardId,
    shardEpoch,
    sequenceNumber,
  });
  const calls = {
    create: (id: string, fence = NONE) =>
      reply<TransitionAck>((back) => client.create(token(id, fence), back)),
    configure: (
      id: string,
      clusterId: string,
      metadata: Iterable<readonly [string, string]> = [],
      fence = NONE,
      bootstrapBlob = new Uint8Array([1]),
    ) =>
      reply<TransitionAck>((back) =>
        client.configure(
          { ...token(id, fence), clusterId, shardMetadata: new Map(metadata), bootstrapBlob },
          back,
        ),
      ),
    drain: (id: string, fence = NONE, gracePeriodSeconds = 0n) =>
      reply<TransitionAck>((back) => client.drain({ ...token(id, fence), gracePeriodSeconds }, back)),
    delete: (id: string, fence = NONE) =>
      reply<TransitionAck>((back) => client.delete(token(id, fence), back)),
    get: (id: string) => reply<Machine>((back) => client.get({ id }, back)),
    list: (filter: Partial<ListFilter> = {}) =>
      reply<MachineList>((back) =>
        client.list({ states: [], maxResults: 0, sinceRevision: new Uint8Array(), ...filter }, back),
      ),
  };
  /** Reads the machine until it is in a state; fails after a deadline. */
  const until = async (id: string, state: MachineState): Promise<Machine> => {
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const machine = await calls.get(id);
      if (machine.state === state) return machine;
      if (performance.now() > deadline) {
        throw new Error(
          `${id} is ${MachineState[machine.state]}, not ${MachineState[state]}, after ${DEADLINE_MS} ms`,
        );
      }
    }
  };
  return {
    ...calls,
    until,
    idle: async (id: string) => {
      await calls.create(id);
      return until(id, MachineState.MACHINE_STATE_IDLE);
    },
    configured: async (id: string, cluster = 'c1', metadata: Iterable<readonly [string, string]> = []) => {
      await calls.configure(id, cluster, metadata);
      return until(id, MachineState.MACHINE_STATE_CONFIGURED);
    },
    drained: async (id: string) => {
      await calls.drain(id);
      return until(id, MachineState.MACHINE_STATE_IDLE);
    },
    deleted: async (id: string) => {
      await calls.delete(id);
      return until(id, MachineState.MACHINE_STATE_SPECULATIVE);
    },
    close: () => client.close(),
  };
}

/** A client of {@link connect}. */
export type TestClient = ReturnType<typeof connect>;

/** Starts a provider, hands it to `body` with a client, and ends both whatever happens. */
export async function withProvider(
  options: Partial<ProviderOptions>,
  body: (client: TestClient, address: string) => Promise<void>,
): Promise<void> {
  const provider = await startProvider({ addr: '127.0.0.1:0', seedCount: 12, ...options });
  const client = connect(provider.address);
  try {
    await body(client, provider.address);
  } finally {
    client.close();
    await provider.stop();
  }
}
