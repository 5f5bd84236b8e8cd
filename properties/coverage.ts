/**
 * One program for every square of the model: a machine in each phase, called in each way, with a token in each relation
 * to its mark. What the provider answers is judged like anything else; a square that is never met proves nothing.
 */
import { MUTATIONS, type Mutation } from '../model/call.js';
import { isTransitional, type LifecycleState } from '../model/machine.js';
import type { ConcreteToken, DirectedProperty, MachineSlot, MutationStep, Scenario } from './program.js';
import { configure, create, drain, get, remove, scenario } from './steps.js';

/** Phases that a provider without faults can be brought into; FAILED takes one with faults. */
export type CoveredPhase = LifecycleState | 'ABSENT';

/** The mark that a visited machine has. */
export const MARK: ConcreteToken = { shard: 0, epoch: '2', sequence: '5' };
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

/** Higher than what generated programs use. */
const FIRST_EPOCH = 1_000_000;

type Make = (options: { machine?: MachineSlot; token?: ConcreteToken; settle?: boolean }) => MutationStep;
const MAKE: Readonly<Record<Mutation, Make>> = {
  Create: create,
  Configure: configure,
  Drain: drain,
  Delete: remove,
};

/** The ways that lead to a phase from SPECULATIVE; the last call is still running where the phase is one of moving. */
export const WAYS: Readonly<Record<CoveredPhase, readonly (readonly Mutation[])[]>> = {
  ABSENT: [[]],
  SPECULATIVE: [[], ['Create', 'Delete']],
  CREATING: [['Create']],
  IDLE: [['Create'], ['Create', 'Configure', 'Drain']],
  CONFIGURING: [['Create', 'Configure']],
  CONFIGURED: [['Create', 'Configure']],
  DRAINING: [['Create', 'Configure', 'Drain']],
  DELETING: [['Create', 'Delete']],
  FAILED: [['Create', 'Configure']],
};

interface Square {
  readonly phase: CoveredPhase;
  readonly way: readonly Mutation[];
  readonly call: Mutation;
  readonly column: keyof typeof COLUMNS;
}

/** @param turn how many squares were visited before */
function visit({ phase, way, call, column }: Square, turn: number): Scenario {
  const machine: MachineSlot = phase === 'ABSENT' ? 'unknown' : 0;
  // The empty shard is the same in every program, so that its mark may be left from an earlier one.
  const token =
    column === 'shardless' ? { ...COLUMNS.shardless, epoch: `${FIRST_EPOCH + turn}` } : COLUMNS[column];
  const last = MAKE[call]({ machine, token, settle: false });
  const steps = [...along(way, phase), last, ...(phase === 'ABSENT' ? [] : [get()])];
  const led = way.length === 0 ? '' : ` by ${way.at(-1)}`;
  return scenario(`${call} on ${phase}${led}, token ${column}`, steps, { speculative: true });
}

/** Brings the machine there; the last call sets the mark. */
function along(way: readonly Mutation[], phase: CoveredPhase): MutationStep[] {
  if (phase === 'ABSENT') return [drain({ machine: 'unknown', token: MARK, settle: false })];
  if (way.length === 0) return [drain({ token: MARK })];
  return way.map((call, i) => {
    const isLast = i === way.length - 1;
    const token = isLast ? MARK : NONE;
    if (isLast && phase === 'FAILED') return configure({ token, cluster: 'fault-error' });
    return MAKE[call]({ token, settle: !(isLast && isTransitional(phase)) });
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
    scenarios: phases
      .flatMap((phase) =>
        WAYS[phase].flatMap((way) =>
          MUTATIONS.flatMap((call) => columns.map((column): Square => ({ phase, way, call, column }))),
        ),
      )
      .map(visit),
  };
}
