/** Hands out machines to programs and takes them back. Only machines that nobody uses are ever leased (A12). */
import type { Mutation, MutationCall } from '../../model/call.js';
import { NO_MARKS } from '../../model/fencing.js';
import { hasHost, type MachineRecord } from '../../model/record.js';
import { changed, firstMet, type MachineState, newestOf, sameState } from '../../model/state.js';
import { fencesAgainst } from './late-calls.js';
import type { Tenant } from './tenant.js';
import type { World } from './world.js';

/** Machines with this label break on purpose and are for the fault lane alone (contract section 7). */
export const FAULT_LABEL = 'conformance.fault/create';

/** Too few machines to work with; the message says how many are needed. */
export class TooFewMachines extends Error {}

type Start = 'SPECULATIVE' | 'IDLE';

export class MachinePool {
  /** Free machines that a program has used before, and ones that none has; reuse comes first, it keeps virgins for re-runs. */
  private readonly used: Tenant[] = [];
  private readonly virgin: Tenant[] = [];
  /** Machines whose Create fails on purpose: for programs that ask for them and nobody else. */
  private readonly doomed: Tenant[] = [];
  private readonly waiting: (() => void)[] = [];
  private leased = 0;
  /** Machines kept for running failures again. */
  private readonly reserve: number;

  /** @param inventory everything the provider lists. */
  constructor(
    inventory: readonly MachineRecord[],
    private readonly world: World,
  ) {
    for (const record of inventory) {
      if (isDoomed(record))
        this.doomed.push({
          id: record.id,
          belief: [changed(firstMet('SPECULATIVE'), { createFate: 'fail' })],
        });
      const start = startOf(record);
      if (start !== null) this.virgin.push({ id: record.id, belief: [firstMet(start)] });
    }
    // A provider whose every free machine has a record that the contract forbids is to be told so.
    if (this.virgin.length === 0) this.virgin.push(...inventory.flatMap(asItSays));
    this.reserve = Math.min(MOST_RESERVED, Math.floor(this.virgin.length / 4));
  }

  /** How many machines can be leased at all, leased ones included. */
  get size(): number {
    return this.used.length + this.virgin.length + this.leased;
  }

  /** Whether `count` machines that start SPECULATIVE will ever be free. */
  speculativeLeft(): number {
    return [...this.used, ...this.virgin].filter(isSpeculative).length;
  }

