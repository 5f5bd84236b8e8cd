/**
 * A violation is blamed on what it needs. A stale token that is accepted on an unknown machine may be a matter of
 * unknown machines, or of stale tokens anywhere: the same experiment on a known machine tells. So every peculiarity
 * of a shrunk program is taken away once; where the contract is broken all the same, the plainer program is the
 * finding, and where it is kept then, the peculiarity names the behavior.
 */

import type { BehaviorId } from '../../model/registry.js';
import { isLargeBlob, isLargeMap } from '../../model/size.js';
import type { MutationStep, Program, Step, StepToken } from '../../properties/program.js';
import { configure, create, drain, watch } from '../../properties/steps.js';
import { RETRIES } from './race-blame.js';
import { isByItself } from './race-record.js';
import { isConcrete, NO_TOKEN, renumbered } from './renumber.js';
import type { Execution, Violation } from './trace.js';

/** A violation and the run that shows it. */
export interface Found {
  readonly execution: Execution;
  readonly violation: Violation;
}

/** A finding with the behaviors that it breaks, the most specific first. */
export interface Attributed extends Found {
  readonly program: Program;
  readonly behaviors: readonly BehaviorId[];
}

/** Runs a program and returns how it broke the contract, or null where it did not. */
export type Experiment = (
  program: Program,
  options?: { readonly oneConnection: boolean },
) => Promise<Found | null>;

type Question = (known: Attributed, run: Experiment) => Promise<Attributed>;

/** Answers every question about `found`, whose shrunk program is `program`. */
export async function attribute(found: Found, program: Program, run: Experiment): Promise<Attributed> {
  let known: Attributed = { ...found, program, behaviors: found.violation.breach.behaviors };
  for (const question of QUESTIONS) known = await question(known, run);
  return known;
}

const isSequential = ({ branches }: Program): boolean => branches.length === 0;
const firstly = (known: Attributed, ...behaviors: readonly BehaviorId[]): Attributed => ({
  ...known,
  behaviors: [...new Set([...behaviors, ...known.behaviors])],
});

/** Takes a plainer program over where it fails in a way that `isRelated`. */
async function plainer(
  known: Attributed,
  program: Program,
  run: Experiment,
  isRelated: (found: Found) => boolean = ({ violation }) => alike(violation, known.violation),
): Promise<Attributed | null> {
  const found = await run(program);
  if (found === null || !isRelated(found) || isAfterwards(found, program)) return null;
  return firstly({ ...found, program, behaviors: known.behaviors }, ...found.violation.breach.behaviors);
}

/** Whether it shows only in the calls that put the machines back: they are no part of the program. */
function isAfterwards({ execution, violation }: Found, { steps, branches }: Program): boolean {
  return branches.length === 0 && (execution.trace[violation.at]?.step ?? 0) >= steps.length;
}

function alike(a: Violation, b: Violation): boolean {
  return bare(a.breach.aspect) === bare(b.breach.aspect);
}

/** An ack's snapshot and a read show the same thing. */
function bare(aspect: string): string {
  return aspect.replace(/^snapshot /, '');
}

function isKilled({ steps }: Program): boolean {
  return steps.some(({ call }) => call === 'Crash');
}

function lastMutation({ steps }: Program): MutationStep | undefined {
  return steps.findLast((step): step is MutationStep => 'token' in step);
}

/** Does it take a kill? */
const withoutCrash: Question = async (known, run) => {
  const { program } = known;
  const { rule, ifFenced, aspect } = known.violation.breach;
  // Marks and operation_ids of earlier kills are still there: without a kill of its own the program proves nothing.
  const remembered =
    rule === 'fence' || rule === 'cursor' || ifFenced !== undefined || aspect.endsWith('operation_id');
  if (remembered || !isKilled(program)) return known;
  const steps = program.steps.flatMap((step) => (step.call !== 'Crash' ? [step] : (step.during ?? [])));
  return (await plainer(known, { ...program, steps }, run)) ?? known;
};

/** Does it take a call while a transition is under way? */
const settled: Question = async (known, run) => {
  const { program } = known;
  const inFlight = program.steps.filter((step): step is MutationStep => 'token' in step && !step.settle);
  if (!isSequential(program) || inFlight.length === 0) return known;
  const steps = program.steps.map((step) => ('token' in step ? { ...step, settle: true } : step));
  const found = await plainer(known, { ...program, steps }, run);
  if (found) return found;
  const [first, second] = overlapping(program.steps) ?? [];
  if (first === undefined || second === undefined || known.violation.breach.rule === 'fence') return known;
  const torn = known.behaviors[0] === 'B408';
  return torn ? known : firstly(known, sameCall(first, second) ? RETRIES[first.call] : 'B404');
};

/** The first two mutations of one machine of which the second does not wait for the first to end. */
function overlapping(steps: readonly Step[]): readonly [MutationStep, MutationStep] | null {
  for (const [at, first] of steps.entries()) {
    if (!('token' in first) || first.settle) continue;
    const next = steps.slice(at + 1).find((step) => 'token' in step && step.machine === first.machine);
    if (next && 'token' in next) return [first, next];
  }
  return null;
}

