/** What happens once a program has broken the contract: run it again, shrink it, and tell. */
import type { BehaviorId } from '../../model/registry.js';
import type { Program } from '../../properties/program.js';
import type { Arena } from './arena.js';
import type { ReportedViolation } from './events.js';
import { execute, type Names } from './execute.js';
import { type MachinePool, TooFewMachines } from './pool.js';
import { Recorder } from './recorder.js';
import { shrink } from './shrink.js';
import { type Execution, isTrustworthy, signatureOf, type Violation } from './trace.js';
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

  /** Reproduces and shrinks what `execution` found. */
  async investigate(
    execution: Execution,
    violation: Violation,
    property: string,
  ): Promise<ReportedViolation> {
    const [start, failed] = await this.reproduce(await this.withoutRace({ execution, violation }));
    const whole = upTo(start.execution, start.violation);
    const signature = signatureOf(start.violation);
    let latest = start;
    const fails = async (program: Program): Promise<boolean> => {
      for (let chance = failed === RERUNS ? 1 : FLAKY_CHANCES; chance > 0; chance--) {
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
    const nothing = { program: whole, executions: 0, complete: false };
    const smallest = failed === 0 ? nothing : await shrink(whole, fails, budget);
    const explicit = upTo(latest.execution, latest.violation);
    return report(latest, failed === 0 ? whole : explicit, property, {
      reproduced: { failed, of: RERUNS },
      shrunk: {
        from: stepsOf(whole),
        to: stepsOf(failed === 0 ? whole : explicit),
        executions: smallest.executions,
        complete: smallest.complete,
      },
    });
  }

  /** Reports what `execution` found as it is, where nothing can be run again. */
  unexamined(execution: Execution, violation: Violation, property: string): ReportedViolation {
    const program = upTo(execution, violation);
    const length = stepsOf(program);
    return report({ execution, violation }, program, property, {
      reproduced: { failed: 0, of: 0 },
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

  /** Runs it again; where it never fails so again, but always in one other way, that other way is the finding. */
  private async reproduce(first: Found): Promise<[Found, number]> {
    const program = upTo(first.execution, first.violation);
    const signature = signatureOf(first.violation);
    let failed = 0;
    const others: Found[] = [];
    for (let i = 0; i < RERUNS; i++) {
      const again = await this.tryRun(program);
      if (found(again, signature)) failed += 1;
      const [other] = again?.violations ?? [];
      if (again && other) others.push({ execution: again, violation: other });
    }
    const [other, ...more] = others;
    const consistent =
      other &&
      others.length === RERUNS &&
      more.every(({ violation }) => signatureOf(violation) === signatureOf(other.violation));
    return failed === 0 && consistent ? [other, RERUNS] : [first, failed];
  }

  /** A run, or null where no machines are left for it: then the best found so far has to do. */
  private async tryRun(program: Program): Promise<Execution | null> {
    try {
      return await this.run(program);
    } catch (error) {
      if (error instanceof TooFewMachines) return null;
      throw error;
    }
  }

  /**
   * One more run, off the record.
   * @throws TooFewMachines
   */
  async run(program: Program): Promise<Execution> {
    const { capabilities } = this.world.model;
    const tenants = program.doomed
      ? this.pool.leaseDoomed(program.machines)
      : await this.pool.lease(program.machines, capabilities.delete, 'virgin');
    const execution = await execute(program, tenants, this.names(), this.world, new Recorder());
    await this.pool.release(tenants, isTrustworthy(execution));
    return execution;
  }
}

function stepsOf({ steps, branches }: Program): number {
  return steps.length + branches.flat().length;
}

interface Found {
  readonly execution: Execution;
  readonly violation: Violation;
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

/**
 * A call that was fenced out although its token passes may break the fence or the rule that asked for another code.
 * The shrinker tried the same call without a token: where the token had to stay, it was the fence.
 */
function atFault({ breach }: Violation, program: Program): readonly BehaviorId[] {
  const last = [...program.steps, ...program.branches.flat()].at(-1);
  const tokenStayed = last !== undefined && 'token' in last && last.token.shard !== null;
  return breach.ifFenced !== undefined && tokenStayed ? breach.ifFenced : breach.behaviors;
}

function report(
  { execution, violation }: { execution: Execution; violation: Violation },
  program: Program,
  property: string,
  history: Pick<ReportedViolation, 'reproduced' | 'shrunk'>,
): ReportedViolation {
  const { rule, aspect, expected, observed } = violation.breach;
  return {
    behaviors: atFault(violation, program),
    rule,
    aspect,
    expected,
    observed,
    reading: violation.reading,
    property,
    program,
    trace: execution.trace.slice(0, violation.at + 1),
    at: violation.at,
    ...history,
    corpusFile: null,
  };
}
