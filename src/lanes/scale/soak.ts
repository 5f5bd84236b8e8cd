/** One soak: workers churn machines while pollers watch the rest of the fleet (B1104, B1105, B1109). */
import { inParallel } from '../../engine/parallel.js';
import type { Tenant } from '../../engine/tenant.js';
import type { LaneBreach, LaneCase } from '../lane.js';
import { SCALE_CASES } from './cases.js';
import { type Change, follow } from './delta.js';
import { recordBreach, type ScaleRun } from './run.js';
import { CaseStopped } from './stopped.js';

/** What is held during a soak. */
export interface SoakPlan {
  /** Machines that go round and round. */
  readonly churned: readonly Tenant[];
  /** Machines at rest that nobody calls. */
  readonly steady: readonly Tenant[];
}

const DELTA_PAUSE_MS = 100;
const READ_PAUSE_MS = 20;
const READERS = 4;
const FEWEST_PASSES = 2;
const PROGRESS_MS = 1_000;
/** One worker in so many keeps to one machine, which goes round far more often than the others. */
const HOT_EVERY = 4;
/** So many broken machines have said what is to be said. */
const ENOUGH_BREACHES = 20;

export class Soak {
  /** Whole ways around. */
  cycles = 0;
  /** Reads of steady machines. */
  reads = 0;
  private breaches = 0;
  private over = false;
  private readonly steady: ReadonlySet<Tenant>;

  constructor(
    private readonly run: ScaleRun,
    private readonly plan: SoakPlan,
  ) {
    this.steady = new Set(plan.steady);
  }

  /** Soaks until the time is up, then lets every machine under way come to rest. */
  async all(): Promise<void> {
    const { tools, options, revision } = this.run;
    const from = tools.clock();
    const goesOn = (): boolean => {
      if (this.breaches >= ENOUGH_BREACHES || this.run.obstacle() !== null) return false;
      const elapsed = tools.clock() - from;
      const wanting = this.cycles < options.soakCycles && this.plan.churned.length > 0;
      return elapsed < options.soakMs * (wanting ? options.soakOvertime : 1);
    };
    const watchers = [
      this.readSteady(),
      this.progress(),
      ...(revision.length > 0 ? [this.followDeltas()] : []),
    ];
    const queue = [...this.plan.churned];
    await Promise.all(
      Array.from({ length: options.workers }, (_, i) =>
        this.worker(i % HOT_EVERY === 0 ? queue.splice(0, 1) : queue, goesOn),
      ),
    );
    // With nothing to churn the pollers still watch for the whole time.
    while (goesOn() && this.plan.churned.length === 0) await tools.sleep(DELTA_PAUSE_MS);
    this.over = true;
    await Promise.all(watchers);
  }

  private async worker(queue: Tenant[], goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      const tenant = queue.shift();
      if (tenant === undefined) return;
      try {
        await this.run.driver.cycle(tenant);
        this.cycles += 1;
        queue.push(tenant);
      } catch (error) {
        this.stopped(error, tenant, SCALE_CASES.churn);
      }
    }
  }

  /** Reads the machines at rest again and again, each at least twice however short the soak. */
  private async readSteady(): Promise<void> {
    const { steady } = this.plan;
    for (let pass = 0; pass < FEWEST_PASSES || !this.over; pass++) {
      await inParallel(steady, READERS, async (tenant) => {
        if (this.run.lostSight.has(tenant) || this.run.obstacle() !== null) return;
        try {
          await this.run.driver.read(tenant);
          this.reads += 1;
        } catch (error) {
          this.stopped(error, tenant, SCALE_CASES.steady);
        }
      });
      await this.run.tools.sleep(READ_PAUSE_MS);
    }
  }

  private async followDeltas(): Promise<void> {
    while (!this.over) {
      try {
        await follow(this.run, (change) => this.changed(change));
      } catch (error) {
        if (!(error instanceof CaseStopped)) throw error;
        this.found(error.breach, error.message, SCALE_CASES.churn);
      }
      await this.run.tools.sleep(DELTA_PAUSE_MS);
    }
  }

  /** One entry of a delta. What a churned machine does meanwhile only its worker can judge. */
  private changed({ record, before, now }: Change): void {
    const tenant = this.run.held.get(record.id);
    const defect = recordBreach(record, 'B1104');
    if (defect !== null) this.found(defect, '', SCALE_CASES.churn);
    else if (before === undefined && this.run.complete)
      this.found(appeared(record.id), '', SCALE_CASES.count);
    else if (tenant !== undefined && this.steady.has(tenant)) {
      if (this.run.lostSight.has(tenant)) return;
      const breach = this.run.driver.look(tenant, record);
      if (breach !== null) this.found(breach, '', SCALE_CASES.steady);
    } else if (tenant === undefined && before !== undefined && before.core !== now.core) {
      this.found(drifted(record.id, before.state, record.state), '', SCALE_CASES.steady);
    }
  }

  private stopped(error: unknown, tenant: Tenant, laneCase: LaneCase): void {
    if (!(error instanceof CaseStopped)) throw error;
    this.run.lostSight.add(tenant);
    this.found(error.breach, error.message, laneCase);
  }

  private found(breach: LaneBreach | null, reason: string, laneCase: LaneCase): void {
    const { lane } = this.run.tools;
    if (breach === null) {
      lane.inconclusive(laneCase, reason);
      return;
    }
    this.breaches += 1;
    lane.breach(laneCase, breach);
  }

  private async progress(): Promise<void> {
    const { tools, driver } = this.run;
    const calls = (): number =>
      Object.values(driver.accepted).reduce((sum, count) => sum + count, this.reads);
    let [due, told] = [tools.clock() + PROGRESS_MS, calls()];
    while (!this.over) {
      await tools.sleep(DELTA_PAUSE_MS);
      if (tools.clock() < due) continue;
      due += PROGRESS_MS;
      tools.listen({ type: 'sequence-done', property: SCALE_CASES.churn.name, calls: calls() - told });
      told = calls();
    }
  }
}

/** A machine that no call touched and that is somewhere else now. */
export function drifted(id: string, before: string, now: string): LaneBreach {
  return {
    behaviors: ['B1109', 'B108'],
    rule: 'lifecycle',
    aspect: `state ${now}`,
    expected: [`the machine ${JSON.stringify(id)}, which nobody called, in state ${before} as before`],
    observed: before === now ? `another host, binding or error in state ${now}` : `state ${now}`,
  };
}

/** A machine that the first full List did not have. */
export function appeared(id: string): LaneBreach {
  return {
    behaviors: ['B1105'],
    rule: 'list',
    aspect: 'appeared',
    expected: ['the machines of the first full List and no others'],
    observed: `the machine ${JSON.stringify(id)}, which was not there`,
  };
}
