/**
 * Generators of programs. A walk keeps a rough guess of where each machine will be, so that most calls are on a legal
 * edge and deep states are reached; the guess only steers and never judges.
 */
import fc from 'fast-check';
import { MUTATIONS, type Mutation } from '../model/call.js';
import { EDGES, type LifecycleState, next } from '../model/machine.js';
import {
  type ConfigureStep,
  type MachineSlot,
  mutationOf,
  type Program,
  type Step,
  type StepToken,
  type TokenClass,
} from './program.js';

/** How much likelier a call on its legal edge is than each other one. */
const LEGAL_WEIGHT = 6;

/** The mutations to choose from in a state, each as often as its weight. Derived from the lifecycle. */
const CHOICES = Object.fromEntries(
  Object.values(EDGES)
    .flatMap(({ from }) => from)
    .map((state) => [
      state,
      MUTATIONS.flatMap((call) =>
        Array<Mutation>(next(state, call) === undefined ? 1 : LEGAL_WEIGHT).fill(call),
      ),
    ]),
) as Partial<Readonly<Record<LifecycleState, readonly Mutation[]>>>;

/** Token classes that pass the fence (or carry no token), with their weights. */
const PASSING: readonly (readonly [number, TokenClass])[] = [
  [5, 'none'],
  [30, 'fresh'],
  [6, 'higher-epoch'],
  [4, 'other-machine'],
  [3, 'other-shard'],
  [2, 'past-int32'],
  [2, 'past-double'],
];
/** Token classes on the other side of the boundary, or without a place on it. */
const STALE: readonly (readonly [number, TokenClass])[] = [
  [8, 'replay'],
  [7, 'lower-sequence'],
  [6, 'lower-epoch'],
];
const ODD: readonly (readonly [number, TokenClass])[] = [
  [1, 'zero'],
  [1, 'extreme'],
  [1, 'negative-epoch'],
  [1, 'negative-sequence'],
  [1, 'shardless'],
];

