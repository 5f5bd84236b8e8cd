/** Makes a failing program small: drops what the violation does not depend on, then simplifies what is left. */
import type { MachineSlot, MutationStep, Program, Step } from '../../properties/program.js';
import { configure, create, drain } from '../../properties/steps.js';
import { NO_TOKEN, renumbered } from './renumber.js';

/** Runs a candidate and says whether the same behavior still fails in the same way. */
export type StillFails = (candidate: Program) => Promise<boolean>;

/** Bounds of a shrink: executions of candidates, and whether there is time left. */
export interface ShrinkBudget {
  readonly maxExecutions: number;
  readonly hasTime: () => boolean;
}

/** The smallest failing program found. */
export interface Shrunk {
  readonly program: Program;
  readonly executions: number;
  /** False where the budget ended the search. */
  readonly complete: boolean;
}

/** Shrinks `program`, whose run fails; every candidate accepted fails in the same way. */
export async function shrink(program: Program, fails: StillFails, budget: ShrinkBudget): Promise<Shrunk> {
  const search = new Search(program, fails, budget);
  for (;;) {
    const before = search.best;
    await search.dropBranches();
    await search.dropMachines();
    await search.dropChunks();
    await search.dropPairs();
    await search.repeatEarlier();
    await search.relabel();
    await search.simplify();
    if (search.best === before || search.spent) break;
  }
  return { program: search.best, executions: search.executions, complete: !search.spent };
}

/** A step and where it stands: -1 for the sequential part, else its branch. */
interface Placed {
  readonly branch: number;
  readonly step: Step;
}

class Search {
  executions = 0;
  private readonly tried = new Set<string>();

  constructor(
    public best: Program,
    private readonly fails: StillFails,
    private readonly budget: ShrinkBudget,
  ) {}

  get spent(): boolean {
    return this.executions >= this.budget.maxExecutions || !this.budget.hasTime();
  }

  private get placed(): readonly Placed[] {
    const { steps, branches } = this.best;
    return [
      ...steps.map((step) => ({ branch: -1, step })),
      ...branches.flatMap((steps, branch) => steps.map((step) => ({ branch, step }))),
    ];
  }

  /** Takes a program of `placed` steps over as the best one where it still fails. */
  private async accept(placed: readonly Placed[]): Promise<boolean> {
    const candidate = {
      ...compact(assemble(placed)),
      ...(this.best.doomed ? { doomed: true as const } : {}),
    };
    const key = JSON.stringify(candidate);
    if (this.spent || placed.length === 0 || this.tried.has(key)) return false;
    this.tried.add(key);
    this.executions += 1;
    if (!(await this.fails(candidate))) return false;
    this.best = candidate;
    return true;
  }

  /** Whole branches, and the race itself: what fails one after another is easier to read. */
  async dropBranches(): Promise<void> {
    if (this.best.branches.length === 0) return;
    if (await this.accept(this.placed.map(({ step }) => ({ branch: -1, step })))) return;
    for (let branch = this.best.branches.length - 1; branch >= 0; branch--) {
      await this.accept(this.placed.filter((placed) => placed.branch !== branch));
    }
  }

  /** All steps on one machine at once: most violations concern a single one. */
  async dropMachines(): Promise<void> {
    const slots = new Set(this.placed.flatMap(({ step }) => ('machine' in step ? [step.machine] : [])));
    for (const slot of [...slots].reverse()) {
      await this.accept(this.placed.filter(({ step }) => !('machine' in step) || step.machine !== slot));
    }
  }

  /** Delta debugging: ever smaller chunks, from the end, where most of what is needless lies. */
  async dropChunks(): Promise<void> {
    for (let size = Math.ceil(this.placed.length / 2); size >= 1; size = Math.floor(size / 2)) {
      let end = this.placed.length;
      while (end > 0 && !this.spent) {
        const start = Math.max(0, end - size);
        await this.accept([...this.placed.slice(0, start), ...this.placed.slice(end)]);
        end = start;
      }
    }
  }

  /** Two steps that only make sense together, such as a Configure and its Drain. */
  async dropPairs(): Promise<void> {
    for (let first = this.placed.length - 2; first >= 0; first--) {
      for (let second = this.placed.length - 1; second > first && !this.spent; second--) {
        await this.accept(this.placed.filter((_, i) => i !== first && i !== second));
      }
    }
  }

  /** What a repeated call shows may show when an earlier call is repeated. */
  async repeatEarlier(): Promise<void> {
    if (this.best.branches.length > 0) return;
    for (let length = 1; length < this.placed.length - 1 && !this.spent; length++) {
      const last = this.placed.at(-1);
      const repeated = this.placed[length - 1];
      if (last === undefined || repeated === undefined || !('token' in repeated.step)) continue;
      const step = 'token' in last.step ? { ...repeated.step, token: last.step.token } : repeated.step;
      if (await this.accept([...this.placed.slice(0, length), { ...repeated, step }])) return;
    }
  }

  /**
   * Which calls carry the tokens often does not matter: all of them may be Creates, and where one call is left out, the
   * others may move up, each to the next edge of the lifecycle.
   */
  async relabel(): Promise<void> {
    const { placed } = this;
    if (this.best.branches.length > 0 || placed.filter(({ step }) => 'token' in step).length < 2) return;
    if (await this.accept(placed.map((each) => ({ ...each, step: asCreate(each.step) })))) return;
    for (let left = 0; left < placed.length - 1 && !this.spent; left++) {
      const rest = placed.filter((_, i) => i !== left).map(({ step }) => step);
      if (await this.accept(alongTheWay(rest).map((step) => ({ branch: -1, step })))) return;
    }
  }

