/** A disputed reply that only the reference reading explains counts as that reading's case, and not as the literal one's. */
import { describe, expect, it } from 'vitest';
import type { Ack, MutationCall, Outcome } from '../../model/call.js';
import { Findings } from '../../src/engine/findings.js';
import { Judge } from '../../src/engine/judge.js';
import { OperationLedger } from '../../src/engine/ledger.js';
import { resultsOf } from '../../src/engine/status.js';
import { acked, configured, drain, MACHINE, PLAIN, rejected, shown } from '../model/build.js';

function readingsAfter(call: MutationCall, outcome: Outcome<Ack>) {
  const findings = new Findings();
  const judge = new Judge(
    { model: PLAIN, ledger: new OperationLedger(), touched: new Set([MACHINE]) },
    findings.recorder,
  );
  const tenant = { id: MACHINE, belief: configured().belief };
  expect(judge.mutation(tenant, call, outcome, []).breach).toBeNull();
  if (outcome.kind === 'ok') expect(judge.read(tenant, shown('IDLE')).breach).toBeNull();
  findings.completed({ name: 'negative-grace', decides: ['B210'], completionIsEvidence: false });
  const result = resultsOf(findings, {
    profiles: ['core'],
    reading: 'literal',
    selected: new Set(['B210'] as const),
    deciders: new Map([['B210', ['negative-grace']]] as const),
    knownFailing: new Set(),
    knownFlaky: new Set(),
  }).find(({ behavior }) => behavior.id === 'B210');
  return result?.readings;
}

describe('a Drain with a negative grace', () => {
  it('that is carried out is a case for the reference reading of B210 alone', () => {
    const readings = readingsAfter(drain({ grace: -1n }), acked('d', 'DRAINING'));
    expect(readings).toEqual({ literal: 'inconclusive', reference: 'passed' });
  });

  it('that is INVALID_ARGUMENT is a case for both readings', () => {
    const readings = readingsAfter(drain({ grace: -1n }), rejected('INVALID_ARGUMENT'));
    expect(readings).toEqual({ literal: 'passed', reference: 'passed' });
  });

  it('that is not sent leaves both undecided', () => {
    const readings = readingsAfter(drain(), acked('d', 'DRAINING'));
    expect(readings).toEqual({ literal: 'inconclusive', reference: 'inconclusive' });
  });
});
