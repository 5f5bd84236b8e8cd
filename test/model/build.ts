/** Calls, records and replies of one machine, for tests that say only what they are about. */
import type {
  Ack,
  ConfigureCall,
  CreateCall,
  DeleteCall,
  DrainCall,
  GetCall,
  MutationCall,
  Outcome,
  RejectionCode,
  Token,
} from '../../model/call.js';
import { NO_TOKEN } from '../../model/call.js';
import { type Belief, type Step, stepGet, stepMutation } from '../../model/contract.js';
import type { LifecycleState } from '../../model/machine.js';
import type { ModelConfig } from '../../model/possibilities.js';
import type { MachineRecord, WireState } from '../../model/record.js';
import { firstMet, type MachineState } from '../../model/state.js';

export const MACHINE = 'machine-1';
export const PLAIN: ModelConfig = { capabilities: { delete: true, sinceRevision: true }, faults: false };
export const NO_DELETE: ModelConfig = { ...PLAIN, capabilities: { delete: false, sinceRevision: true } };
export const FAULTS: ModelConfig = { ...PLAIN, faults: true };

export const CLUSTER = 'cluster-a';
export const METADATA: ReadonlyMap<string, string> = new Map([['pool', 'blue']]);

export function token(epoch: bigint, sequence: bigint, shard = 'shard-a'): Token {
  return { shard, epoch, sequence };
}

export function create(over: Partial<CreateCall> = {}): CreateCall {
  return { kind: 'Create', machineId: MACHINE, token: NO_TOKEN, ...over };
}
export function configure(over: Partial<ConfigureCall> = {}): ConfigureCall {
  const sent = { cluster: CLUSTER, metadata: METADATA, blob: new Uint8Array([1]) };
  return { kind: 'Configure', machineId: MACHINE, token: NO_TOKEN, ...sent, ...over };
}
export function drain(over: Partial<DrainCall> = {}): DrainCall {
  return { kind: 'Drain', machineId: MACHINE, token: NO_TOKEN, grace: 0n, ...over };
}
export function remove(over: Partial<DeleteCall> = {}): DeleteCall {
  return { kind: 'Delete', machineId: MACHINE, token: NO_TOKEN, ...over };
}
export const GET: GetCall = { kind: 'Get', machineId: MACHINE };

const HOSTED: ReadonlySet<string> = new Set(['IDLE', 'CONFIGURING', 'CONFIGURED', 'DRAINING']);
const BOUND: ReadonlySet<string> = new Set(['CONFIGURING', 'CONFIGURED', 'DRAINING']);

/** A record as its state demands, bound as {@link configure} binds. */
export function record(state: WireState, over: Partial<MachineRecord> = {}): MachineRecord {
  return {
    id: MACHINE,
    state,
    host: HOSTED.has(state) ? { provider: 'metal', ref: 'rack-1' } : null,
    instanceType: 'm5.large',
    zone: 'zone-1',
    capacityType: 'ON_DEMAND',
    pricePerHour: 0.25,
    interruptionProbability: 0,
    resources: null,
    allocatable: null,
    labels: new Map(),
    lastError: state === 'FAILED' ? 'actuator error' : '',
    cluster: BOUND.has(state) ? CLUSTER : '',
    shardMetadata: BOUND.has(state) ? METADATA : new Map(),
    ...over,
  };
}

export function shown(state: WireState, over: Partial<MachineRecord> = {}): Outcome<MachineRecord> {
  return { kind: 'ok', reply: record(state, over) };
}
export function acked(
  operationId: string,
  state: WireState | null,
  over: Partial<MachineRecord> = {},
): Outcome<Ack> {
  return { kind: 'ok', reply: { operationId, machine: state === null ? null : record(state, over) } };
}
export function rejected(code: RejectionCode): { kind: 'rejected'; code: RejectionCode; message: string } {
  return { kind: 'rejected', code, message: '' };
}
export const LOST: Outcome<never> = {
  kind: 'indeterminate',
  cause: 'UNAVAILABLE',
  message: 'connection reset',
};

/** A belief that is stepped through calls, each of which must be explained. */
export class Walk {
  constructor(
    readonly belief: Belief,
    readonly config: ModelConfig = PLAIN,
  ) {}

  /** A machine met in `phase`. */
  static from(phase: MachineState['phase'], historyKnown = true, config = PLAIN): Walk {
    return new Walk([firstMet(phase, historyKnown)], config);
  }

  /** After a call and its outcome. Throws where nothing explains it. */
  call(call: MutationCall, outcome: Outcome<Ack>): Walk {
    return this.on(stepMutation(this.belief, call, outcome, this.config), `${call.kind}`);
  }

  /** After a Get that showed `state`. Throws where nothing explains it. */
  sees(state: LifecycleState, over: Partial<MachineRecord> = {}): Walk {
    return this.on(stepGet(this.belief, GET, shown(state, over), this.config), `Get ${state}`);
  }

  private on({ belief }: Step, what: string): Walk {
    if (belief.length === 0) throw new Error(`${what} is not explained`);
    return new Walk(belief, this.config);
  }

  /** Whether the reply to `call` is explained. */
  allows(call: MutationCall, outcome: Outcome<Ack>): boolean {
    return stepMutation(this.belief, call, outcome, this.config).belief.length > 0;
  }

  /** Whether a Get may show this. */
  allowsGet(outcome: Outcome<MachineRecord>): boolean {
    return stepGet(this.belief, GET, outcome, this.config).belief.length > 0;
  }
}

/** A machine of known history that Create made IDLE with the operation `c`. */
export function idle(config = PLAIN): Walk {
  return Walk.from('SPECULATIVE', true, config).call(create(), acked('c', 'CREATING')).sees('IDLE');
}
/** One that Configure made CONFIGURED with the operation `f`. */
export function configured(config = PLAIN): Walk {
  return idle(config).call(configure(), acked('f', 'CONFIGURING')).sees('CONFIGURED');
}
/** One that a Drain with the operation `d` made IDLE again. */
export function drained(config = PLAIN): Walk {
  return configured(config).call(drain(), acked('d', 'DRAINING')).sees('IDLE');
}
