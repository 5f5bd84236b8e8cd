/** Runs one program against a provider and judges everything it answers. */

import { behaviorOfSettling } from '../../model/blame.js';
import type { Ack, Call, GetCall, ListCall, Mutation, MutationCall, Outcome } from '../../model/call.js';
import { crash as crashed } from '../../model/crash.js';
import type { Breach } from '../../model/diagnosis.js';
import { hasHost, type MachineRecord } from '../../model/record.js';
import type { BehaviorId } from '../../model/registry.js';
import { firstMet, sameMap } from '../../model/state.js';
import type { CrashStep, MachineSlot, MutationStep, Program, Step } from '../../properties/program.js';
import { drain, remove, token } from '../../properties/steps.js';
import { Judge, type Judgement } from './judge.js';
import { ListRun } from './list-run.js';
import { lengthened } from './past.js';
import { deepestOverlap, judgeRace, type RaceEntry } from './race.js';
import type { Recorder } from './recorder.js';
import { recoveryBehaviors } from './recovery-blame.js';
import { listCall, mutationCall } from './requests.js';
import { StandingsTracker } from './standings.js';
import { isMoving, isResting, markOf, type Tenant } from './tenant.js';
import { TokenSource } from './tokens.js';
import type { Execution, TraceEntry, Violation } from './trace.js';
import type { World } from './world.js';

/** Names that a program uses and nobody else does. */
export interface Names {
  /** Start of every shard id. */
  readonly shards: string;
  /** A machine id that the provider has never heard of. */
  readonly unknownMachine: string;
}

/** Thrown inside a run when the rest of the program would mean nothing. */
class Stop extends Error {
  constructor(
    readonly reason: 'breach' | 'inconclusive',
    message: string,
  ) {
    super(message);
  }
}

/**
 * Runs `program` on `tenants`, one for each of its machine slots, and brings them back afterwards to where another
 * program can start, unless told to leave them. The tenants' beliefs are carried on.
 */
export async function execute(
  program: Program,
  tenants: readonly Tenant[],
  names: Names,
  world: World,
  recorder: Recorder,
  options = { bringBack: true },
): Promise<Execution> {
  const run = new ProgramRun(tenants, names, world, new Judge(world, recorder), recorder);
  return run.all(program, options.bringBack);
}

/** First pause between two polls of a moving machine, and the longest one, in milliseconds. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 50;
/** How long a machine that broke the contract is followed to see where that leads, in milliseconds. */
const LONGEST_LOOK_MS = 2_000;

class ProgramRun {
  private readonly trace: TraceEntry[] = [];
  private readonly steps: Step[] = [];
  private readonly violations: Violation[] = [];
  private readonly tokens: TokenSource;
  private readonly strangers = new Map<MachineSlot, Tenant>();
  private branches: readonly (readonly Step[])[] = [];
  /** Steps before the branches; what follows them only puts machines back. */
  private prefix: number | undefined;
  private overlap = 0;
  private crashes = 0;
  /** Whether the last crash found a transition under way. */
  private cutShort = false;
  /** Machines for which a call was accepted since the last crash. */
  private readonly calledSince = new Set<string>();
  private readonly standings: StandingsTracker;
  private readonly lists: ListRun;

  constructor(
    private readonly tenants: readonly Tenant[],
    private readonly names: Names,
    private readonly world: World,
    private readonly judge: Judge,
    private readonly recorder: Recorder,
  ) {
    this.tokens = new TokenSource(names.shards);
    this.standings = new StandingsTracker(tenants);
    const host = {
      tenants,
      exchange: (call: ListCall) => this.exchange(call),
      conclude: (judgement: Judgement, entry: TraceEntry) => this.conclude(judgement, entry),
      forget: (entry: TraceEntry) => this.forget(entry),
      giveUp: (reason: string): never => {
        throw new Stop('inconclusive', reason);
      },
      operationId: () => this.newestOperation(),
    };
    this.lists = new ListRun(host, this.standings, judge, world, recorder);
  }

