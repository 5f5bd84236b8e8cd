/**
 * The model checks itself: every state that it can reach within bounds, breadth first, and on every state and every
 * step the invariants of contract sections 3 and 4. A wrong oracle accuses right providers, so it is not taken on trust.
 */
import type { MutationCall } from './call.js';
import { callsOf, describeCall, type Space, type TokenBounds } from './explore/calls.js';
import { canonicalState, keyOf } from './explore/canonical.js';
import { INVARIANTS, type Invariant, type ModelStep, type Oracle, type Seen } from './explore/invariants.js';
import { isTransitional, LIFECYCLE_STATES } from './machine.js';
import { mismatchOf } from './observation.js';
import { type ModelConfig, possibilities } from './possibilities.js';
import { failed, firstMet, type MachineState, settled } from './state.js';

export { INVARIANTS, type Invariant, type Oracle } from './explore/invariants.js';

/** How much is explored. */
export interface Bounds extends TokenBounds {
  /** Explored one after another. */
  readonly spaces: readonly Space[];
  /** More states than this are a space that does not end. */
  readonly maxStates: number;
}

/** An invariant that does not hold, and the shortest way to where it does not. */
export interface InvariantViolation {
  readonly invariant: Invariant['name'];
  readonly section: string;
  readonly detail: string;
  /** Start state, then each step; empty for what needs no state. */
  readonly path: readonly string[];
}

/** What an exploration found. */
export interface Exploration {
  readonly states: number;
  readonly transitions: number;
  /** Length of the longest shortest path, in steps. */
  readonly depth: number;
  /** At most one for each invariant. */
  readonly violations: readonly InvariantViolation[];
}

const plain: ModelConfig = { capabilities: { delete: true, sinceRevision: true }, faults: false };
const configs: readonly ModelConfig[] = [
  plain,
  { ...plain, faults: true },
  { ...plain, capabilities: { delete: false, sinceRevision: true } },
];

/**
 * One machine under three kinds of provider: called by two shards that keep to the rules of the wire, and by one that
 * does not. There is no second machine, because the model of one never asks for another.
 */
export const DEFAULT_BOUNDS: Bounds = {
  spaces: configs.flatMap((config) => [
    { config, shards: ['a', 'b'], oddRequests: false },
    { config, shards: ['a'], oddRequests: true },
  ]),
  epochs: 2,
  sequences: 2,
  maxStates: 500_000,
};

/** The model as it is. */
export const ORACLE: Oracle = { possibilities, settled, failed, mismatchOf };

/**
 * Explores `oracle` within `bounds`.
 * @throws RangeError when there are more than `bounds.maxStates` states.
 */
export function explore(bounds: Bounds = DEFAULT_BOUNDS, oracle: Oracle = ORACLE): Exploration {
  const search = new Search(bounds, oracle);
  search.table();
  for (const space of bounds.spaces) search.through(space);
  return search.result();
}

/** A state that was reached, by which step, and from where. */
interface Node {
  readonly state: MachineState;
  readonly parent: Node | null;
  readonly step: string;
  readonly depth: number;
}

type Checks = { readonly [Scope in keyof Seen]: readonly (Invariant & { over: Scope })[] };
const CHECKS: Checks = {
  state: INVARIANTS.filter((invariant) => invariant.over === 'state'),
  call: INVARIANTS.filter((invariant) => invariant.over === 'call'),
  step: INVARIANTS.filter((invariant) => invariant.over === 'step'),
  table: INVARIANTS.filter((invariant) => invariant.over === 'table'),
};

class Search {
  private readonly violations = new Map<string, InvariantViolation>();
  private states = 0;
  private transitions = 0;
  private depth = 0;
  private known = new Set<string>();
  private queue: Node[] = [];

  constructor(
    private readonly bounds: Bounds,
    private readonly oracle: Oracle,
  ) {}

  result(): Exploration {
    const { states, transitions, depth } = this;
    return { states, transitions, depth, violations: [...this.violations.values()] };
  }