function tokenClass(groups: readonly (readonly [number, TokenClass])[]): fc.Arbitrary<TokenClass> {
  return fc.oneof(...groups.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}

/** How a walk is drawn. */
export interface WalkOptions {
  readonly minSteps: number;
  readonly maxSteps: number;
  readonly machines: number;
  readonly shards: number;
  readonly tokens: readonly (readonly [number, TokenClass])[];
  /** Odds in 100 that a step names an unknown machine or the empty id. */
  readonly strangers: number;
  readonly metadata: fc.Arbitrary<readonly (readonly [string, string])[]>;
  /** Odds in 100 that the next step does not wait for the machine to rest. */
  readonly hurried: number;
}

const TEAMS = ['blue', 'green', 'red'];

/** A small ordinary map. */
export const PLAIN_METADATA: fc.Arbitrary<readonly (readonly [string, string])[]> = fc
  .uniqueArray(fc.tuple(fc.constantFrom('team', 'pool', 'owner'), fc.constantFrom(...TEAMS)), {
    maxLength: 3,
    selector: ([key]) => key,
  })
  .map((entries) => entries as readonly (readonly [string, string])[]);

/** Tokens of every class, in the proportions that reach deep states and still sit on the fence's boundary. */
export const ALL_TOKENS = [...PASSING, ...STALE, ...ODD];
/** Tokens of live shards and zombies only. */
export const ORDERED_TOKENS = [...PASSING, ...STALE];
/** Mostly the boundary itself. */
export const BOUNDARY_TOKENS: readonly (readonly [number, TokenClass])[] = [
  [6, 'fresh'],
  [4, 'replay'],
  [4, 'lower-sequence'],
  [4, 'lower-epoch'],
  [4, 'higher-epoch'],
  [1, 'past-int32'],
  [1, 'past-double'],
  [1, 'other-machine'],
  [1, 'zero'],
];

interface Draw {
  readonly machine: number;
  readonly stranger: MachineSlot | null;
  readonly choice: number;
  readonly read: boolean;
  readonly token: StepToken;
  readonly settle: boolean;
  readonly cluster: string;
  readonly metadata: readonly (readonly [string, string])[];
  readonly blobBytes: number;
  readonly grace: string;
}

const percent = (odds: number): fc.Arbitrary<boolean> =>
  fc.integer({ min: 0, max: 99 }).map((roll) => roll < odds);

function draw(options: WalkOptions): fc.Arbitrary<Draw> {
  const stranger = fc.oneof(
    { weight: 100 - options.strangers, arbitrary: fc.constant(null) },
    { weight: options.strangers, arbitrary: fc.constantFrom<MachineSlot>('unknown', 'unknown', 'empty') },
  );
  return fc.record({
    machine: fc.nat({ max: options.machines - 1 }),
    stranger,
    choice: fc.nat({ max: 10_000 }),
    read: percent(12),
    token: fc.record({ class: tokenClass(options.tokens), shard: fc.nat({ max: options.shards - 1 }) }),
    settle: percent(100 - options.hurried),
    cluster: fc.constantFrom('cluster-a', 'cluster-b', 'cluster-c'),
    metadata: options.metadata,
    blobBytes: fc.constantFrom(1, 16, 200),
    grace: fc.constantFrom('0', '0', '1', '30', '9223372036854775807'),
  });
}

/** A sequential program. */
export function walk(options: WalkOptions): fc.Arbitrary<Program> {
  return fc
    .array(draw(options), { minLength: options.minSteps, maxLength: options.maxSteps, size: 'max' })
    .map((draws) => ({
      machines: options.machines,
      steps: plan(draws, started(options.machines)),
      branches: [],
    }));
}

const STALE_CLASSES: ReadonlySet<string> = new Set(STALE.map(([, name]) => name));

function started(machines: number): LifecycleState[] {
  return Array<LifecycleState>(machines).fill('SPECULATIVE');
}

function plan(draws: readonly Draw[], from: readonly LifecycleState[]): Step[] {
  const guess = [...from];
  return draws.map((drawn) => {
    const machine = drawn.stranger ?? drawn.machine;
    if (drawn.read) return { call: 'Get', machine };
    const at = typeof machine === 'number' ? (guess[machine] ?? 'SPECULATIVE') : 'SPECULATIVE';
    const choices = CHOICES[at] ?? MUTATIONS;
    const call = choices[drawn.choice % choices.length] ?? 'Create';
    const stale = 'class' in drawn.token && STALE_CLASSES.has(drawn.token.class);
    if (typeof machine === 'number' && !stale && EDGES[call].from === at) guess[machine] = EDGES[call].to;
    return stepOf(call, machine, drawn);
  });
}

function stepOf(call: Mutation, machine: MachineSlot, drawn: Draw): Step {
  const { token, settle } = drawn;
  if (call === 'Configure') {
    const configure: ConfigureStep = {
      call,
      machine,
      token,
      settle,
      cluster: drawn.cluster,
      metadata: drawn.metadata,
      blobBytes: drawn.blobBytes,
    };
    return configure;
  }
  if (call === 'Drain') return { call, machine, token, settle, grace: drawn.grace };
  return { call, machine, token, settle };
}

/** Requests with a defect, or at the edge of one, around a lifecycle that goes on. */
export function withOddRequests(programs: fc.Arbitrary<Program>): fc.Arbitrary<Program> {
  const twist = fc.constantFrom<(step: Step) => Step>(
    (step) => step,
    (step) => (step.call === 'Drain' ? { ...step, grace: '-1' } : step),
    (step) => ('token' in step ? { ...step, token: { class: 'negative-epoch', shard: 0 } } : step),
    (step) => ('token' in step ? { ...step, token: { class: 'negative-sequence', shard: 1 } } : step),
    (step) => ('machine' in step ? { ...step, machine: 'empty' } : step),
    (step) => ('machine' in step ? { ...step, machine: 'unknown' } : step),
    (step) => (step.call === 'Configure' ? { ...step, blobBytes: 128 * 1024 } : step),
    (step) => (step.call === 'Configure' ? { ...step, metadata: LARGE_MAP } : step),
    (step) => (step.call === 'Configure' ? { ...step, cluster: '' } : step),
    (step) => (step.call === 'Configure' ? { ...step, blobBytes: 0 } : step),
  );
  return fc
    .tuple(programs, fc.array(fc.tuple(fc.nat({ max: 30 }), twist), { minLength: 1, maxLength: 4 }))
    .map(([program, twists]) => ({
      ...program,
      steps: twists.reduce<readonly Step[]>(
        (steps, [at, change]) => steps.map((step, i) => (i === at % steps.length ? change(step) : step)),
        program.steps,
      ),
    }));
}

const LARGE_MAP: readonly (readonly [string, string])[] = Array.from(
  { length: 300 },
  (_, i) => [`large-${i}`, 'y'.repeat(40)] as const,
);

/** A walk that ends in branches running at the same time. */
export function raceAfter(prefix: fc.Arbitrary<Program>, options: WalkOptions): fc.Arbitrary<Program> {
  const branch = fc.array(draw(options), { minLength: 1, maxLength: 4, size: 'max' });
  const branches = fc.array(branch, { minLength: 2, maxLength: 8, size: 'max' });
  return fc.tuple(prefix, branches).map(([program, draws]) => ({
    machines: options.machines,
    steps: program.steps,
    branches: draws.map((steps) => plan(steps, reached(program))),
  }));
}

/** Where the guess of a walk ends. */
function reached({ steps, machines }: Program): LifecycleState[] {
  const guess = started(machines);
  for (const step of steps) {
    const call = mutationOf(step);
    if (call === null || !('machine' in step) || typeof step.machine !== 'number' || isStale(step)) continue;
    if (EDGES[call].from === guess[step.machine]) guess[step.machine] = EDGES[call].to;
  }
  return guess;
}

function isStale(step: Step): boolean {
  return 'token' in step && 'class' in step.token && STALE_CLASSES.has(step.token.class);
}
