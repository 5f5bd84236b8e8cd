/** What a crash leaves behind (contract section 7, Durable). */
import { type Belief, close } from './contract.js';
import { EDGES, isTransitional } from './machine.js';
import type { ModelConfig } from './possibilities.js';
import { changed, failed, type MachineState, settled } from './state.js';

/**
 * `belief` after the process was killed and booted again on the same state: everything acknowledged is there, a call
 * in flight took effect before the kill or never, and a transition that was cut came back FAILED, in a clean stable
 * state, which may be the one it came from, or goes on and must still come to rest.
 */
export function crash(belief: Belief, config: ModelConfig): Belief {
  return close(belief, config).flatMap(recovered);
}

function recovered(before: MachineState): MachineState[] {
  const state: MachineState = before.pending.length === 0 ? before : changed(before, { pending: [] });
  if (state.phase === 'ABSENT' || !isTransitional(state.phase)) return [state];
  const ends = [state, failed(state), rolledBack(state)];
  return state.fate === 'fail' ? ends : [settled(state), ...ends];
}

/** As if the cut transition had never been accepted; its operation and its mark stay known. */
function rolledBack(state: MachineState): MachineState {
  const kind = state.operations?.kind;
  if (kind === undefined) return state;
  return changed(state, {
    phase: EDGES[kind].from,
    binding: kind === 'Drain' ? state.binding : null,
    fate: 'settle',
  });
}
