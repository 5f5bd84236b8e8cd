import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../model/call.js';
import { Silence } from '../../src/wire/silence.js';

const LOST: Outcome<unknown> = { kind: 'indeterminate', cause: 'UNAVAILABLE', message: '' };
const GARBAGE: Outcome<unknown> = { kind: 'indeterminate', cause: 'MALFORMED', message: '' };
const REFUSED: Outcome<unknown> = { kind: 'rejected', code: 'INTERNAL', message: '' };
const OK: Outcome<unknown> = { kind: 'ok', reply: {} };

function silence() {
  const told: number[] = [];
  let now = 0;
  const watch = new Silence({ limitMs: 100, tell: () => told.push(now) });
  const note = (outcome: Outcome<unknown>, invokedAt: number, returnedAt: number) => {
    now = returnedAt;
    watch.note(outcome, invokedAt, returnedAt);
  };
  return { watch, told, note };
}

describe('the silence of a provider', () => {
  it('is told of once, counted from the first lost call', () => {
    const { watch, told, note } = silence();
    note(LOST, 1_000, 1_050);
    note(LOST, 1_050, 1_099);
    expect(watch.over).toBe(false);
    note(LOST, 1_099, 1_100);
    note(LOST, 1_100, 1_300);
    expect(told).toEqual([1_100]);
    expect(watch.over).toBe(true);
  });

  it.each([
    ['a message', OK],
    ['a refusal', REFUSED],
    ['garbage', GARBAGE],
  ])('ends with %s, which says that somebody is there', (_what, answer) => {
    const { told, note } = silence();
    note(LOST, 0, 90);
    note(answer, 90, 95);
    note(LOST, 95, 190);
    expect(told).toEqual([]);
  });

  it('does not count the time in which nobody called', () => {
    const { told, note } = silence();
    note(OK, 0, 10);
    note(LOST, 10_000, 10_050);
    expect(told).toEqual([]);
  });
});