  async all(program: Program, bringBack: boolean): Promise<Execution> {
    let inconclusive: string | null = null;
    try {
      for (const step of program.steps) await this.step(step);
      if (program.branches.length > 0) await this.race(program.branches);
      if (bringBack) for (const tenant of this.tenants) await this.bringBack(tenant);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      if (error.reason === 'inconclusive') inconclusive = error.message;
    }
    const { machines, doomed } = program;
    const ran: Program = {
      ...(doomed ? { doomed } : {}),
      machines,
      steps: this.steps.slice(0, this.prefix),
      branches: this.branches,
    };
    const { trace, violations, overlap } = this;
    const past = this.tenants.map((tenant) => tenant.past ?? []);
    const whole = { ...ran, steps: this.steps };
    for (const [slot, tenant] of this.tenants.entries())
      tenant.past = lengthened(past[slot] ?? [], whole, slot);
    return { program: ran, trace, violations, inconclusive, overlap, past };
  }

  private async step(step: Step): Promise<void> {
    switch (step.call) {
      case 'Get':
        this.steps.push(step);
        await this.get(this.tenant(step.machine));
        return;
      case 'List':
        this.steps.push(step);
        await this.lists.list(step);
        return;
      case 'Page':
        this.steps.push(step);
        await this.lists.page(step);
        return;
      case 'Quiet':
        this.steps.push(step);
        await this.lists.quiet(step);
        return;
      case 'Crash':
        await this.crash(step);
        return;
      case 'Watch':
        this.steps.push(step);
        await this.watch(this.tenant(step.machine));
        return;
      default:
        await this.mutate(step);
    }
  }

  private tenant(slot: MachineSlot): Tenant {
    const tenant = typeof slot === 'number' ? this.tenants[slot] : this.stranger(slot);
    if (tenant === undefined) throw new RangeError(`the program names machine ${slot} but leased fewer`);
    return tenant;
  }

  private stranger(slot: 'unknown' | 'empty'): Tenant {
    const known = this.strangers.get(slot);
    if (known) return known;
    const id = slot === 'empty' ? '' : this.names.unknownMachine;
    const tenant: Tenant = { id, belief: [firstMet('ABSENT', slot === 'unknown')] };
    this.strangers.set(slot, tenant);
    return tenant;
  }

  private others(tenant: Tenant): readonly Tenant[] {
    return [...this.tenants, ...this.strangers.values()].filter((other) => other !== tenant);
  }

  private resolve(step: MutationStep, tenant: Tenant) {
    const others = this.others(tenant);
    return this.tokens.resolve(step.token, {
      here: (shard) => markOf(tenant, shard),
      elsewhere: (shard) => others.map((other) => markOf(other, shard)).find((mark) => mark !== undefined),
    });
  }

  private async mutate(step: MutationStep): Promise<void> {
    const tenant = this.tenant(step.machine);
    const { token: sent, concrete } = this.resolve(step, tenant);
    this.steps.push({ ...step, token: concrete });
    const call = mutationCall(step, tenant.id, sent);
    const { outcome, entry } = await this.exchange(call);
    const judgement = await this.secondLook(
      tenant,
      outcome,
      this.judge.mutation(tenant, call, outcome, this.others(tenant)),
    );
    this.conclude(judgement, entry);
    if (judgement.rule === 'accept') this.calledSince.add(tenant.id);
    this.standings.called(tenant, judgement.rule, outcome);
    if (step.settle) await this.settle(tenant);
  }

  /**
   * A record that is wrong in an ack may be wrong everywhere, or only there, torn from two instants (B408). A Get tells,
   * as long as the machine has not moved on. A map that is wrong on the way may be wrong at rest as well.
   */
  private async secondLook(tenant: Tenant, outcome: Outcome<Ack>, judgement: Judgement): Promise<Judgement> {
    const { breach } = judgement;
    const snapshot = outcome.kind === 'ok' ? outcome.reply.machine : null;
    if (!breach?.aspect.startsWith('snapshot ') || snapshot === null || breach.aspect === 'snapshot state')
      return judgement;
    const { outcome: look } = await this.world.provider.call({ kind: 'Get', machineId: tenant.id } as const);
    if (look.kind === 'ok' && look.reply.state === snapshot.state && !sameRecord(look.reply, snapshot)) {
      const behaviors = [...new Set<BehaviorId>(['B408', ...breach.behaviors])];
      return { ...judgement, breach: { ...breach, behaviors } };
    }
    return { ...judgement, breach: await this.atRest(tenant, breach, snapshot) };
  }

