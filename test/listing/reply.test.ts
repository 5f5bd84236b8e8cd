import { describe, expect, it } from 'vitest';
import { missingBreach, partialDeparture, refusedBreach, replyBreach } from '../../model/listing.js';
import { call, machine, reply } from './support.js';

describe('a reply to List, in itself', () => {
  it('may hold any set of machines where no filter and no cap is given', () => {
    expect(replyBreach(call(), reply([machine('a'), machine('b', 'SPECULATIVE')]))).toBeNull();
    expect(replyBreach(call(), reply([]))).toBeNull();
  });

  it('holds no machine twice', () => {
    const breach = replyBreach(call(), reply([machine('a'), machine('b'), machine('a')]));
    expect(breach).toMatchObject({ behaviors: ['B901', 'B907'], aspect: 'duplicate' });
    expect(breach?.observed).toContain('"a"');
  });

  it('holds only machines in the states asked for, transitional ones included', () => {
    const states = ['IDLE', 'CREATING'] as const;
    expect(replyBreach(call({ states }), reply([machine('a'), machine('b', 'CREATING')]))).toBeNull();
    for (const state of ['CONFIGURED', 'CONFIGURING', 'UNSPECIFIED', 'UNKNOWN(9)'] as const) {
      const breach = replyBreach(call({ states }), reply([machine('a'), machine('b', state)]));
      expect(breach).toMatchObject({ behaviors: ['B901'], aspect: 'filter' });
    }
  });

  it('holds no more machines than its cap, and as many as it likes under a cap of 0', () => {
    const three = reply([machine('a'), machine('b'), machine('c')]);
    expect(replyBreach(call({ maxResults: 3 }), three)).toBeNull();
    expect(replyBreach(call({ maxResults: 0 }), three)).toBeNull();
    expect(replyBreach(call({ maxResults: 2 }), three)).toMatchObject({ behaviors: ['B902'], aspect: 'cap' });
  });
});

describe('a machine that is missing', () => {
  it('is blamed on the filter where there is one, else on a cap that was not asked for', () => {
    expect(missingBreach(call({ states: ['IDLE'] }), 'm').behaviors).toEqual(['B901']);
    expect(missingBreach(call(), 'm').behaviors[0]).toBe('B902');
  });
});

describe('a refused List', () => {
  it('is blamed on the cursor it was asked with', () => {
    expect(refusedBreach(call(), 'issued', 'OUT_OF_RANGE').behaviors).toEqual(['B909']);
    expect(refusedBreach(call(), 'B906', 'INVALID_ARGUMENT').behaviors).toEqual(['B906']);
    expect(refusedBreach(call(), 'B909', 'INTERNAL').behaviors).toEqual(['B909']);
  });

  it('is blamed on the filter or the cap where it had no cursor', () => {
    expect(refusedBreach(call({ states: ['IDLE'] }), 'none', 'INTERNAL').behaviors).toEqual(['B901']);
    expect(refusedBreach(call({ maxResults: 1 }), 'none', 'INTERNAL').behaviors).toEqual(['B902']);
  });

  it('is blamed on fencing where the code is FAILED_PRECONDITION, whatever it was asked with', () => {
    for (const kind of ['none', 'issued', 'B906', 'B909'] as const) {
      expect(refusedBreach(call(), kind, 'FAILED_PRECONDITION').behaviors).toEqual(['B305']);
    }
  });
});

describe('a List with bytes that are no cursor', () => {
  it('departs from the literal reading where machines are left out, and says how many', () => {
    expect(partialDeparture('B906', 3, [])).toBeNull();
    const departure = partialDeparture('B909', 1, ['x', 'y']);
    expect(departure).toMatchObject({ behaviors: ['B909'], aspect: 'partial list' });
    expect(departure?.observed).toMatch(/1 machine; 2 more .* "x"/);
  });
});
