/** Runs one program against a provider and judges everything it answers. */
import type { Mutation } from '../../model/call.js';
import type { CrashStep, MachineSlot, MutationStep, Program, Step } from '../../properties/program.js';
import { drain, remove, token } from '../../properties/steps.js';
import { Cast, type Names } from './cast.js';
import { Kills, noteCrash, runCrash } from './crash-run.js';
import { Judge } from './judge.js';
import { limitOpen } from './late-calls.js';
import type { ListHost } from './list-exchange.js';
import { ListRun } from './list-run.js';
import { lengthened } from './past.js';
import { planRace, runRace } from './race-run.js';
import { Reading } from './reading.js';
import type { Recorder } from './recorder.js';
import { secondLook } from './second-look.js';
import { StandingsTracker } from './standings.js';
import { Stop } from './stop.js';
import { isResting, type Tenant } from './tenant.js';
import type { Execution } from './trace.js';
import { Transcript } from './transcript.js';
import type { World } from './world.js';

export type { Names } from './cast.js';

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
  return new ProgramRun(new Cast(tenants, names), world, recorder).all(program, options.bringBack);
}

/** From where a machine rests to where a program can start. */
const WAY_BACK: Partial<Record<string, Mutation>> = { CONFIGURED: 'Drain', IDLE: 'Delete' };

class ProgramRun {
  private readonly judge: Judge;
  private readonly kills: Kills;
  private readonly transcript: Transcript;
  private readonly standings: StandingsTracker;
  private readonly reading: Reading;
  private listRun: ListRun | null = null;
  private branches: readonly (readonly Step[])[] = [];
  /** Steps before the branches; what follows them only puts machines back. */
  private prefix: number | undefined;
  private overlap = 0;
  private heard = false;

  constructor(
    private readonly cast: Cast,
    private readonly world: World,
    private readonly recorder: Recorder,
  ) {
    const { tenants } = cast;
    const kills = new Kills(world.ledger);
    const transcript = new Transcript(world.provider, (breach, entry) => kills.blame(breach, entry));
    this.kills = kills;
    this.transcript = transcript;
    this.judge = new Judge(world, recorder);
    this.standings = new StandingsTracker(tenants);
    this.reading = new Reading(
      world,
      transcript,
      this.judge,
      this.standings,
      recorder,
      () => kills.count > 0,
    );
  }

  /** Made when it is needed: few programs list. */
  private get lists(): ListRun {
    const { cast, transcript, standings, judge, world, recorder } = this;
    const host = (): ListHost => ({
      tenants: cast.tenants,
      exchange: (call) => transcript.exchange(call),
      conclude: (judgement, entry) => transcript.conclude(judgement, entry),
      forget: (entry) => transcript.forget(entry),
      giveUp: (reason) => {
        throw Stop.inconclusive(reason);
      },
      operationId: () => transcript.newestOperation(),
    });
    this.listRun ??= new ListRun(host(), standings, judge, world, recorder);
    return this.listRun;
  }

  async all(program: Program, bringBack: boolean): Promise<Execution> {
    let inconclusive: string | null = null;
    try {
      for (const step of program.steps) await this.step(step);
      if (program.branches.length > 0) await this.race(program.branches);
      this.heard = isHeard(this.transcript);
      if (bringBack) for (const tenant of this.cast.tenants) await this.bringBack(tenant);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      if (error.reason === 'inconclusive') inconclusive = error.message;
    }
    return this.execution(program, inconclusive);
  }

  private execution({ machines, doomed }: Program, inconclusive: string | null): Execution {
    const { branches, overlap, heard } = this;
    const { trace, violations, steps } = this.transcript;
    const { tenants } = this.cast;
    const whole: Program = { ...(doomed ? { doomed } : {}), machines, steps, branches };
    const past = tenants.map((tenant) => tenant.past ?? []);
    for (const [slot, tenant] of tenants.entries()) tenant.past = lengthened(past[slot] ?? [], whole, slot);
    const program = this.prefix === undefined ? whole : { ...whole, steps: steps.slice(0, this.prefix) };
    return { program, trace, violations, inconclusive, overlap, heard, past };
  }