  /** Whose the wrong map is: that of the window alone (B504), or of whoever keeps the map. */
  private async atRest(tenant: Tenant, breach: Breach, shown: MachineRecord): Promise<Breach> {
    if (!breach.aspect.endsWith('metadata') || shown.state !== 'CONFIGURING') return breach;
    const { clock, sleep, limits, provider } = this.world;
    const deadline = clock() + Math.min(limits.settleTimeoutMs, LONGEST_LOOK_MS);
    while (clock() < deadline) {
      const { outcome } = await provider.call({ kind: 'Get', machineId: tenant.id } as const);
      if (outcome.kind !== 'ok') return breach;
      const { state, shardMetadata } = outcome.reply;
      if (state !== 'CONFIGURING') {
        const same = state === 'CONFIGURED' && sameMap(shardMetadata, shown.shardMetadata);
        const behaviors = same ? breach.behaviors.filter((id) => id !== 'B504') : breach.behaviors;
        return { ...breach, behaviors };
      }
      await sleep(LONGEST_PAUSE_MS);
    }
    return breach;
  }

  private async exchange<C extends Call>(call: C, branch = -1, step = this.steps.length - 1) {
    const where = branch < 0 ? {} : { connection: branch };
    const { outcome, invokedAt, returnedAt } = await this.world.provider.call(call, where);
    const entry: TraceEntry = {
      step,
      branch,
      call,
      outcome: outcome as TraceEntry['outcome'],
      invokedAt,
      returnedAt,
      rule: null,
    };
    this.trace.push(entry);
    return { outcome, entry };
  }

  /** Kills the provider, maybe with a call in flight, boots it again, and looks at everything. */
  private async crash(step: CrashStep): Promise<void> {
    const { crash, model, sleep } = this.world;
    if (crash === undefined) throw new Stop('inconclusive', 'there is no process of ours to kill');
    const [flight] = step.during ? this.plan(step.during) : [];
    const during = flight ? (flight.step as MutationStep) : null;
    this.steps.push({ ...step, during });
    const reply = flight ? this.exchange(flight.call as MutationCall) : null;
    if (flight) await sleep(step.afterMs);
    const moving = this.tenants.filter(isMoving);
    await crash().catch((error: Error) => this.lost(error));
    if (flight && reply) {
      const { outcome, entry } = await reply;
      const call = flight.call as MutationCall;
      this.conclude(this.judge.mutation(flight.tenant, call, outcome, this.others(flight.tenant)), entry);
    }
    this.crashes += 1;
    this.cutShort = moving.length > 0 || flight !== undefined;
    this.world.ledger.kills += 1;
    this.calledSince.clear();
    this.lists.restarted();
    for (const tenant of this.tenants) {
      tenant.belief = crashed(tenant.belief, model);
      this.standings.touched(tenant.id);
    }
    const { outcome, entry } = await this.exchange(listCall());
    this.conclude(this.judge.recovered(this.tenants, this.world.inventory, outcome), entry);
    for (const tenant of this.tenants) await this.settle(tenant);
    if (moving.length > 0) this.recorder.note('B1006');
    this.recorder.note('B1004', 'kills');
  }

  /** The provider did not come back on its own state: whatever it knew is gone (B1004). */
  private lost(error: Error): never {
    const breach: Breach = {
      behaviors: ['B1004'],
      rule: 'recovery',
      aspect: 'boot',
      expected: ['a provider that comes back on the state it left'],
      observed: error.message,
    };
    this.violations.push({ breach, at: this.trace.length - 1, reading: 'both' });
    throw new Stop('breach', describe(breach));
  }

  /** Runs the branches at the same time, each on a connection of its own, and searches for an order that explains it. */
  private async race(branches: readonly (readonly Step[])[]): Promise<void> {
    this.prefix = this.steps.length;
    const planned = branches.map((branch) => branch.flatMap((step) => this.plan(step)));
    this.branches = planned.map((branch) => branch.map(({ step }) => step));
    const lanes = await Promise.all(planned.map((branch, number) => this.branch(branch, number)));
    const entries = lanes.flat();
    this.overlap = deepestOverlap(entries);
    const racers = [...this.tenants, ...this.strangers.values()];
    const verdict = judgeRace(entries, racers, this.world.model);
    if (verdict.kind === 'undecided')
      throw new Stop('inconclusive', 'the search for an order spent its budget');
    const reused = verdict.kind === 'explained' ? this.judge.claimRaced(entries) : verdict;
    if (reused)
      this.conclude({ breach: reused.breach, departures: [], rule: null }, this.entryAt(reused.entry));
    for (const tenant of this.tenants) {
      this.standings.touched(tenant.id);
      await this.settle(tenant);
    }
  }

