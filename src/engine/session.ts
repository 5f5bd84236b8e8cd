/**
 * One check of a provider over the six RPCs: saved counterexamples first, then every scenario, then generated
 * programs in batches. What it runs depends on the seed alone; how much at once is `concurrency`.
 */
import fc from 'fast-check';
import type { BehaviorId } from '../../model/registry.js';
import type {
  DirectedProperty,
  GenerativeProperty,
  Program,
  Property,
  Scenario,
} from '../../properties/program.js';
import type { Arena } from './arena.js';
import type { Listener, ReportedViolation } from './events.js';
import { execute, type Names } from './execute.js';
import type { Findings } from './findings.js';
import { Investigator } from './investigate.js';
import { inParallel, interleaved, widthFor } from './parallel.js';
import { type Part, shareOf } from './part.js';
import { type MachinePool, TooFewMachines } from './pool.js';
import { batchSeed, digestOf, digestOfBatches } from './seed.js';
import { mergeInto } from './snapshot.js';
import { type Execution, isTrustworthy, signatureOf, type Violation } from './trace.js';
import type { World } from './world.js';

/** What to run. */
export interface SessionPlan {
  readonly seed: number;
  /** Generated programs in all, divided over the generative properties by their share. */
  readonly runs: number;
  /** Programs that run at the same time, on disjoint machines. */
  readonly concurrency: number;
  readonly directed: readonly DirectedProperty[];
  readonly generative: readonly GenerativeProperty[];
  /** What progress calls the run, or null where somebody else speaks for it. */
  readonly lane: string | null;
  /** Kinds of violation after which no further program is begun; without it the whole plan is run. */
  readonly enough?: number;
  /** False where it is enough to know that something was broken: nothing is run again and shrunk. */
  readonly examine?: boolean;
  /** Run only this part of the scenarios and batches; without it all of them. */
  readonly part?: Part;
}

/** Programs that share one seed. Fixed, so that a seed means the same at any concurrency. */
export const BATCH_SIZE = 10;
/** Batches whose programs take turns, so that every property has its say early in a run. */
const OPEN_BATCHES = 16;
/**
 * A property that broke the contract so often is not run further: it has said what it has to say. Replies that the
 * reference reading explains do not count, for the rest of such a program is judged like any other. The parts of a
 * shared run divide the number among them, so that together they look about as often as one process would.
 */
const ENOUGH_VIOLATIONS = 8;
const NO_OVERLAP = 'no two calls were ever in flight on one machine at the same time';
/** Time for running violations again and shrinking them, in all, in milliseconds. */
const INVESTIGATIONS_MS = 90_000;
const INVESTIGATION = { maxExecutions: 300, maxMs: 20_000 };

/** Programs still to be generated: a long run does not hold them all. */
export interface Batch {
  readonly property: GenerativeProperty;
  readonly seed: number;
  readonly size: number;
}

/** A generated program and the property that it is of. */
interface Generated {
  readonly property: GenerativeProperty;
  readonly program: Program;
}

/** A violation that is still to be investigated. */
interface Suspicion {
  readonly property: Property;
  readonly execution: Execution;
  readonly violation: Violation;
}

export class Session {
  /** sha256 of each batch that was run, by its place in the plan. */
  readonly digests = new Map<number, string>();
  private readonly investigator: Investigator;
  /** Violations by signature, with the behaviors whose own random test has met them. */
  private readonly umbrellas = new Map<string, Set<BehaviorId>>();
  private open: Suspicion[] = [];
  private stopped: string | null = null;
  /** When the budget of all investigations ends, on the world's clock. */
  private investigateUntil = 0;
  private enough = Number.POSITIVE_INFINITY;
  /** Violations after which a property is not run further. */
  private enoughOfOne = ENOUGH_VIOLATIONS;
  private examines = true;

  private readonly world: World;
  private readonly pool: MachinePool;
  private readonly names: () => Names;

  /** @param save writes a violation to the corpus and returns where */
  constructor(
    arena: Arena,
    private readonly findings: Findings,
    private readonly listen: Listener,
    private readonly save: (violation: ReportedViolation) => Promise<string | null>,
  ) {
    this.world = arena.world;
    this.pool = arena.pool;
    this.names = arena.names;
    this.investigator = new Investigator(arena, INVESTIGATION);
    findings.whenStopped((reason) => this.cutShort(reason));
  }