  /**
   * Leases `count` machines, waiting for others to come back where it must.
   * @param prefer `virgin` for a re-run that must not inherit anything; `used` leaves a reserve for such re-runs.
   * @throws TooFewMachines when there are not that many, even with all of them back.
   */
  async lease(count: number, speculative: boolean, prefer: 'used' | 'virgin' = 'used'): Promise<Tenant[]> {
    for (;;) {
      const taken = this.take(count, speculative, prefer);
      if (taken !== null) {
        this.leased += count;
        for (const { id } of taken) this.world.touched.add(id);
        return taken;
      }
      if (this.leased === 0) throw new TooFewMachines(this.shortage(count, speculative));
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /**
   * Leases `count` machines whose Create fails on purpose. They do not come back.
   * @throws TooFewMachines when there are not that many
   */
  leaseDoomed(count: number): Tenant[] {
    const taken = this.world.model.faults ? this.doomed.splice(0, count) : [];
    if (taken.length < count) {
      throw new TooFewMachines(
        `${count} Speculative machines with the label ${FAULT_LABEL}=error are needed and ${taken.length} are left`,
      );
    }
    this.leased += count;
    return taken;
  }

  private shortage(count: number, speculative: boolean): string {
    const kind = speculative ? 'Speculative' : 'Speculative or Idle';
    const free = speculative ? this.speculativeLeft() : this.used.length + this.virgin.length;
    return `${count} free ${kind} machines are needed and ${free} are left: boot the provider with a larger inventory`;
  }

  private take(count: number, speculative: boolean, prefer: 'used' | 'virgin'): Tenant[] | null {
    const order = prefer === 'used' ? [this.used, this.virgin] : [this.virgin, this.used];
    const chosen = count < MANY ? firstOf(order, count, speculative) : spread(order, count, speculative);
    const virgins = chosen.filter(({ shelf }) => shelf === this.virgin).length;
    const left = this.virgin.length - virgins;
    if (chosen.length < count || (prefer === 'used' && virgins > 0 && left < this.reserve)) return null;
    for (const { shelf, tenant } of chosen) shelf.splice(shelf.indexOf(tenant), 1);
    return chosen.map(({ tenant }) => tenant);
  }

  /**
   * Takes machines back. One that is not where a program can start is repaired, or given up; so is every machine of a
   * program that broke the contract, because what is believed of it is not what is so.
   */
  async release(tenants: readonly Tenant[], trusted = true): Promise<void> {
    for (const tenant of tenants) {
      const fit = trusted && isReusable(tenant) ? reset(tenant) : await this.salvage(tenant);
      if (fit !== null) this.used.push(fit);
    }
    this.leased -= tenants.length;
    for (const wake of this.waiting.splice(0)) wake();
  }

  /**
   * Brings a machine that broke a program's expectations back by plain calls; what they answer is not judged. Where a
   * call may still arrive that would surprise the next program, the machine is given up.
   */
  private async salvage(tenant: Tenant): Promise<Tenant | null> {
    const { provider, sleep, clock, limits, model } = this.world;
    const patience = Math.min(limits.settleTimeoutMs, SALVAGE_MS);
    let deadline = clock() + patience;
    const walked = new Set<Mutation>();
    const fences = fencesAgainst(tenant);
    const way: Partial<Record<string, Mutation>> = { CONFIGURED: 'Drain' };
    if (model.capabilities.delete) way.IDLE = 'Delete';
    while (fences !== null && clock() < deadline) {
      const { outcome } = await provider.call({ kind: 'Get', machineId: tenant.id } as const);
      if (outcome.kind === 'rejected') return null;
      if (outcome.kind === 'ok') {
        const { state } = outcome.reply;
        if (state === 'FAILED') return null;
        const call = way[state];
        const rests = call === undefined && (state === 'SPECULATIVE' || state === 'IDLE');
        const fence = rests ? fences.at(-1) : undefined;
        if (fence !== undefined) {
          if (await this.isAnswered(fence)) fences.pop();
          continue;
        }
        if (call === undefined && startOf(outcome.reply) !== null) {
          return { id: tenant.id, past: tenant.past ?? [], belief: [firstMet(state as Start)] };
        }
        // It rests, and is not what a program may start with: waiting does not help.
        if (rests) return null;
        if (call !== undefined && !(await this.isAnswered(plain(call, tenant.id)))) return null;
        // Each transition has its own time: a slow provider would lose every machine that has two to go.
        if (call !== undefined && !walked.has(call)) deadline = clock() + patience;
        if (call !== undefined) walked.add(call);
      }
      await sleep(SALVAGE_PAUSE_MS);
    }
    return null;
  }

  /** A call whose reply is lost may still arrive at any later time. */
  private async isAnswered(call: MutationCall): Promise<boolean> {
    const { outcome } = await this.world.provider.call(call);
    return outcome.kind !== 'indeterminate';
  }
}

/**
 * So many machines of one program come from all over the first half of the fleet: what a provider does bit by bit meets
 * one soon. The second half is left to whoever else uses the provider (A12).
 */
const MANY = 12;

interface Choice {
  readonly shelf: Tenant[];
  readonly tenant: Tenant;
}

/** The first `count` machines that fit, one shelf after the other. */
function firstOf(shelves: readonly Tenant[][], count: number, speculative: boolean): Choice[] {
  const chosen: Choice[] = [];
  for (const shelf of shelves) {
    for (const tenant of shelf) {
      if (chosen.length === count) return chosen;
      if (!speculative || isSpeculative(tenant)) chosen.push({ shelf, tenant });
    }
  }
  return chosen;
}

/** `count` machines that fit, evenly apart. */
function spread(shelves: readonly Tenant[][], count: number, speculative: boolean): Choice[] {
  const all = firstOf(shelves, Number.POSITIVE_INFINITY, speculative);
  const fit = all.slice(0, Math.max(count, Math.ceil(all.length / 2)));
  const gap = Math.max(1, fit.length / count);
  return fit.filter((_, i) => Math.floor(i / gap) !== Math.floor((i - 1) / gap)).slice(0, count);
}

const MOST_RESERVED = 64;
/** For each transition on the way back, in milliseconds. */
const SALVAGE_MS = 2_000;
const SALVAGE_PAUSE_MS = 5;

function plain(kind: Mutation, machineId: string) {
  const token = { shard: '', epoch: 0n, sequence: 0n };
  return kind === 'Drain'
    ? ({ kind, machineId, token, grace: 0n } as const)
    : ({ kind: 'Delete', machineId, token } as const);
}

function isDoomed({ labels, state }: MachineRecord): boolean {
  return state === 'SPECULATIVE' && labels.get(FAULT_LABEL) === 'error';
}

function startOf(record: MachineRecord): Start | null {
  if (record.labels.has(FAULT_LABEL) || record.id === '' || record.cluster !== '') return null;
  if (record.state === 'SPECULATIVE') return hasHost(record) ? null : 'SPECULATIVE';
  return record.state === 'IDLE' && hasHost(record) ? 'IDLE' : null;
}

/** A machine that says it is free, whatever else its record says. */
function asItSays({ id, state, labels }: MachineRecord): Tenant[] {
  if (id === '' || labels.has(FAULT_LABEL) || !(state === 'SPECULATIVE' || state === 'IDLE')) return [];
  return [{ id, belief: [firstMet(state)] }];
}

function isSpeculative({ belief }: Tenant): boolean {
  return belief.every(({ phase }) => phase === 'SPECULATIVE');
}

/** Rests in one stable state, whatever the marks: no later program uses them. */
function isReusable({ belief }: Tenant): boolean {
  const [state] = belief;
  if (state === undefined || state.pending.length > 0) return false;
  if (state.phase !== 'SPECULATIVE' && state.phase !== 'IDLE') return false;
  if (belief.length === 1) return true;
  const bare = changed(state, { marks: NO_MARKS });
  return belief.every((other) => sameState(changed(other, { marks: NO_MARKS }), bare));
}

/** Of a machine's operations only so many are remembered: a long run must not slow down or grow. */
const MOST_OPERATIONS = 32;

/** Marks belong to shard ids that no later program uses; operations stay, they are the machine's past (A2). */
function reset({ id, belief, past = [] }: Tenant): Tenant {
  const fresh = (state: MachineState): MachineState =>
    changed(state, { marks: NO_MARKS, operations: newestOf(state.operations, MOST_OPERATIONS) });
  return { id, past, belief: belief.slice(0, 1).map(fresh) };
}