  /** Plainer arguments, one at a time. */
  async simplify(): Promise<void> {
    await this.renumber();
    for (let i = 0; i < this.placed.length; i++) {
      for (const simpler of simplerSteps) {
        const { step } = this.placed[i] ?? {};
        const candidate = step && simpler(step);
        if (!candidate || JSON.stringify(candidate) === JSON.stringify(step)) continue;
        await this.accept(this.placed.map((other, j) => (j === i ? { ...other, step: candidate } : other)));
        if (this.spent) return;
      }
    }
    await this.renumber();
  }

  private async renumber(): Promise<void> {
    const steps = renumbered(this.placed.map(({ step }) => step));
    await this.accept(this.placed.map((placed, i) => ({ ...placed, step: steps[i] ?? placed.step })));
  }
}

function asCreate(step: Step): Step {
  return 'token' in step ? create(step) : step;
}

/** The edges of a machine's life, in the order in which it comes to them. */
const WAY = [create, configure, drain] as const;

/** The same steps, with the mutations of each machine on the edges that it comes to one after another. */
function alongTheWay(steps: readonly Step[]): Step[] {
  const made = new Map<MachineSlot, number>();
  return steps.map((step) => {
    if (!('token' in step)) return step;
    const before = made.get(step.machine) ?? 0;
    made.set(step.machine, before + 1);
    // After the first Drain it goes round between Configure and Drain.
    const make = WAY[before < WAY.length ? before : 1 + ((before - 1) % 2)] ?? create;
    return make({ machine: step.machine, token: step.token, settle: step.settle });
  });
}

function assemble(placed: readonly Placed[]): Program {
  const steps = placed.filter(({ branch }) => branch < 0).map(({ step }) => step);
  const numbers = [...new Set(placed.map(({ branch }) => branch))].filter((branch) => branch >= 0);
  const branches = numbers.map((number) =>
    placed.filter(({ branch }) => branch === number).map(({ step }) => step),
  );
  return { machines: 1, steps, branches };
}

/** What to try on a single step, the largest simplification first. */
const simplerSteps: readonly ((step: Step) => Step | null)[] = [
  (step) => ('token' in step ? { ...step, token: NO_TOKEN } : null),
  (step) => ('token' in step ? { ...step, settle: true } : null),
  (step) => (step.call === 'Configure' ? { ...step, metadata: [] } : null),
  (step) =>
    step.call === 'Configure'
      ? { ...step, metadata: step.metadata.slice(0, Math.ceil(step.metadata.length / 2)) }
      : null,
  (step) =>
    step.call === 'Configure'
      ? { ...step, metadata: step.metadata.slice(Math.floor(step.metadata.length / 2)) }
      : null,
  (step) => (step.call === 'Configure' ? { ...step, cluster: 'cluster-a' } : null),
  (step) => (step.call === 'Configure' && step.blobBytes > 1 ? { ...step, blobBytes: 1 } : null),
  (step) => (step.call === 'Crash' ? { ...step, during: null, afterMs: 0 } : null),
  (step) => (step.call === 'Drain' ? { ...step, grace: '0' } : null),
  (step) => (step.call === 'List' ? { ...step, since: { from: 'start' } } : null),
  (step) => (step.call === 'List' ? { ...step, save: null } : null),
  (step) => (step.call === 'List' ? { ...step, max: 0 } : null),
  (step) => (step.call === 'List' ? { ...step, states: [] } : null),
  (step) => (step.call === 'List' ? { ...step, states: step.states.slice(0, -1) } : null),
  (step) => (step.call === 'Page' ? { ...step, pages: 0 } : null),
  (step) =>
    step.call === 'Page' && typeof step.size === 'number' && step.size < 64
      ? { ...step, size: step.size * 8 }
      : null,
  (step) => (step.call === 'Quiet' ? { ...step, polls: Math.ceil(step.polls / 2) } : null),
];

/** Machine and shard numbers without holes. */
function compact(program: Program): Program {
  const slots = new Map<number, number>();
  const shards = new Map<number, number>();
  const numberIn = (known: Map<number, number>, old: number): number => {
    const number = known.get(old) ?? known.size;
    known.set(old, number);
    return number;
  };
  const slotOf = (slot: MachineSlot): MachineSlot =>
    typeof slot === 'number' ? numberIn(slots, slot) : slot;
  const tokenOf = (token: MutationStep['token']): MutationStep['token'] =>
    token.shard === null ? token : { ...token, shard: numberIn(shards, token.shard) };
  const move = (step: Step): Step => {
    if (step.call === 'Crash')
      return step.during ? { ...step, during: move(step.during) as MutationStep } : step;
    if (!('machine' in step)) return step;
    const machine = slotOf(step.machine);
    return 'token' in step ? { ...step, machine, token: tokenOf(step.token) } : { ...step, machine };
  };
  const steps = program.steps.map(move);
  const branches = program.branches.map((branch) => branch.map(move));
  return { machines: Math.max(1, slots.size), steps, branches };
}