  /** Ends the run after the programs that are under way; what was not run is not decided, for this reason. */
  stop(reason: string): void {
    this.stopped ??= reason;
  }

  /** Stops, and reports what was not investigated yet as it was found. */
  private cutShort(reason: string): void {
    this.stop(reason);
    for (const { property, execution, violation } of this.open.splice(0)) {
      this.add(this.investigator.unexamined(execution, violation, property.name), violation, null);
    }
  }

  /** Runs the plan. Returns the sha256 digest of all generated sequences. */
  async run(plan: SessionPlan): Promise<string> {
    this.enough = plan.enough ?? Number.POSITIVE_INFINITY;
    this.enoughOfOne = Math.ceil(ENOUGH_VIOLATIONS / (plan.part?.of ?? 1));
    this.examines = plan.examine ?? true;
    const scenarios = shareOf(scenariosOf(plan), plan.part).map(([, scenario]) => scenario);
    this.announce(plan, 'scenarios', scenarios.length);
    const width = widthFor(plan.concurrency, this.world.inventory.length);
    const alone = scenarios.filter(({ scenario }) => scenario.needs.alone === true);
    const together = scenarios.filter(({ scenario }) => scenario.needs.alone !== true);
    // Those that share the time go first: most bugs show in them, and the others take longer than all of them.
    await inParallel(together, width, ({ property, scenario }) => this.scenario(property, scenario));
    for (const { property, scenario } of alone) await this.scenario(property, scenario);
    const batches = shareOf(batchesOf(plan), plan.part);
    this.announce(
      plan,
      'generated',
      batches.reduce((sum, [, { size }]) => sum + size, 0),
    );
    await inParallel(interleaved(this.generated(batches), OPEN_BATCHES), width, (generated) =>
      this.generatedProgram(generated),
    );
    await this.investigateAll();
    if (plan.lane !== null) this.listen({ type: 'lane-finished', lane: plan.lane });
    return digestOfBatches(this.digests);
  }

  private announce({ lane }: SessionPlan, part: string, planned: number): void {
    if (lane !== null) this.listen({ type: 'lane-started', lane: `${lane} ${part}`, planned });
  }

  private async scenario(property: DirectedProperty, scenario: Scenario): Promise<void> {
    const { capabilities } = this.world.model;
    if (scenario.needs.delete && !capabilities.delete) return;
    if (scenario.needs.sinceRevision && !capabilities.sinceRevision) return;
    const speculative = scenario.needs.speculative === true || capabilities.delete;
    await this.program(property, scenario.program, speculative);
  }

  private *generated(batches: readonly (readonly [number, Batch])[]): Generator<readonly Generated[], void> {
    for (const [index, batch] of batches) {
      // To generate what will not be run would keep a long plan busy for minutes after its end.
      if (this.stopped !== null) {
        this.findings.inconclusive(batch.property, this.stopped, batch.size);
        continue;
      }
      const programs = programsOf(batch);
      this.digests.set(index, digestOf(programs));
      yield programs.map((program) => ({ property: batch.property, program }));
    }
  }

  private async generatedProgram({ property, program }: Generated): Promise<void> {
    if (this.findings.tally(property).violating >= this.enoughOfOne) return;
    await this.program(property, program, this.world.model.capabilities.delete);
  }

  private async program(property: Property, program: Program, speculative: boolean): Promise<void> {
    if (this.open.length >= this.enough) return;
    if (this.stopped !== null) {
      this.findings.inconclusive(property, this.stopped);
      return;
    }
    const tenants = await this.lease(property, program, speculative);
    if (tenants === null) return;
    const execution = await execute(program, tenants, this.names(), this.world, this.findings.recorder);
    await this.pool.release(tenants, isTrustworthy(execution));
    if (execution.inconclusive !== null) this.findings.inconclusive(property, execution.inconclusive);
    else if (program.branches.length > 0 && execution.overlap < 2)
      this.findings.inconclusive(property, NO_OVERLAP);
    else this.findings.completed(execution.heard ? property : { ...property, completionIsEvidence: false });
    if (execution.overlap >= 2) this.findings.overlapped(property, execution.overlap);
    this.findings.broke(
      property,
      execution.violations.map(({ reading }) => reading),
    );
    for (const violation of execution.violations) this.violation(property, execution, violation);
    this.listen({ type: 'sequence-done', property: property.name, calls: execution.trace.length });
  }

