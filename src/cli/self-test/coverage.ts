/** Which squares of the model a run meets, and which it should have met. */
import { MUTATIONS, type Mutation } from '../../../model/call.js';
import { LIFECYCLE_STATES } from '../../../model/machine.js';
import { possibilities } from '../../../model/possibilities.js';
import { changed, failed, firstMet, type MachineState, type Phase, settled } from '../../../model/state.js';
import { COLUMNS, type CoveredPhase, MARK, WAYS } from '../../../properties/coverage.js';
import type { ConcreteToken } from '../../../properties/program.js';
import type { Cell, CellToken } from '../../engine/cells.js';
import { inWorkers } from './jobs.js';
import type { Trial } from './trial.js';

/** What a coverage run found. A cell is a square, that is a phase, a call and a kind of token, with one answer. */
export interface CoverageTable {
  readonly squares: number;
  readonly visited: number;
  /** Cells that a provider which keeps the contract can show on a machine whose past is known. */
  readonly reachable: number;
  readonly exercised: number;
  /** Reachable and never exercised: each fails the self-test. */
  readonly missed: readonly string[];
  /** Cells that the model allows and no run can reach, those alike but for the token together, with the reason. */
  readonly unreachable: readonly { readonly cell: string; readonly reason: string }[];
}

interface Square {
  readonly phase: Phase;
  readonly call: Mutation;
  readonly token: CellToken;
  /** Answers that were met, in all runs together. */
  readonly met: ReadonlySet<string>;
  /** Answers that the contract allows where the machine's past is known. */
  readonly reachable: readonly string[];
  /** Answers that it allows beside them, and why no run shows them. */
  readonly unreachable: readonly string[];
}

const PHASES: readonly Phase[] = ['ABSENT', ...LIFECYCLE_STATES];
const SLOW = { minMs: 20, maxMs: 60 };
/** Variants that answer where the contract leaves a choice. */
const CHOOSERS = [
  'no-delete',
  'create-on-idle-answers-drain-id',
  'idle-is-idle',
  'stale-before-shape',
  'second-delete-refused',
  'shardless-invalid',
  'shardless-unfenced',
  'marks-moved-by-shape-rejection',
  'invalid-argument-for-wrong-position',
] as const;

/** Runs healthy providers and variants, quick and slow ones, with `runs` generated sequences, and adds up what they met. */
export async function coverage(runs: number, jobs: number): Promise<CoverageTable> {
  const base = { seed: 1, concurrency: 16, transport: 'virtual', firstOnly: false, examine: true } as const;
  const healthy: readonly CoveredPhase[] = PHASES.filter((phase) => phase !== 'FAILED');
  const trials: Trial[] = [
    { ...base, lane: 'black-box', runs: Math.ceil(runs / 2) },
    { ...base, lane: 'black-box', runs: Math.floor(runs / 2), latency: SLOW, visits: healthy },
    { ...base, lane: 'fault', runs: 100, visits: ['FAILED'] },
    ...CHOOSERS.flatMap((variant): Trial[] => [
      { ...base, lane: 'black-box', runs: 50, variant, latency: SLOW, visits: healthy },
      { ...base, lane: 'fault', runs: 10, variant, visits: ['FAILED'] },
    ]),
  ];
  const results = await inWorkers('trial', trials, jobs);
  return tableOf(results.flatMap((result) => result.coverage));
}

/** Holds the cells that were exercised against those that the model knows. */
export function tableOf(cells: readonly Cell[]): CoverageTable {
  const met = new Map<string, Set<string>>();
  for (const { phase, call, token, outcome } of cells) {
    const key = `${phase} ${call} ${token}`;
    met.set(key, (met.get(key) ?? new Set()).add(classOf(outcome)));
  }
  const squares = PHASES.flatMap((phase) =>
    MUTATIONS.flatMap((call) =>
      COLUMN_NAMES.map((token): Square => {
        const reachable = reachableIn(phase, call, token);
        const unreachable = allowedIn([unknownPast(phase)], call, token, BOTH).filter(
          (outcome) => !reachable.includes(outcome),
        );
        return {
          phase,
          call,
          token,
          met: met.get(`${phase} ${call} ${token}`) ?? new Set(),
          reachable,
          unreachable,
        };
      }),
    ),
  );
  return {
    squares: squares.length,
    visited: squares.filter((square) => square.met.size > 0).length,
    reachable: squares.reduce((sum, { reachable }) => sum + reachable.length, 0),
    exercised: squares.reduce(
      (sum, { reachable, met: shown }) => sum + reachable.filter((outcome) => shown.has(outcome)).length,
      0,
    ),
    missed: together(squares, ({ reachable, met: shown }) =>
      reachable.filter((outcome) => !shown.has(outcome)),
    ),
    unreachable: together(squares, ({ unreachable, met: shown }) =>
      unreachable.filter((outcome) => !shown.has(outcome)),
    ).map((cell) => ({ cell, reason: reasonOf(cell) })),
  };
}

