/** What happens once a program has broken the contract: run it again, shrink it, and tell. */
import type { Program } from '../../properties/program.js';
import type { Arena } from './arena.js';
import { type Attributed, attribute, type Found } from './attribute.js';
import { inCompany } from './company.js';
import type { ReportedViolation } from './events.js';
import { execute, type Names } from './execute.js';
import { withPast } from './past.js';
import { type MachinePool, TooFewMachines } from './pool.js';
import { Recorder } from './recorder.js';
import { type ShrinkBudget, type Shrunk, type StillFails, shrink } from './shrink.js';
import { type Execution, isTrustworthy, signatureOf, traceUpTo, type Violation } from './trace.js';
import type { World } from './world.js';

/** How often a failing program is run again before it is shrunk. */
const RERUNS = 3;
/** A flaky failure is given this many chances per candidate. */
const FLAKY_CHANCES = 4;

/** Budget of one investigation. */
export interface InvestigationBudget {
  readonly maxExecutions: number;
  /** In milliseconds. */
  readonly maxMs: number;
}

/** Runs programs again, on machines of the pool that as few as possible have used before. */
export class Investigator {
  private readonly world: World;
  private readonly pool: MachinePool;
  private readonly names: () => Names;

  constructor(
    arena: Arena,
    private readonly budget: InvestigationBudget,
  ) {
    this.world = arena.world;
    this.pool = arena.pool;
    this.names = arena.names;
  }

  /** Reproduces and shrinks what `execution` found, and finds out what it depends on. */
  async investigate(
    execution: Execution,
    violation: Violation,
    property: string,
  ): Promise<ReportedViolation> {
    const [start, failed] = await this.reproduce(await this.withoutRace({ execution, violation }));
    const whole = upTo(start.execution, start.violation);
    if (failed === 0) return this.unexamined(start.execution, start.violation, property, RERUNS);
    const signature = signatureOf(start.violation);
    const chances = failed === RERUNS ? 1 : FLAKY_CHANCES;
    let latest = start;
    const fails = async (program: Program): Promise<boolean> => {
      for (let chance = chances; chance > 0; chance--) {
        const same = found(await this.tryRun(program), signature);
        if (same) latest = same;
        if (same) return true;
      }
      return false;
    };
    const end = this.world.clock() + this.budget.maxMs;
    const budget = {
      maxExecutions: this.budget.maxExecutions,
      hasTime: () => this.world.clock() < end,
    };
    const coarse = await shrink(whole, fails, budget);
    const smallest = await this.polished(coarse, whole, fails, budget);
    const cause = await this.cause(latest, chances);
    return report(cause, property, {
      reproduced: { failed, of: RERUNS },
      shrunk: {
        from: stepsOf(whole),
        to: stepsOf(cause.program),
        executions: smallest.executions,
        complete: smallest.complete,
      },
    });
  }

  /** A program that fails most of the time may have passed by luck where it was made smaller: it is tried once more. */
  private async polished(
    coarse: Shrunk,
    whole: Program,
    fails: StillFails,
    budget: ShrinkBudget,
  ): Promise<Shrunk> {
    const spared = budget.maxExecutions - coarse.executions;
    if (!coarse.complete || coarse.program === whole || stepsOf(coarse.program) < 3) return coarse;
    const again = await shrink(coarse.program, fails, { ...budget, maxExecutions: spared });
    return { ...again, executions: coarse.executions + again.executions };
  }

  /** What the smallest failing program depends on, and so whom it is blamed on. */
  private async cause(latest: Found, chances: number): Promise<Attributed> {
    const program = upTo(latest.execution, latest.violation);
    const cause = await attribute(latest, program, async (candidate, options) => {
      for (let chance = chances; chance > 0; chance--) {
        const execution = await this.tryRun(candidate, options);
        const violation = execution?.violations.find(({ reading }) => reading === latest.violation.reading);
        if (execution && violation) return { execution, violation };
      }
      return null;
    });
    return { ...cause, program: upTo(cause.execution, cause.violation) };
  }

  /** Reports what `execution` found as it is, where nothing can be run again. */
  unexamined(execution: Execution, violation: Violation, property: string, reruns = 0): ReportedViolation {
    const program = upTo(execution, violation);
    const length = stepsOf(program);
    const { behaviors } = violation.breach;
    return report({ execution, violation, program, behaviors }, property, {
      reproduced: { failed: 0, of: reruns },
      shrunk: { from: length, to: length, executions: 0, complete: false },
    });
  }