function sameCall(a: MutationStep, b: MutationStep): boolean {
  const plain = (step: MutationStep) => JSON.stringify({ ...step, token: null, settle: null, grace: null });
  return plain(a) === plain(b);
}

/** Does a machine that moves need the call that should have had no effect? */
const unprovoked: Question = async (known, run) => {
  const { program, violation } = known;
  const last = lastMutation(program);
  if (!isSequential(program) || last === undefined || violation.breach.rule !== 'lifecycle') return known;
  const at = program.steps.lastIndexOf(last);
  const steps = [...program.steps.slice(0, at), watch(last.machine), watch(last.machine)];
  return at === 0 ? known : ((await plainer(known, { ...program, steps }, run)) ?? known);
};

/** Does a new operation_id need another connection? */
const otherConnection: Question = async (known, run) => {
  const { rule, aspect } = known.violation.breach;
  if (!isSequential(known.program) || rule !== 'idempotency' || aspect !== 'operation_id') return known;
  const found = await run(known.program, { oneConnection: true });
  return found === null ? firstly(known, 'B406') : known;
};

/** Does it take a large map, or is something in it enough? */
const smallerMap: Question = async (known, run) => {
  if (known.behaviors[0] !== 'B503') return known;
  let smallest = known;
  for (;;) {
    const { program } = smallest;
    const at = program.steps.findLastIndex((step) => step.call === 'Configure' && step.metadata.length > 1);
    const large = program.steps[at];
    if (large?.call !== 'Configure') return smallest;
    const middle = Math.ceil(large.metadata.length / 2);
    let smaller: Attributed | null = null;
    for (const metadata of [large.metadata.slice(0, middle), large.metadata.slice(middle)]) {
      const steps = program.steps.with(at, { ...large, metadata });
      smaller ??= await plainer(smallest, { ...program, steps }, run);
    }
    if (smaller === null) return smallest;
    smallest = smaller;
  }
};

/** What shows only after a race is the race's all the same. */
const raced: Question = async (known) => {
  const { program, behaviors } = known;
  const calls = program.branches.flat().filter((step): step is MutationStep => 'token' in step);
  const [first] = calls;
  if (first === undefined || behaviors.some((id) => id.startsWith('B4'))) return known;
  if (isByItself(known.violation.breach.aspect)) return known;
  if (new Set(calls.map(({ machine }) => machine)).size > 1) return firstly(known, 'B407');
  return firstly(known, calls.every((call) => sameCall(call, first)) ? RETRIES[first.call] : 'B404');
};

/** Does a machine that never comes to rest need other machines on their way? */
const alone: Question = async (known, run) => {
  const { program, violation } = known;
  const calls = program.steps.filter((step): step is MutationStep => 'token' in step);
  const machines = [...new Set(calls.map(({ machine }) => machine))];
  if (!isSequential(program) || machines.length < 2 || !violation.breach.aspect.startsWith('stuck'))
    return known;
  for (const machine of machines) {
    const steps = calls.filter((step) => step.machine === machine);
    const found = await plainer(known, { ...program, steps }, run);
    if (found) return found;
  }
  return firstly(known, 'B407');
};

/** Does a defect of shape need an unknown machine? */
const knownMachine: Question = async (known, run) => {
  const { program, violation } = known;
  if (violation.breach.rule !== 'shape' || known.behaviors[0] !== 'B1205') return known;
  const steps = program.steps.map((step) =>
    'machine' in step && step.machine === 'unknown' ? { ...step, machine: 0 } : step,
  );
  const found = await plainer(known, { ...program, steps }, run);
  if (found) return found;
  const idle = [create({ token: NO_TOKEN }), configure({ token: NO_TOKEN }), ...steps];
  return (await plainer(known, { ...program, steps: idle }, run)) ?? known;
};

/** Was it the map or the blob that was too large? */
const oversized: Question = async (known) => {
  if (known.behaviors[0] !== 'B209') return known;
  const last = known.program.steps.findLast((step) => step.call === 'Configure');
  if (last === undefined) return known;
  return isLargeBlob(new Uint8Array(last.blobBytes)) && !isLargeMap(new Map(last.metadata))
    ? firstly(known, 'B213')
    : known;
};

const FENCED_OUT = 'code FAILED_PRECONDITION';

function concernsFence({ violation, program }: Attributed): boolean {
  const { rule, aspect, ifFenced } = violation.breach;
  const fenced = rule === 'fence' || (aspect === FENCED_OUT && ifFenced !== undefined);
  return fenced && isSequential(program) && !isKilled(program);
}

