/** Some bugs show only while other machines are at work: a program that never fails alone may fail on several at once. */
import type { MutationStep, Program } from '../../properties/program.js';

/** Enough to be on their way together, and few enough to be taken away again one by one. */
const MACHINES = 4;

/** The calls on the machine that was called last, made on several machines at the same time; null where there are none. */
export function inCompany({ steps, branches, doomed }: Program): Program | null {
  const last = steps.findLast((step): step is MutationStep => 'token' in step);
  if (last === undefined || typeof last.machine !== 'number' || branches.length > 0 || doomed) return null;
  const own = steps.filter((step): step is MutationStep => 'token' in step && step.machine === last.machine);
  const branchOf = (machine: number): readonly MutationStep[] =>
    own.map((step) => ({ ...step, machine, settle: false }));
  return { machines: MACHINES, steps: [], branches: Array.from({ length: MACHINES }, (_, i) => branchOf(i)) };
}
