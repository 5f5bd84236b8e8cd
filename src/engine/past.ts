/** What a machine went through in earlier programs: some bugs show only in its third life. */
import type { Program, Step } from '../../properties/program.js';

/** The steps on one machine, life by life, the oldest first; whichever slot they name, they are its own. */
export type Past = readonly (readonly Step[])[];

/** Older steps than these are forgotten. */
const MOST_STEPS = 120;
/** Keeps the shards of different programs and machines apart; programs have fewer. */
const SHARDS = 1_000;

/** The past of the machine in `slot` once `program`, whose tokens are in numbers, was run on it. */
export function lengthened(past: Past, program: Program, slot: number): Past {
  const lived: Step[] = [];
  for (const steps of [program.steps, ...program.branches]) {
    for (const step of steps) if ('token' in step && step.machine === slot) lived.push(step);
  }
  if (lived.length === 0) return past;
  const lives = past.slice(firstKept(past, lived.length));
  lives.push(lived);
  return lives;
}

/** Where the newest lives begin that fill {@link MOST_STEPS} together with `steps` more. */
function firstKept(past: Past, steps: number): number {
  let [first, sum] = [past.length, steps];
  while (first > 0 && sum < MOST_STEPS) sum += past[--first]?.length ?? 0;
  return first;
}

/** `program` after everything that its machines went through, or null where they went through nothing. */
export function withPast(program: Program, pasts: readonly Past[]): Program | null {
  const before = pasts.flatMap((past, slot) =>
    stepsOf(past).map(
      (step) => ({ ...shifted(step, SHARDS * MOST_STEPS * (slot + 1)), machine: slot }) as Step,
    ),
  );
  return before.length === 0 ? null : { ...program, steps: [...before, ...program.steps] };
}

/** All lives as one, each with shards of its own. Done only for a violation, not after every program. */
function stepsOf(past: Past): readonly Step[] {
  return past
    .flatMap((life, index) => life.map((step) => shifted(step, SHARDS * (past.length - 1 - index))))
    .slice(-MOST_STEPS);
}

function shifted(step: Step, by: number): Step {
  if (!('token' in step) || step.token.shard === null) return step;
  return { ...step, token: { ...step.token, shard: step.token.shard + by } };
}