/** The chosen cells of all squares as text, those alike but for the token in one line. */
function together(
  squares: readonly Square[],
  choose: (square: Square) => readonly string[],
): readonly string[] {
  const tokens = new Map<string, CellToken[]>();
  for (const square of squares) {
    for (const outcome of choose(square)) {
      const key = `${square.call} on ${square.phase}: ${outcome}`;
      tokens.set(key, [...(tokens.get(key) ?? []), square.token]);
    }
  }
  return [...tokens].map(([cell, kinds]) => `${cell} (${kinds.join(', ')})`);
}

function reasonOf(cell: string): string {
  return cell.includes('on DELETING: UNIMPLEMENTED')
    ? 'a provider without Delete has no machine DELETING'
    : 'only where others used the machine, or the empty shard, before (A1, A4)';
}

/** Codes that mean something of their own; every other refusal is the same to the contract (A7). */
const CODES: ReadonlySet<string> = new Set([
  'ok',
  'FAILED_PRECONDITION',
  'NOT_FOUND',
  'INVALID_ARGUMENT',
  'UNIMPLEMENTED',
]);
const REFUSED = 'refused';

function classOf(outcome: string): string {
  return CODES.has(outcome) ? outcome : REFUSED;
}

type Column = keyof typeof COLUMNS;
const COLUMN_NAMES = Object.keys(COLUMNS) as Column[];
const BOTH = [true, false] as const;

/** What the contract allows in the situations of {@link WAYS}; a way that ends in a Delete takes a provider that deletes. */
function reachableIn(phase: Phase, call: Mutation, token: Column): readonly string[] {
  const outcomes = WAYS[phase].flatMap((way) =>
    allowedIn([reached(phase, way)], call, token, way.includes('Delete') ? [true] : BOTH),
  );
  return [...new Set(outcomes)];
}

function allowedIn(
  states: readonly MachineState[],
  call: Mutation,
  token: Column,
  deletes: readonly boolean[],
): readonly string[] {
  const outcomes = deletes.flatMap((canDelete) =>
    states.flatMap((state) =>
      possibilities(state, callOf(call, COLUMNS[token]), configOf(canDelete))
        .filter(({ departs }) => departs === undefined)
        .flatMap(({ expect }) =>
          expect.kind === 'ack' ? ['ok'] : expect.kind === 'codes' ? expect.codes.map(classOf) : [REFUSED],
        ),
    ),
  );
  return [...new Set(outcomes)];
}

function configOf(canDelete: boolean) {
  return { capabilities: { delete: canDelete, sinceRevision: true }, faults: true };
}

/** A machine that was brought to `phase` along `way` and has the mark of the visits. */
function reached(phase: Phase, way: readonly Mutation[]): MachineState {
  let state = firstMet(phase === 'ABSENT' ? 'ABSENT' : 'SPECULATIVE', true);
  for (const [i, kind] of way.entries()) {
    const started = possibilities(state, callOf(kind, COLUMNS.absent), configOf(true)).find(
      ({ rule }) => rule === 'accept',
    );
    if (started === undefined) throw new RangeError(`${kind} does not start on ${state.phase}`);
    const isLast = i === way.length - 1;
    if (!isLast) state = settled(started.next);
    else if (phase === 'FAILED') state = failed(started.next);
    else state = started.next.phase === phase ? started.next : settled(started.next);
  }
  return marked(state);
}

/** A machine in `phase` that others used before. */
function unknownPast(phase: Phase): MachineState {
  return marked(firstMet(phase));
}

function marked(state: MachineState): MachineState {
  const { shard, epoch, sequence } = MARK;
  return changed(state, {
    marks: new Map([[String(shard), { epoch: BigInt(epoch), sequence: BigInt(sequence), applied: true }]]),
  });
}

function callOf(kind: Mutation, { shard, epoch, sequence }: ConcreteToken) {
  const base = {
    machineId: 'm',
    token: { shard: shard === null ? '' : String(shard), epoch: BigInt(epoch), sequence: BigInt(sequence) },
  };
  if (kind === 'Configure')
    return { ...base, kind, cluster: 'c', metadata: new Map<string, string>(), blob: new Uint8Array(1) };
  return kind === 'Drain' ? { ...base, kind, grace: 0n } : { ...base, kind };
}
