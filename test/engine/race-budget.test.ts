/** A race whose orders were not all found says nothing of where its machine is. */
import { expect, it } from 'vitest';
import { firstMet, stateKey } from '../../model/state.js';
import { judgeRace, type RacedCall } from '../../src/engine/race.js';
import { acked, create, drain, LOST } from '../model/build.js';
import { CALM, overlapping } from './racing.js';

const RACED: readonly RacedCall[] = [
  { call: create(), outcome: acked('op-1', 'CREATING') },
  { call: create(), outcome: acked('op-1', 'CREATING') },
  { call: drain(), outcome: LOST },
];

async function after(positions?: number) {
  const { tenant, entries } = overlapping(RACED);
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
