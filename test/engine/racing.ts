/** Calls of a race on one machine that all overlap, as the judge of races takes them. */
import { firstMet } from '../../model/state.js';
import type { RacedCall, RaceEntry } from '../../src/engine/race.js';
import type { Tenant } from '../../src/engine/tenant.js';
import { MACHINE, PLAIN } from '../model/build.js';

/** A world in which waiting takes no time. */
export const CALM = { model: PLAIN, sleep: async () => {} };

/** A machine that was SPECULATIVE, and `raced`, each in a branch of its own. */
export function overlapping(raced: readonly RacedCall[]) {
  const tenant = { id: MACHINE, belief: [firstMet('SPECULATIVE')] } as unknown as Tenant;
  const entries = raced.map(
    (one, index): RaceEntry => ({
      raced: one,
      tenant,
      branch: index,
      connection: index,
      invokedAt: index,
      returnedAt: 100 + index,
      entry: index,
    }),
  );
  return { tenant, entries };
}