  /** What fails one call after another as well is no race, and easier to read. */
  private async withoutRace(first: Found): Promise<Found> {
    const { steps, branches, machines } = first.execution.program;
    if (branches.length === 0) return first;
    const again = await this.tryRun({ machines, steps: [...steps, ...branches.flat()], branches: [] });
    const { aspect } = first.violation.breach;
    const same = again?.violations.find(({ breach }) => breach.aspect === aspect);
    return again && same ? { execution: again, violation: same } : first;
  }

  /**
   * Runs it again, and where it never fails so again, with what its machines had been through before, and, where a
   * machine was stuck, with other machines at work. Where it always fails in one other way, that other way is the finding.
   */
  private async reproduce(first: Found): Promise<[Found, number]> {
    const program = upTo(first.execution, first.violation);
    const again = await this.rerun(first, program);
    if (again[1] > 0 || program.branches.length > 0) return again;
    const isStuck = first.violation.breach.aspect.startsWith('stuck');
    const company = isStuck ? inCompany(program) : null;
    for (const whole of [withPast(program, first.execution.past), company]) {
      const [latest, failed] = whole === null ? again : await this.rerun(first, whole);
      if (failed > 0) return [latest, failed];
    }
    return again;
  }

  private async rerun(first: Found, program: Program): Promise<[Found, number]> {
    const signature = signatureOf(first.violation);
    let failed = 0;
    let latest: Found | null = null;
    const others: Found[] = [];
    const hurried =
      program.branches.length > 0 || program.steps.some((step) => 'settle' in step && !step.settle);
    for (let i = 0; i < RERUNS || (failed === 0 && hurried && i < RERUNS * FLAKY_CHANCES); i++) {
      const again = await this.tryRun(program);
      const same = found(again, signature);
      if (same) failed += 1;
      if (same) latest = same;
      const [other] = again?.violations ?? [];
      if (again && other) others.push({ execution: again, violation: other });
    }
    const [other, ...more] = others;
    const consistent =
      other &&
      others.length >= RERUNS &&
      more.every(({ violation }) => signatureOf(violation) === signatureOf(other.violation));
    return failed === 0 && consistent ? [other, RERUNS] : [latest ?? first, Math.min(failed, RERUNS)];
  }

  /** A run, or null where no machines are left for it: then the best found so far has to do. */
  private async tryRun(
    program: Program,
    options?: { readonly oneConnection: boolean },
  ): Promise<Execution | null> {
    try {
      return await this.run(program, options);
    } catch (error) {
      if (error instanceof TooFewMachines) return null;
      throw error;
    }
  }

  /**
   * One more run, off the record.
   * @throws TooFewMachines
   */
  async run(program: Program, options = { oneConnection: false }): Promise<Execution> {
    const { capabilities } = this.world.model;
    const tenants = program.doomed
      ? this.pool.leaseDoomed(program.machines)
      : await this.pool.lease(program.machines, capabilities.delete, 'virgin');
    const world = options.oneConnection ? onOneConnection(this.world) : this.world;
    const execution = await execute(program, tenants, this.names(), world, new Recorder());
    await this.pool.release(tenants, isTrustworthy(execution));
    return execution;
  }
}

function stepsOf({ steps, branches }: Program): number {
  return steps.length + branches.flat().length;
}

/** The same provider, called on the first connection alone. */
function onOneConnection(world: World): World {
  const { provider } = world;
  return {
    ...world,
    connections: 1,
    provider: { call: (call) => provider.call(call, { connection: 0 }) },
  };
}

function found(execution: Execution | null, signature: string): Found | null {
  const violation = execution?.violations.find((other) => signatureOf(other) === signature);
  return execution && violation ? { execution, violation } : null;
}

/** The executed program up to the step that was answered wrongly. */
function upTo({ program, trace }: Execution, { at }: Violation): Program {
  const last = trace[at]?.step ?? program.steps.length - 1;
  return program.branches.length > 0 ? program : { ...program, steps: program.steps.slice(0, last + 1) };
}

function report(
  { execution, violation, program, behaviors }: Attributed,
  property: string,
  history: Pick<ReportedViolation, 'reproduced' | 'shrunk'>,
): ReportedViolation {
  const { rule, aspect, expected, observed } = violation.breach;
  return {
    behaviors,
    rule,
    aspect,
    expected,
    observed,
    reading: violation.reading,
    property,
    program,
    trace: traceUpTo(execution.trace, violation.at),
    at: violation.at,
    ...history,
    corpusFile: null,
  };
}
