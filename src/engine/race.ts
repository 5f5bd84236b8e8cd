/** Judges what happened when branches ran at the same time: is there an order that explains every reply? */
import type { Ack, GetCall, MutationCall, Outcome } from '../../model/call.js';
import { effects, stepGet, stepMutation } from '../../model/contract.js';
import { type Breach, diagnoseGet, diagnoseMutation } from '../../model/diagnosis.js';
import type { ModelConfig } from '../../model/possibilities.js';
import type { MachineRecord } from '../../model/record.js';
import { changed, type MachineState, mapKey, stateKey } from '../../model/state.js';
import { checkInTurns, type Final, type HistoryCall, type Specification, type Verdict } from './linearize.js';
import { raceBehaviors } from './race-blame.js';
import { brokenRecord } from './race-record.js';
import { outranks, type Tenant } from './tenant.js';
import type { World } from './world.js';

/** A call of a race with what came of it. */
export type RacedCall =
  | { readonly call: MutationCall; readonly outcome: Outcome<Ack> }
  | { readonly call: GetCall; readonly outcome: Outcome<MachineRecord> };

/** A raced call in time; `entry` is its index in the trace. */
export interface RaceEntry {
  readonly raced: RacedCall;
  readonly tenant: Tenant;
  readonly branch: number;
  readonly connection: number;
  readonly invokedAt: number;
  readonly returnedAt: number;
  readonly entry: number;
}

/** What the search concludes. */
export type RaceVerdict =
  | { readonly kind: 'explained' }
  | { readonly kind: 'breach'; readonly breach: Breach; readonly entry: number }
  | { readonly kind: 'undecided' };

/** Positions that the search may look at before it gives up and says so. */
const SEARCH_BUDGET = 2_000_000;

/** Turns of a search after which whatever else is to be done has its chance: the end of the run's time, for one. */
const TURNS_AT_ONCE = 50;

/**
 * Searches for an order; where there is one, every tenant's belief becomes all states that any order leads to.
 * @param positions how many the search may look at before it gives up
 */
export async function judgeRace(
  entries: readonly RaceEntry[],
  tenants: readonly Tenant[],
  { model, sleep }: Pick<World, 'model' | 'sleep'>,
  positions = SEARCH_BUDGET,
): Promise<RaceVerdict> {
  const history = entries.map(historyCall);
  let steps = 0;
  const budget = (): boolean => ++steps < positions;
  const byId = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  const spec: Specification<MachineState, RacedCall> = {
    initial: (partition) => byId.get(partition)?.belief ?? [],
    step: (state, raced) => stepOf(state, raced, model),
    key: stateKey,
    callKey,
  };
  const verdict = await pausing(checkInTurns(spec, history, { budget, allFinals: true }), sleep);
  if (verdict.kind === 'undecided') return { kind: 'undecided' };
  if (verdict.kind === 'violation') {
    const broken = brokenRecord(entries);
    if (broken !== null) return { kind: 'breach', ...broken };
    const stuck = entries[verdict.stuck];
    if (stuck === undefined) throw new RangeError('the stuck call is one of the history');
    const others = tenants.filter((tenant) => tenant !== stuck.tenant);
    const breach = diagnose(verdict.belief, stuck.raced, model, others);
    return {
      kind: 'breach',
      breach: { ...breach, behaviors: raceBehaviors(breach, stuck, entries) },
      entry: stuck.entry,
    };
  }
  const raced = new Set(entries.map(({ tenant }) => tenant));
  // An order was found, but not all of them: where a machine ended up is then anybody's guess.
  if ([...raced].some(({ id }) => !verdict.finals.has(id))) return { kind: 'undecided' };
  for (const tenant of raced) {
    const finals = verdict.finals.get(tenant.id) ?? [];
    tenant.belief = finals.map((final) => stateOf(final, entries));
  }
  return { kind: 'explained' };
}

/** The result of a search that lets others work in between. */
async function pausing<S>(
  turns: Generator<undefined, Verdict<S>>,
  sleep: World['sleep'],
): Promise<Verdict<S>> {
  for (let count = 1; ; count++) {
    const turn = turns.next();
    if (turn.done) return turn.value;
    if (count % TURNS_AT_ONCE === 0) await sleep(0);
  }
}

/** A lost call that is not in effect yet stays open for whatever is judged next. */
function stateOf({ state, open }: Final<MachineState>, entries: readonly RaceEntry[]): MachineState {
  const calls = open.flatMap((index) => {
    const raced = entries[index]?.raced;
    return raced && raced.call.kind !== 'Get' ? [raced.call] : [];
  });
  return calls.length === 0 ? state : changed(state, { pending: [...state.pending, ...calls] });
}

function historyCall({ raced, tenant, branch, invokedAt, returnedAt }: RaceEntry): HistoryCall<RacedCall> {
  const lost = raced.outcome.kind === 'indeterminate';
  return { partition: tenant.id, call: raced, invokedAt, returnedAt: lost ? null : returnedAt, lane: branch };
}

function stepOf(
  state: MachineState,
  { call, outcome }: RacedCall,
  model: ModelConfig,
): readonly MachineState[] {
  if (call.kind === 'Get') return stepGet([state], call, outcome as Outcome<MachineRecord>, model).belief;
  if (outcome.kind === 'indeterminate') return effects(state, call, model);
  return stepMutation([state], call, outcome as Outcome<Ack>, model).belief;
}

function diagnose(
  belief: readonly MachineState[],
  { call, outcome }: RacedCall,
  model: ModelConfig,
  others: readonly Tenant[],
): Breach {
  if (call.kind === 'Get') return diagnoseGet(belief, call, outcome as Outcome<MachineRecord>, model);
  const surroundings = { outranks: (token: MutationCall['token']) => outranks(others, token) };
  return diagnoseMutation(belief, call, outcome as Outcome<Ack>, model, surroundings);
}

/** Equal keys for calls that are alike in arguments and reply; it only saves the search work. */
function callKey({ call, outcome }: RacedCall): string {
  const reply =
    outcome.kind === 'ok'
      ? JSON.stringify(outcome.reply, plain)
      : outcome.kind === 'rejected'
        ? outcome.code
        : '?';
  return `${JSON.stringify(call, plain)} ${reply}`;
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Map) return mapKey(value);
  return value instanceof Uint8Array ? value.length : value;
}

/**
 * How many calls were in flight at the same time on the same machine, at most; on any machine where every branch has
 * machines of its own, so that what may overlap are the machines.
 */
export function deepestOverlap(entries: readonly RaceEntry[]): number {
  const contended = entries.some((one) =>
    entries.some((other) => other.branch !== one.branch && other.tenant === one.tenant),
  );
  let deepest = 0;
  for (const one of entries) {
    const at = entries.filter(
      (other) =>
        (!contended || other.tenant === one.tenant) &&
        other.invokedAt <= one.invokedAt &&
        other.returnedAt > one.invokedAt,
    );
    deepest = Math.max(deepest, at.length);
  }
  return deepest;
}
