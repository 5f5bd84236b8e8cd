import { describe, expect, it } from 'vitest';
import { deltaBreach, revisionBreach } from '../../model/listing.js';
import { sameRecord } from '../../model/standing.js';
import { atRest, bytes, call, cursor, machine, own, question, reply } from './support.js';

const IDLE = machine('m');
const CONFIGURED = machine('m', 'CONFIGURED');
/** One call has changed the machine since the cursor. */
const changed = own({ m: atRest(CONFIGURED, { effects: 1, touches: 1 }) });

describe('a delta', () => {
  it('is right where nothing changed, nothing is in it, and the revision is the same', () => {
    expect(deltaBreach(question())).toBeNull();
  });

  it('is right where it holds the machine that changed and the revision is new', () => {
    expect(deltaBreach(question({ now: changed, reply: reply([CONFIGURED]) }))).toBeNull();
  });

  it('must hold a machine that an accepted call changed; the last one is the business of B903', () => {
    const missing = question({ now: changed, latest: 'm' });
    expect(deltaBreach(missing)).toMatchObject({ behaviors: ['B903', 'B905'], aspect: 'missing change' });
    expect(deltaBreach({ ...missing, latest: 'another' })?.behaviors).toEqual(['B905', 'B903']);
  });

  it('must hold a machine that was moving when the cursor was issued and has settled since', () => {
    const since = cursor({ own: own({ m: atRest(machine('m', 'CREATING'), { resting: false }) }) });
    expect(deltaBreach(question({ since }))?.behaviors).toEqual(['B905', 'B903']);
    expect(deltaBreach(question({ since, reply: reply([IDLE]) }))).toBeNull();
  });

  it('need not hold a machine of which it is not certain that it changed', () => {
    const unknown = own({ m: atRest(null, { touches: 1, resting: false }) });
    expect(deltaBreach(question({ now: unknown }))).toBeNull();
  });

  it('with a cap may leave a change out', () => {
    const capped = call({ sinceRevision: bytes(1), maxResults: 1 });
    expect(deltaBreach(question({ now: changed, call: capped }))).toBeNull();
  });

  it('with a filter must hold a changed machine that passes it, and no other', () => {
    const filtered = (state: 'CONFIGURED' | 'IDLE') => call({ sinceRevision: bytes(1), states: [state] });
    expect(deltaBreach(question({ now: changed, call: filtered('IDLE') }))).toBeNull();
    expect(deltaBreach(question({ now: changed, call: filtered('CONFIGURED') }))?.aspect).toBe(
      'missing change',
    );
  });

  it('holds no machine that looks as it did and that nobody called', () => {
    const wide = question({ reply: reply([IDLE]) });
    expect(deltaBreach(wide)).toMatchObject({ behaviors: ['B904', 'B908'], aspect: 'no change' });
    expect(deltaBreach({ ...wide, quiet: true })?.behaviors).toEqual(['B908', 'B904']);
  });

  it('may hold a machine whose price or labels the provider has refreshed (A11)', () => {
    expect(
      deltaBreach(question({ reply: reply([machine('m', 'IDLE', { pricePerHour: 0.26 })]) })),
    ).toBeNull();
    const labelled = machine('m', 'IDLE', { labels: new Map([['spot', 'cheap']]) });
    expect(deltaBreach(question({ reply: reply([labelled]) }))).toBeNull();
  });

  it('may hold an unchanged machine that might have changed: it was moving, called, or never seen', () => {
    const shown = reply([IDLE]);
    const moving = cursor({ own: own({ m: atRest(IDLE, { resting: false }) }) });
    const unseen = cursor({ own: own({ m: atRest(null) }) });
    const called = own({ m: atRest(IDLE, { touches: 1 }) });
    expect(deltaBreach(question({ since: moving, reply: shown }))).toBeNull();
    expect(deltaBreach(question({ since: unseen, reply: shown }))).toBeNull();
    expect(deltaBreach(question({ now: called, reply: shown }))).toBeNull();
  });

  it('may hold the machines behind a page: the cursor of a capped List names its place', () => {
    const since = cursor({ names: 'page' });
    expect(deltaBreach(question({ since, reply: reply([IDLE]) }))).toBeNull();
    expect(deltaBreach(question({ since, now: changed }))?.aspect).toBe('missing change');
  });

  it('proves nothing about machines of other clients (A12)', () => {
    expect(deltaBreach(question({ reply: reply([machine('stranger')]) }))).toBeNull();
  });

  it('is empty or has a new revision, whoever else is there', () => {
    const overfull = question({ reply: reply([machine('stranger')], 1) });
    expect(deltaBreach(overfull)).toMatchObject({
      behaviors: ['B904', 'B908'],
      aspect: 'delta at the current revision',
    });
    const bumped = question({ reply: reply([], 2) });
    expect(deltaBreach(bumped)).toMatchObject({ behaviors: ['B904', 'B908'], aspect: 'revision of nothing' });
    expect(deltaBreach({ ...bumped, quiet: true })?.behaviors).toEqual(['B908', 'B904']);
  });

  it('that is empty because of its filter may have a new revision', () => {
    const filtered = call({ sinceRevision: bytes(1), states: ['FAILED'] });
    expect(deltaBreach(question({ call: filtered, reply: reply([], 2) }))).toBeNull();
  });
});

describe('a revision', () => {
  it('does not come again once a machine has changed', () => {
    expect(revisionBreach([cursor()], changed, bytes(1))).toMatchObject({
      behaviors: ['B903', 'B905'],
      aspect: 'same revision',
    });
    expect(revisionBreach([cursor()], changed, bytes(2))).toBeNull();
  });

  it('may come again where nothing is known to have changed', () => {
    expect(revisionBreach([cursor()], own({ m: atRest(IDLE) }), bytes(1))).toBeNull();
    expect(revisionBreach([cursor()], own({ m: atRest(null, { touches: 1 }) }), bytes(1))).toBeNull();
  });

  it('is compared with every earlier one, and not with those of pages', () => {
    const latest = cursor({ bytes: bytes(9), own: changed });
    expect(revisionBreach([cursor(), latest], changed, bytes(1))).not.toBeNull();
    expect(revisionBreach([cursor({ names: 'page' })], changed, bytes(1))).toBeNull();
  });
});

describe('two records', () => {
  it('are the same where no field differs that a client can see', () => {
    expect(sameRecord(IDLE, machine('m'))).toBe(true);
    const absent = machine('m', 'SPECULATIVE', { host: null });
    expect(sameRecord(absent, { ...absent, host: { provider: '', ref: '' } })).toBe(true);
  });

  it.each([
    { state: 'CONFIGURED' },
    { host: { provider: 'metal', ref: 'rack-2' } },
    { host: null },
    { cluster: 'c' },
    { lastError: 'e' },
    { shardMetadata: new Map([['k', 'v']]) },
    { instanceType: 't' },
    { zone: 'z' },
    { capacityType: 'SPOT' },
    { pricePerHour: 9 },
    { interruptionProbability: 0.5 },
    { resources: new Map([['cpu', '1']]) },
    { allocatable: new Map([['cpu', '1']]) },
    { labels: new Map([['k', 'v']]) },
    { id: 'other' },
  ] as const)('differ by %o', (change) => {
    expect(sameRecord(IDLE, { ...IDLE, ...change })).toBe(false);
  });
});