/** Does it take a token, and this token, to be fenced out? */
const token: Question = async (known, run) => {
  const { violation, program } = known;
  const { ifFenced } = violation.breach;
  const last = lastMutation(program);
  if (ifFenced === undefined || !isSequential(program) || last === undefined || !isConcrete(last))
    return known;
  if (last.token.shard === null) return known;
  const bareCall = await plainer(known, withLastToken(program, NO_TOKEN), run);
  if (bareCall) return bareCall;
  const newest = withLastToken(program, newestToken(program, last.token.shard));
  const whatever = violation.breach.rule === 'accept' ? null : await plainer(known, newest, run);
  if (whatever) return firstly(whatever, 'B1204');
  return firstly(known, ...ifFenced);
};

function withLastToken(program: Program, sent: StepToken): Program {
  const last = lastMutation(program);
  return {
    ...program,
    steps: program.steps.map((step) => (step === last ? { ...last, token: sent } : step)),
  };
}

function newestToken({ steps }: Program, shard: number): StepToken {
  const tokens = steps.filter(isConcrete).map((step) => step.token);
  const above = (values: readonly string[]): string =>
    String(values.reduce((most, value) => (BigInt(value) > most ? BigInt(value) : most), 0n) + 2n);
  return {
    shard,
    epoch: above(tokens.map(({ epoch }) => epoch)),
    sequence: above(tokens.map(({ sequence }) => sequence)),
  };
}

/** Does it take these numbers, or would any in the same order do? */
const numbers: Question = async (known, run) => {
  // B1204 was found to take any token, whatever its numbers.
  if (!concernsFence(known) || known.behaviors[0] === 'B1204') return known;
  const { program } = known;
  const steps = renumbered(program.steps);
  if (JSON.stringify(steps) === JSON.stringify(program.steps)) return known;
  const found = await plainer(known, { ...program, steps }, run);
  if (found) return found;
  return known.behaviors[0] === 'B212' ? known : firstly(known, 'B312', 'B303');
};

/** Would a wider gap between the epochs be taken? */
const gap: Question = async (known, run) => {
  const last = lastMutation(known.program);
  if (!concernsFence(known) || known.behaviors[0] !== 'B303' || !known.behaviors.includes('B310'))
    return known;
  if (known.violation.breach.aspect !== FENCED_OUT || last === undefined || !isConcrete(last)) return known;
  const epoch = String(BigInt(last.token.epoch) + 10n);
  const found = await plainer(known, withLastToken(known.program, { ...last.token, epoch }), run);
  return found ? known : firstly(known, 'B310');
};

/** A stale token that passes: here only, or everywhere? */
const anywhere: Question = async (known, run) => {
  const { program, violation } = known;
  if (violation.breach.rule !== 'fence' || !concernsFence(known)) return known;
  const pair = markAndToken(program);
  if (pair === null) return known;
  const isFence = (found: Found): boolean => found.violation.breach.rule === 'fence';
  const [mark, stale] = pair;
  const plain = { machines: 1, branches: [] };
  const applied = [create({ token: mark }), configure({ token: stale })];
  const general = await plainer(known, { ...plain, steps: applied }, run, isFence);
  if (general) return firstly(general, ...(isAboutNumbers(known) ? known.behaviors : (['B303'] as const)));
  if (known.behaviors[0] !== 'B301') return withStream(known);
  const refused = [drain({ token: mark }), drain({ token: stale })];
  return (await plainer(known, { ...plain, steps: refused }, run, isFence)) ?? known;
};

function isAboutNumbers({ behaviors }: Attributed): boolean {
  return behaviors[0] === 'B212' || behaviors[0] === 'B312';
}

/** The token that set the mark of the last call's shard on its machine, and the token of that call. */
function markAndToken({ steps }: Program): readonly [StepToken, StepToken] | null {
  const sent = steps.filter(isConcrete);
  const last = sent.at(-1);
  if (last === undefined || last.token.shard === null) return null;
  const before = sent
    .slice(0, -1)
    .filter((step) => step.machine === last.machine && step.token.shard === last.token.shard)
    .map((step) => step.token);
  const [first, ...more] = before;
  if (first === undefined) return null;
  const rank = ({ epoch, sequence }: typeof first) => [BigInt(epoch), BigInt(sequence)] as const;
  const highest = more.reduce((most, next) => {
    const [a, b] = [rank(most), rank(next)];
    return b[0] > a[0] || (b[0] === a[0] && b[1] > a[1]) ? next : most;
  }, first);
  return [highest, last.token];
}

/** Tokens in a row from which on a mistake is one of the stream, not of one comparison. */
const STREAM = 6;

/** What is left of a shrunk program is needed: other shards or machines, or a long stream. */
function withStream(known: Attributed): Attributed {
  const sent = known.program.steps.filter(isConcrete).filter((step) => step.token.shard !== null);
  const places = new Set(sent.map((step) => `${step.token.shard} on ${step.machine}`));
  if (places.size > 1) return firstly(known, 'B302');
  return sent.length >= STREAM ? firstly(known, 'B1201', 'B312') : known;
}

const QUESTIONS: readonly Question[] = [
  withoutCrash,
  settled,
  unprovoked,
  otherConnection,
  oversized,
  smallerMap,
  raced,
  alone,
  knownMachine,
  token,
  gap,
  numbers,
  anywhere,
];
