/** A kill is no call, yet the story of a counterexample must say where it was. */
import { expect, it } from 'vitest';
import { counterexampleOf } from '../../src/report/tell-violation.js';
import { staleCreate, traceOf } from './runs.js';

it('the first List after a kill says that the provider was killed before it', () => {
  const { program } = staleCreate();
  const [create] = program.steps;
  if (create === undefined) throw new Error('the example has a step');
  const list = { kind: 'List', states: [], maxResults: 0, sinceRevision: new Uint8Array(0) } as const;
  const machines = { kind: 'ok', reply: { listed: 1 } } as const;
  const violation = staleCreate({
    program: { ...program, steps: [{ call: 'Crash', during: null, afterMs: 0 }, create] },
    trace: traceOf([
      { step: 0, call: list, outcome: machines },
      { step: 1, call: list, outcome: machines },
    ]),
    at: 1,
  });
  const { steps, calls } = counterexampleOf(violation, 1, '');
  expect(steps[0]).toContain('kill, boot again, List');
  expect(steps[1]).not.toContain('kill');
  expect(calls.map(({ after_kill }) => after_kill)).toEqual([true, undefined]);
});