  private async lease(property: Property, program: Program, speculative: boolean) {
    try {
      if (program.doomed) return this.pool.leaseDoomed(program.machines);
      return await this.pool.lease(program.machines, speculative, 'used');
    } catch (error) {
      if (!(error instanceof TooFewMachines)) throw error;
      this.findings.inconclusive(property, error.message);
      return null;
    }
  }

  /** The first violation of its kind is investigated; later ones only count. */
  private violation(property: Property, execution: Execution, violation: Violation): void {
    const signature = signatureOf(violation);
    const umbrella = property.umbrella.includes(violation.breach.rule) ? property.decides : [];
    const known = this.umbrellas.get(signature);
    for (const id of umbrella) known?.add(id);
    if (known !== undefined) return;
    this.umbrellas.set(signature, new Set(umbrella));
    const [behavior = 'B1203'] = violation.breach.behaviors;
    const { observed } = violation.breach;
    this.listen({ type: 'violation-seen', behavior, property: property.name, observed });
    this.open.push({ property, execution, violation });
  }

  /** One after another and with nothing else going on, so that what one program broke does not colour another. */
  private async investigateAll(): Promise<void> {
    if (this.open.length > 0)
      this.listen({ type: 'lane-started', lane: 'shrinking', planned: this.open.length });
    this.investigateUntil = this.world.clock() + INVESTIGATIONS_MS;
    for (let next = this.open.shift(); next !== undefined; next = this.open.shift())
      await this.investigate(next);
  }

  /** Violations are found faster than they are shrunk: what comes after the budget is reported as it was found. */
  private get canInvestigate(): boolean {
    return this.examines && this.stopped === null && this.world.clock() < this.investigateUntil;
  }

  private async investigate({ property, execution, violation }: Suspicion): Promise<void> {
    const found = this.canInvestigate
      ? await this.investigator.investigate(execution, violation, property.name)
      : this.investigator.unexamined(execution, violation, property.name);
    this.listen({ type: 'sequence-done', property: property.name, calls: found.shrunk.executions });
    this.add(found, violation, await this.save({ ...found, behaviors: this.broken(found, violation) }));
  }

  /** With the behaviors whose own random test has met it. */
  private broken(found: ReportedViolation, violation: Violation): readonly BehaviorId[] {
    const umbrella = this.umbrellas.get(signatureOf(violation)) ?? [];
    return [...new Set([...found.behaviors, ...umbrella])];
  }

  /** Shrunk, two findings may turn out to be one. */
  private add(found: ReportedViolation, violation: Violation, corpusFile: string | null): void {
    const reported = { ...found, behaviors: this.broken(found, violation), corpusFile };
    if (mergeInto(this.findings.violations, reported)) return;
    this.findings.violations.push(reported);
    this.listen({ type: 'violation', violation: reported });
  }
}

function scenariosOf({ directed }: SessionPlan) {
  return directed.flatMap((property) => property.scenarios.map((scenario) => ({ property, scenario })));
}

/** The batches of a plan: the same for the same seed and runs. */
export function batchesOf({ seed, runs, generative }: SessionPlan): readonly Batch[] {
  return divide(runs, generative).flatMap(({ property, count }) =>
    Array.from({ length: Math.ceil(count / BATCH_SIZE) }, (_, batch) => ({
      property,
      seed: batchSeed(seed, property.name, batch),
      size: Math.min(BATCH_SIZE, count - batch * BATCH_SIZE),
    })),
  );
}

/** The programs of a batch. */
export function programsOf({ property, seed, size }: Batch): readonly Program[] {
  return fc.sample(property.programs, { seed, numRuns: size });
}

/** Divides `runs` by the shares, every property getting at least one while there are any. */
function divide(runs: number, properties: readonly GenerativeProperty[]) {
  const shares = properties.reduce((sum, { share }) => sum + share, 0);
  let [left, weight] = [runs, shares];
  return properties.map((property) => {
    const count = Math.min(
      left,
      Math.max(left > 0 ? 1 : 0, Math.round((left * property.share) / Math.max(1, weight))),
    );
    left -= count;
    weight -= property.share;
    return { property, count };
  });
}
