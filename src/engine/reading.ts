/** Reads a program's machines: once, until they rest, and for a while after that. */

import { isTransitional } from '../../model/machine.js';
import { isLifecycleState } from '../../model/record.js';
import { behaviorOfSettling } from '../../model/record-blame.js';
import type { Judge } from './judge.js';
import type { Recorder } from './recorder.js';
import { listCall } from './requests.js';
import { atRest } from './second-look.js';
import type { StandingsTracker } from './standings.js';
import { Stop } from './stop.js';
import { isResting, type Tenant } from './tenant.js';
import type { Transcript } from './transcript.js';
import type { World } from './world.js';

/** First pause between two polls of a moving machine, and the longest one, in milliseconds. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 50;

export class Reading {
  constructor(
    private readonly world: World,
    private readonly transcript: Transcript,
    private readonly judge: Judge,
    private readonly standings: StandingsTracker,
    private readonly recorder: Recorder,
    /** Whether the provider was killed in this program: a machine that then stays on its way is B1006's. */
    private readonly crashed: () => boolean,
  ) {}

  /** One Get, judged. Returns whether it was answered. */
  async get(tenant: Tenant): Promise<boolean> {
    const { outcome, entry } = await this.transcript.exchange({ kind: 'Get', machineId: tenant.id } as const);
    const judgement = this.judge.read(tenant, outcome);
    const breach =
      judgement.breach && outcome.kind === 'ok'
        ? await atRest(this.world, tenant, judgement.breach, outcome.reply)
        : judgement.breach;
    this.transcript.conclude(breach === judgement.breach ? judgement : { ...judgement, breach }, entry);
    if (outcome.kind === 'ok') this.standings.seen(outcome.reply);
    this.transcript.forgetRepeat();
    return outcome.kind !== 'indeterminate';
  }

  /** Polls until the machine rests; every record seen on the way is judged. */
  async settle(tenant: Tenant): Promise<void> {
    const { clock, sleep, limits } = this.world;
    const deadline = clock() + limits.settleTimeoutMs;
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      const asked = clock();
      const answered = await this.get(tenant);
      if (isResting(tenant)) return;
      // A reply that took long may show how it was long before.
      if (asked > deadline) await this.stuck(tenant, answered);
      await sleep(pause);
      pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS);
    }
  }

  /** Reads a settled machine over the stability window: nothing may move by itself (B108). */
  async watch(tenant: Tenant): Promise<void> {
    const { clock, sleep, limits } = this.world;
    const end = clock() + limits.stabilityWindowMs;
    let reads = 0;
    for (let asked = 0; clock() < end || asked < 2; asked++) {
      if (await this.get(tenant)) reads += 1;
      await sleep(Math.min(LONGEST_PAUSE_MS, limits.stabilityWindowMs / 4));
    }
    // What nobody saw twice was not seen to stay.
    if (reads < 2) return;
    if (tenant.belief.every(({ phase, trail }) => phase === 'FAILED' && trail.doom === 'fault-slow-ok')) {
      this.recorder.note('B704');
    }
    this.recorder.note('B108');
    this.recorder.note('B108', 'reads', reads);
  }

  /**
   * Beyond its time: a breach where that time was declared, unless nobody says that it still moves, or a lost call may
   * have set it going since; else nothing can be said.
   */
  private async stuck(tenant: Tenant, answered: boolean): Promise<never> {
    const { settleTimeoutMs, stuckIsBreach } = this.world.limits;
    const [state] = tenant.belief;
    const where = state?.phase ?? 'a moving state';
    if (!answered) throw Stop.inconclusive(`a machine that was ${where} could not be read any more`);
    const late = this.lostMutation(tenant.id);
    if (!late) await this.restsInList(tenant, where);
    if (late || !stuckIsBreach || state === undefined) {
      throw Stop.inconclusive(
        `a machine was still ${where} after the settle timeout of ${settleTimeoutMs} ms (--settle-timeout)`,
      );
    }
    return this.transcript.broken({
      behaviors: [this.crashed() ? 'B1006' : behaviorOfSettling(state.trail)],
      rule: 'lifecycle',
      aspect: `stuck ${where}`,
      expected: [`a machine that comes to rest within ${settleTimeoutMs} ms`],
      observed: `still ${where}`,
    });
  }

  /**
   * A machine that rests in a List and moves in the Get after it (B107): between the two nothing can have set it going
   * again, for no call on it was lost.
   */
  private async restsInList(tenant: Tenant, where: string): Promise<void> {
    const { outcome } = await this.transcript.exchange(listCall());
    const listed =
      outcome.kind === 'ok' ? outcome.reply.machines.find(({ id }) => id === tenant.id) : undefined;
    if (listed === undefined || listed.state === where || listed.state === 'FAILED') return;
    if (!isLifecycleState(listed.state) || isTransitional(listed.state)) return;
    const { outcome: later } = await this.transcript.exchange({ kind: 'Get', machineId: tenant.id } as const);
    if (later.kind !== 'ok' || later.reply.state !== where) return;
    this.transcript.broken({
      behaviors: ['B107'],
      rule: 'lifecycle',
      aspect: `Get ${where}`,
      expected: [`state ${listed.state} in a Get, as in the List before it`],
      observed: `state ${where}`,
    });
  }

  private lostMutation(id: string): boolean {
    return this.transcript.trace.some(
      ({ call, outcome }) =>
        outcome.kind === 'indeterminate' &&
        call.kind !== 'List' &&
        call.kind !== 'Get' &&
        call.machineId === id,
    );
  }
}