  /** Tokens of a race are fixed before it starts: which call comes first is up to the provider. */
  private plan(step: Step): { step: Step; tenant: Tenant; call: MutationCall | GetCall }[] {
    if (step.call !== 'Get' && !('token' in step)) return [];
    const tenant = this.tenant(step.machine);
    if (step.call === 'Get') return [{ step, tenant, call: { kind: 'Get', machineId: tenant.id } }];
    const { token: sent, concrete } = this.resolve(step, tenant);
    return [{ step: { ...step, token: concrete }, tenant, call: mutationCall(step, tenant.id, sent) }];
  }

  private async branch(
    planned: readonly { tenant: Tenant; call: MutationCall | GetCall }[],
    number: number,
  ): Promise<RaceEntry[]> {
    const entries: RaceEntry[] = [];
    for (const [step, { tenant, call }] of planned.entries()) {
      const { outcome, entry } = await this.exchange(call, number, step);
      const { invokedAt, returnedAt } = entry;
      const raced = { call, outcome } as RaceEntry['raced'];
      const connection = number % this.world.connections;
      entries.push({
        raced,
        tenant,
        branch: number,
        connection,
        invokedAt,
        returnedAt,
        entry: this.trace.indexOf(entry),
      });
    }
    return entries;
  }

  private entryAt(index: number): TraceEntry {
    const entry = this.trace[index];
    if (entry === undefined) throw new RangeError(`the trace has no entry ${index}`);
    return entry;
  }

  /** Notes what was judged, and stops the program where the contract was broken. */
  private conclude({ breach, departures, rule }: Judgement, entry: TraceEntry): void {
    entry.rule = rule;
    const at = this.trace.indexOf(entry);
    for (const departed of departures) this.violations.push({ breach: departed, at, reading: 'literal' });
    if (breach === null) return;
    const called = entry.call.kind !== 'List' && this.calledSince.has(entry.call.machineId);
    const blamed =
      this.crashes > 0
        ? { ...breach, behaviors: recoveryBehaviors(breach, called, this.cutShort) }
        : this.world.ledger.kills > 0 && breach.ifFenced !== undefined
          ? // The marks of an earlier program may have been lost or mixed up by the kill.
            {
              ...breach,
              behaviors: [...new Set<BehaviorId>(['B1007', ...breach.behaviors])],
              ifFenced: ['B1007', ...breach.ifFenced] as const,
            }
          : breach;
    this.violations.push({ breach: blamed, at, reading: 'both' });
    throw new Stop('breach', describe(blamed));
  }

  private async get(tenant: Tenant): Promise<void> {
    const { outcome, entry } = await this.exchange({ kind: 'Get', machineId: tenant.id } as const);
    const judgement = this.judge.read(tenant, outcome);
    const breach =
      judgement.breach && outcome.kind === 'ok'
        ? await this.atRest(tenant, judgement.breach, outcome.reply)
        : judgement.breach;
    this.conclude({ ...judgement, breach }, entry);
    if (outcome.kind === 'ok') this.standings.seen(outcome.reply);
    this.forgetRepeat();
  }

  private forget(entry: TraceEntry): void {
    const at = this.trace.indexOf(entry);
    if (at >= 0) this.trace.splice(at, 1);
  }

  private newestOperation(): string {
    for (const { outcome } of this.trace.toReversed()) {
      if (outcome.kind === 'ok' && 'operationId' in outcome.reply) return outcome.reply.operationId;
    }
    return '';
  }

  /** Keeps one of several reads in a row that showed the same: the trace is for people. */
  private forgetRepeat(): void {
    const last = this.trace.at(-1);
    const before = this.trace.at(-2);
    if (last?.call.kind !== 'Get' || before?.call.kind !== 'Get') return;
    if (last.call.machineId !== before.call.machineId || last.step !== before.step) return;
    if (last.outcome.kind !== 'ok' || before.outcome.kind !== 'ok') return;
    if (!('state' in last.outcome.reply) || !('state' in before.outcome.reply)) return;
    if (last.outcome.reply.state === before.outcome.reply.state) this.trace.splice(-2, 1);
  }

