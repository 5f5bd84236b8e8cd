/** The machines of a program: those it leased, and the two ids that no provider knows. */
import type { GetCall, MutationCall } from '../../model/call.js';
import { firstMet } from '../../model/state.js';
import type { ConcreteToken, MachineSlot, MutationStep, Step } from '../../properties/program.js';
import { mutationCall } from './requests.js';
import { markOf, type Tenant } from './tenant.js';
import { TokenSource } from './tokens.js';

/** Names that a program uses and nobody else does. */
export interface Names {
  /** Start of every shard id. */
  readonly shards: string;
  /** A machine id that the provider has never heard of. */
  readonly unknownMachine: string;
}

/** A step with its call, tokens resolved. */
export interface Planned<S extends Step = Step, C = MutationCall | GetCall> {
  readonly step: S;
  readonly tenant: Tenant;
  readonly call: C;
}

export class Cast {
  private readonly strangers = new Map<MachineSlot, Tenant>();
  /** The others of each machine, asked for twice on every call; a stranger's first mention makes them stale. */
  private readonly othersOf = new Map<Tenant, readonly Tenant[]>();
  private readonly tokens: TokenSource;

  constructor(
    readonly tenants: readonly Tenant[],
    private readonly names: Names,
  ) {
    this.tokens = new TokenSource(names.shards);
  }

  /** Every machine that was named so far. */
  get all(): readonly Tenant[] {
    return [...this.tenants, ...this.strangers.values()];
  }

  /** The machine in `slot`. */
  tenant(slot: MachineSlot): Tenant {
    const tenant = typeof slot === 'number' ? this.tenants[slot] : this.stranger(slot);
    if (tenant === undefined) throw new RangeError(`the program names machine ${slot} but leased fewer`);
    return tenant;
  }

  /** All but `tenant`. */
  others(tenant: Tenant): readonly Tenant[] {
    const known = this.othersOf.get(tenant);
    if (known !== undefined) return known;
    const others = this.all.filter((other) => other !== tenant);
    this.othersOf.set(tenant, others);
    return others;
  }

  /** The call of a mutation, its token resolved against the marks as they are believed now. */
  mutation(step: MutationStep): Planned<MutationStep, MutationCall> {
    const tenant = this.tenant(step.machine);
    const others = this.others(tenant);
    const { token, concrete } = this.tokens.resolve(step.token, {
      here: (shard) => markOf(tenant, shard),
      elsewhere: (shard) => others.map((other) => markOf(other, shard)).find((mark) => mark !== undefined),
    });
    return { step: withToken(step, concrete), tenant, call: mutationCall(step, tenant.id, token) };
  }

  /** The call of a step that may race; none for one that may not. */
  plan(step: Step): readonly Planned[] {
    if ('token' in step) return [this.mutation(step)];
    if (step.call !== 'Get') return [];
    const tenant = this.tenant(step.machine);
    return [{ step, tenant, call: { kind: 'Get', machineId: tenant.id } }];
  }

  private stranger(slot: 'unknown' | 'empty'): Tenant {
    const known = this.strangers.get(slot);
    if (known) return known;
    const id = slot === 'empty' ? '' : this.names.unknownMachine;
    const tenant: Tenant = { id, belief: [firstMet('ABSENT', slot === 'unknown')] };
    this.strangers.set(slot, tenant);
    this.othersOf.clear();
    return tenant;
  }
}

/** By literals of one shape each: spreads of steps from everywhere come in many, and cost several times as much. */
function withToken(step: MutationStep, token: ConcreteToken): MutationStep {
  const { call, machine, settle } = step;
  if (call === 'Drain') return { call, machine, token, settle, grace: step.grace };
  if (call !== 'Configure') return { call, machine, token, settle };
  const { cluster, metadata, blobBytes } = step;
  return { call, machine, token, settle, cluster, metadata, blobBytes };
}
