/** How a cursor is shown on a step's line. */
import { expect, it } from 'vitest';
import { counterexampleOf } from '../../src/report/tell-violation.js';
import { staleCreate, traceOf } from './runs.js';

function stepSince(cursor: string): string {
  const sinceRevision = new Uint8Array(Buffer.from(cursor, 'latin1'));
  const call = { kind: 'List', states: [], maxResults: 0, sinceRevision } as const;
  const outcome = { kind: 'ok', reply: { listed: 1 } } as const;
  const trace = traceOf([{ step: 0, call, outcome }]);
  return counterexampleOf(staleCreate({ trace, at: 0 }), 1, '').steps[0] ?? '';
}

it('printable ones as text, so that a number can be read as one', () => {
  expect(stepSince('15010')).toContain('since "15010"');
});

it('any other in hex', () => {
  expect(stepSince('\u001b[2J')).toContain('since 1b5b324a');
  expect(stepSince('\u0000\u0001')).toContain('since 0001');
});
