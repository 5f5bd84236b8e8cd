/** Takes machines through their lifecycle and holds every reply against the model. */
import type { MutationCall, Token } from '../../../model/call.js';
import type { Breach } from '../../../model/diagnosis.js';
import { EDGES } from '../../../model/machine.js';
import type { ModelConfig } from '../../../model/possibilities.js';
import type { MachineRecord } from '../../../model/record.js';
import type { MutationStep } from '../../../properties/program.js';
import { configure, create, drain, remove } from '../../../properties/steps.js';
import { Judge } from '../../engine/judge.js';
import { OperationLedger } from '../../engine/ledger.js';
import type { Recorder } from '../../engine/recorder.js';
import { mutationCall } from '../../engine/requests.js';
import { isResting, type Tenant } from '../../engine/tenant.js';
import type { LaneBreach } from '../lane.js';
import type { ScaleClient } from './options.js';
import { atScale, CaseStopped } from './stopped.js';

const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 50;

export interface DriverOptions {
  readonly client: ScaleClient;
  readonly recorder: Recorder;
  readonly capabilities: ModelConfig['capabilities'];
  readonly settleTimeoutMs: number;
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** The one shard that calls; used by nobody else, and never before. */
  readonly shard: string;
  /** Why to give up at once, as when the process has ended; null while there is no reason. */
  readonly obstacle: () => string | null;
}

/** How often each mutation was accepted. */
export type Accepted = Record<MutationCall['kind'], number>;

export class Driver {
  readonly accepted: Accepted = { Create: 0, Configure: 0, Drain: 0, Delete: 0 };
  /** Replies that never came. */
  lost = 0;
  private readonly judge: Judge;
  private sequence = 0n;
  private bindings = 0;

  constructor(private readonly options: DriverOptions) {
    const { capabilities, recorder } = options;
    const model = { capabilities, faults: false };
    this.judge = new Judge({ model, ledger: new OperationLedger(), touched: new Set() }, recorder);
  }

  create(tenant: Tenant): Promise<void> {
    return this.mutate(tenant, create());
  }

  /** Binds a cluster and a map that no other machine or cycle has, so that a left-over shows whose it is. */
  configure(tenant: Tenant): Promise<void> {
    this.bindings += 1;
    const metadata = [
      ['binding', String(this.bindings)],
      [`only-${this.bindings % 7}`, tenant.id],
    ] as const;
    return this.mutate(tenant, configure({ cluster: `scale-${this.bindings}`, metadata }));
  }

  /** One way around: up to CONFIGURED, down again, and off where the provider deletes. */
  async cycle(tenant: Tenant): Promise<void> {
    if (tenant.belief[0]?.phase === EDGES.Create.from) await this.create(tenant);
    await this.configure(tenant);
    await this.mutate(tenant, drain());
    if (this.options.capabilities.delete) await this.mutate(tenant, remove());
  }

  /** Judges one more look at a machine, from a Get, a List or a delta. A breach leaves the belief as it was. */
  look(tenant: Tenant, record: MachineRecord): LaneBreach | null {
    const rested = isResting(tenant);
    const { breach } = this.judge.read(tenant, { kind: 'ok', reply: record });
    return breach === null ? null : breachOf(breach, rested);
  }

  /**
   * Gets the machine and judges it.
   * @throws CaseStopped where the contract is broken
   */
  async read(tenant: Tenant): Promise<void> {
    const rested = isResting(tenant);
    const { outcome } = await this.options.client.call({ kind: 'Get', machineId: tenant.id } as const);
    if (outcome.kind === 'indeterminate') this.lost += 1;
    const { breach } = this.judge.read(tenant, outcome);
    if (breach !== null) throw CaseStopped.broken(breachOf(breach, rested));
  }

  private async mutate(tenant: Tenant, step: MutationStep): Promise<void> {
    const call = mutationCall(step, tenant.id, this.token());
    const { outcome } = await this.options.client.call(call);
    if (outcome.kind === 'indeterminate') this.lost += 1;
    const { breach, rule } = this.judge.mutation(tenant, call, outcome, []);
    if (breach !== null) throw CaseStopped.broken(breachOf(breach, false));
    if (rule === 'accept' && outcome.kind === 'ok') this.accepted[call.kind] += 1;
    await this.settle(tenant);
    // A machine at rest where it was may still be moved by a lost call: it is not where the call was to take it.
    if (outcome.kind === 'indeterminate' && tenant.belief.some(({ pending }) => pending.length > 0)) {
      throw CaseStopped.inconclusive(
        `a ${call.kind} was not answered (${outcome.cause}), and had no effect yet`,
      );
    }
  }

  private token(): Token {
    this.sequence += 1n;
    return { shard: this.options.shard, epoch: 1n, sequence: this.sequence };
  }

  private async settle(tenant: Tenant): Promise<void> {
    const { clock, sleep, settleTimeoutMs, obstacle } = this.options;
    const deadline = clock() + settleTimeoutMs;
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      const reason = obstacle();
      if (reason !== null) throw CaseStopped.inconclusive(reason);
      await this.read(tenant);
      if (isResting(tenant) && tenant.belief.length === 1) return;
      if (clock() > deadline) {
        const phase = tenant.belief[0]?.phase ?? 'moving';
        throw CaseStopped.unsettled(
          `a machine was still ${phase} after the settle timeout of ${settleTimeoutMs} ms (--settle-timeout)`,
        );
      }
      await sleep(pause);
      pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS);
    }
  }
}

/** What a breach means at scale. `rested`: the machine was seen at rest before, and nobody has called it since. */
function breachOf(breach: Breach, rested: boolean): LaneBreach {
  if (breach.aspect === 'code NOT_FOUND') return atScale(breach, 'B1105');
  if (breach.aspect === 'operation_id') return atScale(breach, 'B1108');
  if (rested && breach.rule === 'lifecycle') return atScale(breach, 'B1109');
  return atScale(breach, 'B1104');
}
