/** A record that is wrong by itself is what a race is told for, and not the calls around it. */
import { expect, it } from 'vitest';
import { judgeRace, type RacedCall } from '../../src/engine/race.js';
import { acked, create, rejected, token } from '../model/build.js';
import { CALM, overlapping } from './racing.js';

function race(...raced: readonly RacedCall[]) {
  const { tenant, entries } = overlapping(raced);
  return judgeRace(entries, [tenant], CALM);
}

/** The zombie is refused for the mark that the live call has moved. */
const zombie: RacedCall = {
  call: create({ token: token(1n, 9n) }),
  outcome: rejected('FAILED_PRECONDITION'),
};
const live = (pricePerHour: number): RacedCall => ({
  call: create({ token: token(2n, 1n) }),
  outcome: acked('op-1', 'CREATING', { pricePerHour }),
});

it('is explained where the records are as they should be', async () => {
  expect(await race(zombie, live(0.1))).toMatchObject({ kind: 'explained' });
});

it('blames the price, and not the fence whose mark came with it', async () => {
  expect(await race(zombie, live(Number.NaN))).toMatchObject({
    kind: 'breach',
    entry: 1,
    breach: { behaviors: ['B802', 'B408'], rule: 'record', aspect: 'snapshot price' },
  });
});