  /** Not itself asynchronous: a promise more for every step has its price. */
  private step(step: Step): Promise<unknown> {
    switch (step.call) {
      case 'Create':
      case 'Configure':
      case 'Drain':
      case 'Delete':
        return this.mutate(step);
      case 'Crash':
        return this.crash(step);
    }
    this.transcript.steps.push(step);
    switch (step.call) {
      case 'Get':
        return this.reading.get(this.cast.tenant(step.machine));
      case 'Watch':
        return this.reading.watch(this.cast.tenant(step.machine));
      case 'List':
        return this.lists.list(step);
      case 'Page':
        return this.lists.page(step);
      case 'Quiet':
        return this.lists.quiet(step);
    }
  }

  private async mutate(step: MutationStep): Promise<void> {
    const { step: sent, tenant, call } = this.cast.mutation(step);
    this.transcript.steps.push(sent);
    const { outcome, entry } = await this.transcript.exchange(call);
    const found = this.judge.mutation(tenant, call, outcome, this.cast.others(tenant));
    // Nearly every reply is explained, and even a promise that is kept at once has its price.
    const judgement = found.breach ? await secondLook(this.world, tenant, outcome, found) : found;
    this.transcript.conclude(judgement, entry);
    if (outcome.kind === 'indeterminate') limitOpen(tenant);
    if (judgement.rule === 'accept') this.kills.accepted(tenant.id);
    this.standings.called(tenant, judgement.rule, outcome);
    if (step.settle) await this.reading.settle(tenant);
  }

  /** Kills and boots the provider. Old cursors may be forgotten then, and every machine has to come to rest. */
  private async crash(step: CrashStep): Promise<void> {
    const moving = await runCrash(step, this.cast, this.transcript, this.judge, this.kills, this.world);
    this.lists.restarted();
    for (const tenant of this.cast.tenants) await this.reading.settle(tenant);
    noteCrash(this.recorder, moving);
  }

  private async race(branches: readonly (readonly Step[])[]): Promise<void> {
    this.prefix = this.transcript.steps.length;
    const planned = planRace(branches, this.cast);
    this.branches = planned.map((branch) => branch.map(({ step }) => step));
    await runRace(planned, this.cast, this.transcript, this.judge, this.world, (overlap) => {
      this.overlap = overlap;
    });
    for (const tenant of this.cast.tenants) {
      this.standings.touched(tenant.id);
      await this.reading.settle(tenant);
    }
  }

  /** Drain and Delete, without a token, until the machine is where a program can start. */
  private async bringBack(tenant: Tenant): Promise<void> {
    const slot = this.cast.tenants.indexOf(tenant) as MachineSlot;
    if (!isResting(tenant)) await this.reading.settle(tenant);
    for (let hops = 0; hops < 2; hops++) {
      const [state] = tenant.belief;
      // Which of several operations led there may be open for ever: where the machine is is enough.
      if (state === undefined || !tenant.belief.every(({ phase }) => phase === state.phase)) return;
      const call = WAY_BACK[state.phase];
      const options = { machine: slot, token: token('none') };
      if (call === 'Drain') await this.mutate(drain(options));
      else if (call === 'Delete' && this.world.model.capabilities.delete) await this.mutate(remove(options));
      else return;
    }
  }
}

/** Whether every mutation and List outside of a race was answered. What a kill is meant to cut off does not count. */
function isHeard({ trace, steps }: Transcript): boolean {
  return trace.every(({ call, outcome, branch, step }) => {
    if (outcome.kind !== 'indeterminate' || branch >= 0 || call.kind === 'Get') return true;
    return steps[step]?.call === 'Crash' && call.kind !== 'List';
  });
}
