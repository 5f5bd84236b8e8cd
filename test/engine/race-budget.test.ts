/** A race whose orders were not all found says nothing of where its machine is. */
import { expect, it } from 'vitest';
import { firstMet, stateKey } from '../../model/state.js';
import { judgeRace, type RacedCall, type RaceEntry } from '../../src/engine/race.js';
import type { Tenant } from '../../src/engine/tenant.js';
import { acked, create, drain, LOST, MACHINE, PLAIN } from '../model/build.js';

const CALM = { model: PLAIN, sleep: async () => {} };
const RACED: readonly RacedCall[] = [
  { call: create(), outcome: acked('op-1', 'CREATING') },
  { call: create(), outcome: acked('op-1', 'CREATING') },
  { call: drain(), outcome: LOST },
];

async function after(positions?: number) {
  const tenant = { id: MACHINE, belief: [firstMet('SPECULATIVE')] } as unknown as Tenant;
  const entries = RACED.map(
    (raced, index): RaceEntry => ({
      raced,
      tenant,
      branch: index,
      connection: index,
      invokedAt: index,
      returnedAt: 100 + index,
      entry: index,
    }),
  );
  const { kind } = await judgeRace(entries, [tenant], CALM, positions);
  return { kind, belief: tenant.belief.map(stateKey).sort() };
}

it('is explained with everything that it may have led to, or undecided, whatever the budget', async () => {
  const whole = await after();
  expect(whole.kind).toBe('explained');
  const kinds = new Set<string>();
  for (let positions = 1; positions <= 100; positions++) {
    const found = await after(positions);
    kinds.add(found.kind);
    if (found.kind === 'explained') expect(found).toEqual(whole);
    else expect(found.belief).toEqual([stateKey(firstMet('SPECULATIVE'))]);
  }
  expect([...kinds].sort()).toEqual(['explained', 'undecided']);
});
