/** Which squares of the model a run meets, and which it should have met. */
import { MUTATIONS, type Mutation } from '../../../model/call.js';
import { LIFECYCLE_STATES } from '../../../model/machine.js';
import { possibilities } from '../../../model/possibilities.js';
import { changed, firstMet, type MachineState, type Phase } from '../../../model/state.js';
import { COLUMNS, type CoveredPhase } from '../../../properties/coverage.js';
import type { ConcreteToken } from '../../../properties/program.js';
import type { Cell, CellToken } from '../../engine/recorder.js';
import { inWorkers } from './jobs.js';
import type { Trial } from './trial.js';

/** One square: a phase, a call, a relation of its token to the mark, and what the contract allows as an answer. */
export interface Square {
  readonly phase: Phase;
  readonly call: Mutation;
  readonly token: CellToken;
  readonly allowed: readonly string[];
  /** Answers met, in all circumstances together. */
  readonly met: readonly string[];
}

/** What a coverage run found. */
export interface CoverageTable {
  readonly squares: number;
  readonly visited: number;
  /** Cells: squares times answers that the contract allows there. */
  readonly cells: number;
  readonly exercised: number;
  /** Reachable and never visited: each fails the self-test. */
  readonly missed: readonly string[];
  /** Cells that the reference provider and its variants never show, with the reason. */
  readonly unmet: readonly { readonly cell: string; readonly reason: string }[];
}

const PHASES: readonly Phase[] = ['ABSENT', ...LIFECYCLE_STATES];
const SLOW = { minMs: 20, maxMs: 60 };
/** Variants that answer where the contract leaves a choice. */
const CHOOSERS = [
  'no-delete',
  'create-on-idle-answers-drain-id',
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
    ...CHOOSERS.map((variant): Trial => {
      return { ...base, lane: 'black-box', runs: 50, variant, latency: SLOW, visits: healthy };
    }),
  ];
  const results = await inWorkers('trial', trials, jobs);
  return tableOf(results.flatMap((result) => result.coverage));
}

/** Holds the cells that were visited against those that the contract knows. */
export function tableOf(cells: readonly Cell[]): CoverageTable {
  const met = new Map<string, Set<string>>();
  for (const { phase, call, token, outcome } of cells) {
    const key = `${phase} ${call} ${token}`;
    met.set(key, (met.get(key) ?? new Set()).add(outcomeClass(outcome)));
  }
  const squares = PHASES.flatMap((phase) =>
    MUTATIONS.flatMap((call) =>
      (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((token): Square => {
        const shown = met.get(`${phase} ${call} ${token}`) ?? new Set();
        return { phase, call, token, allowed: allowedIn(phase, call, token), met: [...shown] };
      }),
    ),
  );
  const visited = squares.filter((square) => square.met.length > 0);
  return {
    squares: squares.length,
    visited: visited.length,
    cells: squares.reduce((sum, { allowed }) => sum + allowed.length, 0),
    exercised: squares.reduce((sum, square) => sum + exercisedOf(square).length, 0),
    missed: squares.filter((square) => square.met.length === 0).map(nameOf),
    unmet: unmetOf(visited),
  };
}

/** Cells that no provider at hand shows, those alike but for the token together. */
function unmetOf(visited: readonly Square[]): CoverageTable['unmet'] {
  const groups = new Map<string, { tokens: CellToken[]; met: Set<string> }>();
  for (const { phase, call, token, allowed, met } of visited) {
    for (const outcome of allowed.filter((one) => !met.includes(one))) {
      const key = `${call} on ${phase}: ${outcome}`;
      const group = groups.get(key) ?? { tokens: [], met: new Set() };
      group.tokens.push(token);
      for (const answer of met) group.met.add(answer);
      groups.set(key, group);
    }
  }
  return [...groups].map(([cell, { tokens, met }]) => ({
    cell: `${cell} (${tokens.join(', ')})`,
    reason: `a choice of the provider; the ones at hand answer ${[...met].join(' or ')}`,
  }));
}

function exercisedOf({ allowed, met }: Square): readonly string[] {
  return allowed.filter((outcome) => met.includes(outcome));
}

function nameOf({ phase, call, token }: Square): string {
  return `${call} on ${phase} with a token that is ${token}`;
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

function outcomeClass(outcome: string): string {
  return CODES.has(outcome) && outcome !== 'INVALID_ARGUMENT' && outcome !== 'NOT_FOUND'
    ? outcome
    : classOfCode(outcome);
}

function classOfCode(outcome: string): string {
  return outcome === 'NOT_FOUND' || outcome === 'INVALID_ARGUMENT' ? outcome : REFUSED;
}

function allowedIn(phase: Phase, call: Mutation, token: keyof typeof COLUMNS): readonly string[] {
  const state = stateIn(phase);
  const configs = [true, false].map((canDelete) => ({
    capabilities: { delete: canDelete, sinceRevision: true },
    faults: true,
  }));
  const outcomes = configs.flatMap((config) =>
    possibilities(state, callOf(call, COLUMNS[token]), config)
      .filter(({ departs }) => departs === undefined)
      .flatMap(({ expect }) =>
        expect.kind === 'ack' ? ['ok'] : expect.kind === 'codes' ? expect.codes.map(outcomeClass) : [REFUSED],
      ),
  );
  return [...new Set(outcomes)];
}

/** A machine in `phase` whose past is not known, with the mark of the visits. */
function stateIn(phase: Phase): MachineState {
  const marks = new Map([['0', { epoch: 2n, sequence: 5n, applied: true }]]);
  return changed(firstMet(phase), { marks });
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