  table(): void {
    for (const invariant of CHECKS.table) this.report(invariant, invariant.check(this.oracle), () => []);
  }

  through(space: Space): void {
    const { config } = space;
    this.known = new Set();
    this.queue = [];
    const calls = callsOf(space, this.bounds);
    for (const state of startStates(config)) this.reach(state, null, `met in ${state.phase}`);
    for (let at = 0; at < this.queue.length; at++) {
      const node = this.queue[at];
      if (node) this.expand(node, calls, config);
    }
    this.states += this.queue.length;
  }

  private expand(node: Node, calls: readonly MutationCall[], config: ModelConfig): void {
    const { state } = node;
    for (const to of this.silentSteps(state)) {
      this.follow(node, { from: state, to, by: null }, () => `becomes ${to.phase}`);
    }
    for (const call of calls) {
      const answers = this.oracle.possibilities(state, call, config);
      for (const invariant of CHECKS.call) {
        this.report(invariant, invariant.check({ state, answers }), () => [
          ...pathTo(node),
          describeCall(call),
        ]);
      }
      for (const answer of answers) {
        const step = { from: state, to: answer.next, by: { call, answer } };
        this.follow(node, step, () => `${describeCall(call)}: ${answer.rule}`);
      }
    }
  }

  private silentSteps(state: MachineState): MachineState[] {
    if (state.phase === 'ABSENT' || !isTransitional(state.phase)) return [];
    const settles = state.fate === 'fail' ? [] : [this.oracle.settled(state)];
    return state.fate === 'settle' ? settles : [...settles, this.oracle.failed(state)];
  }

  private follow(node: Node, step: ModelStep, label: () => string): void {
    this.transitions += 1;
    for (const invariant of CHECKS.step) {
      this.report(invariant, invariant.check(step), () => [...pathTo(node), label()]);
    }
    if (!sameButForTrail(step)) this.reach(step.to, node, label);
  }

  private reach(reached: MachineState, parent: Node | null, step: string | (() => string)): void {
    const state = canonicalState(reached);
    const key = keyOf(state);
    if (this.known.has(key)) return;
    this.known.add(key);
    if (this.states + this.known.size > this.bounds.maxStates) {
      throw new RangeError(`the model has more than ${this.bounds.maxStates} states within its bounds`);
    }
    const depth = parent === null ? 0 : parent.depth + 1;
    const node = { state, parent, step: typeof step === 'string' ? step : step(), depth };
    this.depth = Math.max(this.depth, depth);
    this.queue.push(node);
    for (const invariant of CHECKS.state) this.report(invariant, invariant.check(state), () => pathTo(node));
  }

  private report(invariant: Invariant, detail: string | null, path: () => readonly string[]): void {
    if (detail === null || this.violations.has(invariant.name)) return;
    const { name, section } = invariant;
    this.violations.set(name, { invariant: name, section, detail, path: path() });
  }
}

/** Most calls change nothing; that is told from the parts being the very same, long before a key is made. */
function sameButForTrail({ from, to }: ModelStep): boolean {
  return (
    from.phase === to.phase &&
    from.marks === to.marks &&
    from.operations === to.operations &&
    from.binding === to.binding &&
    from.fate === to.fate &&
    from.drainFate === to.drainFate
  );
}

function pathTo(node: Node): string[] {
  const steps: string[] = [];
  for (let at: Node | null = node; at !== null; at = at.parent) steps.unshift(at.step);
  return steps;
}

/** A machine may be met in any state, by a model that knows nothing of its past, and in two by one that does. */
function startStates(config: ModelConfig): MachineState[] {
  const met = [
    ...(['ABSENT', ...LIFECYCLE_STATES] as const).map((phase) => firstMet(phase)),
    firstMet('ABSENT', true),
    firstMet('SPECULATIVE', true),
  ];
  return config.faults ? met.map((state) => ({ ...state, createFate: 'either' })) : met;
}
