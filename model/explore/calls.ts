/** The calls that an exploration makes, and their names in a path. */
import { type ConfigureCall, type MutationCall, NO_TOKEN, type Token } from '../call.js';
import type { ModelConfig } from '../possibilities.js';
import { BLOB_ALWAYS_TAKEN_BYTES } from '../size.js';

/** A machine of one kind of provider, and who calls it how. */
export interface Space {
  readonly config: ModelConfig;
  /** Shards that call the machine. */
  readonly shards: readonly string[];
  /** Whether requests may be misshapen, oversized or incomplete, and tokens negative or without a shard. */
  readonly oddRequests: boolean;
}

/** Highest epoch (from 1) and highest sequence number (from 0) of the shards' tokens. */
export interface TokenBounds {
  readonly epochs: number;
  readonly sequences: number;
}

/** Every call of `space`, with every token within `bounds`. */
export function callsOf({ config, shards, oddRequests }: Space, bounds: TokenBounds): MutationCall[] {
  const tokens = [NO_TOKEN, ...shards.flatMap((shard) => tokensOf(shard, bounds))];
  if (!oddRequests) return tokens.flatMap((token) => callsWith(token, config));
  const [shard = ''] = shards;
  const odd = [
    { shard: '', epoch: 1n, sequence: 1n },
    { shard, epoch: -1n, sequence: 1n },
  ];
  return [...tokens, ...odd].flatMap((token) => [...callsWith(token, config), ...oddCalls(token)]);
}

function tokensOf(shard: string, { epochs, sequences }: TokenBounds): Token[] {
  const tokens: Token[] = [];
  for (let epoch = 1; epoch <= epochs; epoch++) {
    for (let sequence = 0; sequence <= sequences; sequence++) {
      tokens.push({ shard, epoch: BigInt(epoch), sequence: BigInt(sequence) });
    }
  }
  return tokens;
}

const MACHINE = 'machine';
const BLOB = new Uint8Array(1);

function callsWith(token: Token, config: ModelConfig): MutationCall[] {
  // With faults, the first binding must fail at once and the second may fail at its Drain.
  const clusters = config.faults ? ['fault-error', 'fault-drain-error'] : ['cluster-a', 'cluster-b'];
  return [
    { kind: 'Create', machineId: MACHINE, token },
    ...clusters.map((cluster) => configure(token, cluster)),
    { kind: 'Drain', machineId: MACHINE, token, grace: 0n },
    { kind: 'Delete', machineId: MACHINE, token },
  ];
}

function configure(token: Token, cluster: string): ConfigureCall {
  const metadata = new Map([['cluster', cluster]]);
  return { kind: 'Configure', machineId: MACHINE, token, cluster, metadata, blob: BLOB };
}

/** Requests that may be refused for their shape, their size or what they leave out. */
function oddCalls(token: Token): MutationCall[] {
  const base = configure(token, 'cluster-a');
  return [
    { kind: 'Drain', machineId: MACHINE, token, grace: -1n },
    { ...base, blob: OVERSIZED },
    { ...base, blob: new Uint8Array(0) },
  ];
}

const OVERSIZED = new Uint8Array(BLOB_ALWAYS_TAKEN_BYTES + 1);

/** A call in a few words. */
export function describeCall({ kind, token, ...rest }: MutationCall): string {
  const { shard, epoch, sequence } = token;
  const named = shard === '' && epoch === 0n && sequence === 0n ? '' : ` ${shard}(${epoch}, ${sequence})`;
  return 'cluster' in rest ? `${kind} ${rest.cluster}${named}` : `${kind}${named}`;
}
