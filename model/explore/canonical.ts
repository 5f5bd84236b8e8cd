/**
 * One name for all states that no later answer can tell apart, so that the space is finite.
 *
 * The list of operations grows for ever, yet little of it can matter. The model reads it in two ways only: the newest
 * operation and the phase say what led to where the machine is, and the ids of the operations of one kind, in any
 * number, are passed on into what a no-op may name. So the newest operation and the kinds that ever ran decide every
 * branch; how often they ran, in which order before the newest, and under which ids changes no phase, no binding and
 * no mark. Replacing the list by the newest operation followed by one of every other kind is therefore a bisimulation.
 * Lost calls are left out as well: one that takes effect late is the same step of a later state. What a mark's call
 * came to, and the trail, place blame and decide nothing.
 */
import { MUTATIONS } from '../call.js';
import type { MachineState, Operation } from '../state.js';

const canon = new Map<string, Operation | null>();

/** The shortest list that stands for `operations`, the same object for the same kinds; every id is its kind's name. */
function canonicalOperations(operations: Operation | null): Operation | null {
  if (operations === null) return null;
  const newest = operations.kind;
  const others = new Set<string>();
  for (let op = operations.earlier; op !== null; op = op.earlier) if (op.kind !== newest) others.add(op.kind);
  const key = `${newest} ${[...others].sort().join()}`;
  const known = canon.get(key);
  if (known !== undefined) return known;
  let list: Operation | null = null;
  for (const kind of MUTATIONS) if (others.has(kind)) list = { kind, id: kind, earlier: list };
  list = { kind: newest, id: newest, earlier: list };
  canon.set(key, list);
  return list;
}

/** `state` with its operations reduced to those that can matter. */
export function canonicalState(state: MachineState): MachineState {
  const operations = canonicalOperations(state.operations);
  return operations === state.operations ? state : { ...state, operations };
}

/** Equal for two canonical states exactly where they are the same state of the explored space. */
export function keyOf(state: MachineState): string {
  let key = `${state.phase}|${state.historyKnown}|${state.fate}|${state.drainFate}|${state.createFate}`;
  for (let op = state.operations; op !== null; op = op.earlier) key += `|${op.kind}`;
  key += `|${state.binding === null ? '' : JSON.stringify([state.binding.cluster, ...state.binding.metadata])}`;
  const shards = [...state.marks.keys()].sort();
  for (const shard of shards) {
    const mark = state.marks.get(shard);
    key += `|${shard}:${mark?.epoch}.${mark?.sequence}`;
  }
  return key;
}
