/**
 * One program for every square of the model: a machine in each phase, called in each way, with a token in each relation
 * to its mark. What the provider answers is judged like anything else; a square that is never met proves nothing.
 */
import { MUTATIONS, type Mutation } from '../model/call.js';
import type { LifecycleState } from '../model/machine.js';
import type { ConcreteToken, DirectedProperty, MachineSlot, MutationStep, Scenario } from './program.js';
import { configure, create, drain, get, remove, scenario } from './steps.js';

/** Phases that a provider without faults can be brought into; FAILED takes one with faults. */
export type CoveredPhase = LifecycleState | 'ABSENT';

const MARK: ConcreteToken = { shard: 0, epoch: '2', sequence: '5' };
const NONE: ConcreteToken = { shard: null, epoch: '0', sequence: '0' };

/** A token for every column of the grid, where {@link MARK} is the mark. */
export const COLUMNS = {
  absent: NONE,
  first: { shard: 1, epoch: '1', sequence: '1' },
  'newer-sequence': { shard: 0, epoch: '2', sequence: '6' },
  'newer-epoch': { shard: 0, epoch: '3', sequence: '0' },
  same: MARK,
  'older-sequence': { shard: 0, epoch: '2', sequence: '4' },
  'older-epoch': { shard: 0, epoch: '1', sequence: '9' },
  negative: { shard: 0, epoch: '-1', sequence: '7' },
  shardless: { shard: null, epoch: '1', sequence: '1' },
} as const satisfies Readonly<Record<string, ConcreteToken>>;

type Make = (options: { machine?: MachineSlot; token?: ConcreteToken; settle?: boolean }) => MutationStep;
const MAKE: Readonly<Record<Mutation, Make>> = {
  Create: create,
  Configure: configure,
  Drain: drain,
  Delete: remove,
};

/** The calls that lead to a phase; the last one is on its way where the phase is one of moving. */
const PATHS: Readonly<Record<Exclude<CoveredPhase, 'FAILED'>, readonly Mutation[]>> = {
  ABSENT: [],
  SPECULATIVE: [],
  CREATING: ['Create'],
  IDLE: ['Create'],
  CONFIGURING: ['Create', 'Configure'],
  CONFIGURED: ['Create', 'Configure'],
  DRAINING: ['Create', 'Configure', 'Drain'],
  DELETING: ['Create', 'Delete'],
};
const MOVING: ReadonlySet<string> = new Set(['CREATING', 'CONFIGURING', 'DRAINING', 'DELETING']);

function visit(phase: CoveredPhase, call: Mutation, column: keyof typeof COLUMNS): Scenario {
  const machine: MachineSlot = phase === 'ABSENT' ? 'unknown' : 0;
  const last = MAKE[call]({ machine, token: COLUMNS[column], settle: false });
  const steps = [...wayTo(phase), last, ...(phase === 'ABSENT' ? [] : [get()])];
  return scenario(`${call} on ${phase}, token ${column}`, steps, { speculative: true });
}

/** Brings the machine there; the last call sets the mark. */
function wayTo(phase: CoveredPhase): MutationStep[] {
  if (phase === 'ABSENT') return [drain({ machine: 'unknown', token: MARK, settle: false })];
  if (phase === 'SPECULATIVE') return [drain({ token: MARK })];
  if (phase === 'FAILED')
    return [create({ token: NONE }), configure({ token: MARK, cluster: 'fault-error' })];
  const path = PATHS[phase];
  return path.map((call, i) => {
    const isLast = i === path.length - 1;
    return MAKE[call]({ token: isLast ? MARK : NONE, settle: !(isLast && MOVING.has(phase)) });
  });
}

/** The programs of these phases, as a property that decides nothing by itself. */
export function visitsOf(phases: readonly CoveredPhase[]): DirectedProperty {
  const columns = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
  return {
    kind: 'directed',
    area: 'property',
    name: 'every-square-of-the-model',
    decides: [],
    umbrella: [],
    completionIsEvidence: false,
    scenarios: phases.flatMap((phase) =>
      MUTATIONS.flatMap((call) => columns.map((column) => visit(phase, call, column))),
    ),
  };
}
