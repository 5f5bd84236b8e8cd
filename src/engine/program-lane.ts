/** Which lane a program belongs to: only there can it be run again. */
import type { Program, Step } from '../../properties/program.js';

/** The lanes that run programs. */
export type ProgramLane = 'black-box' | 'fault' | 'durable';

/** What the selectors of contract section 7 begin with; no other program binds a machine to such a cluster. */
const SELECTOR = /^fault-/;

/** The lane of `program`: a kill needs a process of our own, a selector a provider that heeds it. */
export function programLane({ steps, branches, doomed }: Program): ProgramLane {
  const all: readonly Step[] = [...steps, ...branches.flat()];
  if (all.some(({ call }) => call === 'Crash')) return 'durable';
  const selects = all.some((step) => step.call === 'Configure' && SELECTOR.test(step.cluster));
  return doomed === true || selects ? 'fault' : 'black-box';
}