  /** Polls until the machine rests; every record seen on the way is judged. */
  private async settle(tenant: Tenant): Promise<void> {
    const { clock, sleep, limits } = this.world;
    const deadline = clock() + limits.settleTimeoutMs;
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      await this.get(tenant);
      if (isResting(tenant)) return;
      if (clock() > deadline) await this.stuck(tenant);
      await sleep(pause);
      pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS);
    }
  }

  /** A machine that rests in a List and moves in every Get (B107). */
  private async restsInList(id: string, where: string): Promise<void> {
    const { outcome } = await this.exchange(listCall());
    const listed =
      outcome.kind === 'ok' ? outcome.reply.machines.find((record) => record.id === id) : undefined;
    if (listed === undefined || listed.state === where || !isStable(listed.state)) return;
    const breach: Breach = {
      behaviors: ['B107'],
      rule: 'lifecycle',
      aspect: `Get ${where}`,
      expected: [`state ${listed.state} in a Get, as in the List`],
      observed: `state ${where} in every Get`,
    };
    this.violations.push({ breach, at: this.trace.length - 1, reading: 'both' });
    throw new Stop('breach', describe(breach));
  }

  /** Beyond its time: a breach where that time was declared, else nothing can be said. */
  private async stuck({ belief, id }: Tenant): Promise<never> {
    const { settleTimeoutMs, stuckIsBreach } = this.world.limits;
    const [state] = belief;
    const where = state?.phase ?? 'a moving state';
    await this.restsInList(id, where);
    if (!stuckIsBreach || state === undefined) {
      throw new Stop(
        'inconclusive',
        `a machine was still ${where} after the settle timeout of ${settleTimeoutMs} ms (--settle-timeout)`,
      );
    }
    const breach: Breach = {
      behaviors: [this.crashes > 0 ? 'B1006' : behaviorOfSettling(state.trail)],
      rule: 'lifecycle',
      aspect: `stuck ${where}`,
      expected: [`a machine that comes to rest within ${settleTimeoutMs} ms`],
      observed: `still ${where}`,
    };
    this.violations.push({ breach, at: this.trace.length - 1, reading: 'both' });
    throw new Stop('breach', describe(breach));
  }

  /** Reads a settled machine over the stability window: nothing may move by itself (B108). */
  private async watch(tenant: Tenant): Promise<void> {
    const { clock, sleep, limits } = this.world;
    const end = clock() + limits.stabilityWindowMs;
    let reads = 0;
    while (clock() < end || reads < 2) {
      await this.get(tenant);
      reads += 1;
      await sleep(Math.min(LONGEST_PAUSE_MS, limits.stabilityWindowMs / 4));
    }
    if (tenant.belief.every(({ phase, trail }) => phase === 'FAILED' && trail.doom === 'fault-slow-ok')) {
      this.recorder.note('B704');
    }
    this.recorder.note('B108');
    this.recorder.note('B108', 'reads', reads);
  }

  /** Drain and Delete, without a token, until the machine is where a program can start. */
  private async bringBack(tenant: Tenant): Promise<void> {
    const slot = this.tenants.indexOf(tenant) as MachineSlot;
    const way: Partial<Record<string, Mutation>> = { CONFIGURED: 'Drain', IDLE: 'Delete' };
    if (!isResting(tenant)) await this.settle(tenant);
    for (let hops = 0; hops < 2; hops++) {
      const [state, other] = tenant.belief;
      if (state === undefined || other !== undefined) return;
      const call = way[state.phase];
      const options = { machine: slot, token: token('none') };
      if (call === 'Drain') await this.mutate(drain(options));
      else if (call === 'Delete' && this.world.model.capabilities.delete) await this.mutate(remove(options));
      else return;
    }
  }
}

function isStable(state: string): boolean {
  return state === 'SPECULATIVE' || state === 'IDLE' || state === 'CONFIGURED';
}

function sameRecord(a: MachineRecord, b: MachineRecord): boolean {
  return a.cluster === b.cluster && sameMap(a.shardMetadata, b.shardMetadata) && hasHost(a) === hasHost(b);
}

function describe(breach: Breach): string {
  return `${breach.behaviors[0]}: expected ${breach.expected.join(', or ')}; observed ${breach.observed}`;
}
