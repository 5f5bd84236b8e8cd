/** What happens once a program has broken the contract: run it again, shrink it, and tell. */
import type { Program } from '../../properties/program.js';
import type { ReportedViolation } from './events.js';
import { execute, type Names } from './execute.js';
import type { MachinePool } from './pool.js';
import { Recorder } from './recorder.js';
import { shrink } from './shrink.js';
import { type Execution, signatureOf, type Violation } from './trace.js';
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
  constructor(
    private readonly world: World,
    private readonly pool: MachinePool,
    private readonly names: () => Names,
    private readonly budget: InvestigationBudget,
  ) {}

  /** Reproduces and shrinks what `execution` found. */
  async investigate(
    execution: Execution,
    violation: Violation,
    property: string,
  ): Promise<ReportedViolation> {
    const signature = signatureOf(violation);
    const whole = upTo(execution, violation);
    let latest = { execution, violation };
    const failsOnce = async (program: Program): Promise<boolean> => {
      const again = await this.run(program);
      const same = again.violations.find((other) => signatureOf(other) === signature);
      if (same) latest = { execution: again, violation: same };
      return same !== undefined;
    };
    let failed = 0;
    for (let i = 0; i < RERUNS; i++) if (await failsOnce(whole)) failed += 1;
    const chances = failed === RERUNS ? 1 : FLAKY_CHANCES;
    const fails = async (program: Program): Promise<boolean> => {
      for (let i = 0; i < chances; i++) if (await failsOnce(program)) return true;
      return false;
    };
    const end = this.world.clock() + this.budget.maxMs;
    const budget = { maxExecutions: this.budget.maxExecutions, hasTime: () => this.world.clock() < end };
    const smallest =
      failed === 0 ? { program: whole, executions: 0, complete: false } : await shrink(whole, fails, budget);
    return report(latest, smallest.program, property, {
      reproduced: { failed, of: RERUNS },
      shrunk: {
        from: whole.steps.length,
        to: smallest.program.steps.length,
        executions: smallest.executions,
        complete: smallest.complete,
      },
    });
  }

  /** One more run, off the record. */
  async run(program: Program): Promise<Execution> {
    const tenants = await this.pool.lease(program.machines, this.world.model.capabilities.delete, 'virgin');
    try {
      return await execute(program, tenants, this.names(), this.world, new Recorder());
    } finally {
      await this.pool.release(tenants);
    }
  }
}

/** The executed program up to the step that was answered wrongly. */
function upTo({ program, trace }: Execution, { at }: Violation): Program {
  const last = trace[at]?.step ?? program.steps.length - 1;
  return program.branches.length > 0 ? program : { ...program, steps: program.steps.slice(0, last + 1) };
}

function report(
  { execution, violation }: { execution: Execution; violation: Violation },
  program: Program,
  property: string,
  history: Pick<ReportedViolation, 'reproduced' | 'shrunk'>,
): ReportedViolation {
  const { behaviors, rule, aspect, expected, observed } = violation.breach;
  return {
    behaviors,
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
