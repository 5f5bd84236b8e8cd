/** Which calls of a race belong to the story of one reply. */
import { expect, it } from 'vitest';
import { type TraceEntry, traceUpTo } from '../../src/engine/trace.js';
import { record } from '../report/runs.js';

function call(machineId: string, branch: number, invokedAt: number, returnedAt: number): TraceEntry {
  return {
    step: 0,
    branch,
    call: { kind: 'Get', machineId },
    outcome: { kind: 'ok', reply: record() },
    invokedAt,
    returnedAt,
    rule: null,
  };
}

function ids(trace: readonly TraceEntry[]): string[] {
  return trace.map(({ call: made }) => ('machineId' in made ? made.machineId : ''));
}

it('keeps what was under way when the reply came, and leaves out what was sent later', () => {
  const race = [
    call('before', 0, 0, 4),
    call('wrong', 1, 5, 9),
    call('overlaps', 0, 6, 30),
    call('later', 1, 10, 12),
  ];
  expect(ids(traceUpTo(race, 1))).toEqual(['before', 'wrong', 'overlaps']);
});

it('ends with the reply where calls follow each other', () => {
  const calls = [call('one', -1, 0, 4), call('two', -1, 4, 8), call('three', -1, 8, 9)];
  expect(ids(traceUpTo(calls, 1))).toEqual(['one', 'two']);
});
