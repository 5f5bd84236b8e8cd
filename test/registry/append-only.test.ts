import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BEHAVIORS } from '../../model/registry.js';
import { brokenPromises, type FrozenEntry, frozenPart } from './append-only.js';

// A new behavior is added to the snapshot in the commit that registers it. Existing lines are never edited.
const committed: readonly FrozenEntry[] = JSON.parse(
  readFileSync(new URL('./registry.snapshot.json', import.meta.url), 'utf8'),
);
const registered = BEHAVIORS.map(frozenPart);

function edited(id: string, change: Partial<FrozenEntry>): FrozenEntry[] {
  return registered.map((entry) => (entry.id === id ? { ...entry, ...change } : entry));
}

describe('the registry against its committed snapshot', () => {
  it('keeps every promise made so far', () => {
    expect(brokenPromises(committed, registered)).toEqual([]);
  });

  it('has every registered behavior in the snapshot', () => {
    expect(committed.map((entry) => entry.id)).toEqual(registered.map((entry) => entry.id));
  });
});

describe('the append-only rule', () => {
  const newcomer: FrozenEntry = {
    id: 'B313',
    area: 'fencing',
    title: 'New',
    profiles: ['core'],
    capability: null,
    phase: 2,
    twoReadings: false,
  };
  const afterFencing = registered.findIndex((entry) => entry.id === 'B401');

  it.each([
    ['a removed entry', registered.filter((entry) => entry.id !== 'B303'), 'B303 was removed'],
    ['a dropped profile', edited('B802', { profiles: ['spot'] }), 'B802 was weakened: profile core dropped'],
    [
      'an added profile',
      edited('B303', { profiles: ['core', 'cloud'] }),
      'B303 was changed: profile cloud added',
    ],
    [
      'an added gate',
      edited('B204', { capability: 'Delete' }),
      'B204 was weakened: capability Delete now gates it',
    ],
    ['another gate', edited('B109', { capability: 'Scale' }), 'B109 was changed: another capability'],
    ['a lifted gate', edited('B109', { capability: null }), 'B109 was changed: another capability'],
    [
      'a wider reading',
      edited('B303', { twoReadings: true }),
      'B303 was weakened: a wider reading was added',
    ],
    ['a lost reading', edited('B210', { twoReadings: false }), 'B210 was changed: its wider reading is gone'],
    ['another area', edited('B303', { area: 'list' }), 'B303 was reused: it moved to list'],
    ['another phase', edited('B303', { phase: 5 }), 'B303 was reused: phase 5'],
    ['another assertion', edited('B303', { title: 'Other' }), 'B303 was reused: it says something else'],
    [
      'a new entry in the middle of its area',
      registered.toSpliced(afterFencing - 1, 0, newcomer),
      'B313 is new but not at the end of fencing',
    ],
    [
      'a new entry with a number of the past',
      registered.toSpliced(afterFencing, 0, { ...newcomer, id: 'B304' }),
      'B304 is new but not at the end of fencing',
    ],
  ])('rejects %s', (_, changed, sentence) => {
    expect(brokenPromises(registered, changed)).toEqual([sentence]);
  });

  it('allows a new entry at the end of its area', () => {
    expect(brokenPromises(registered, registered.toSpliced(afterFencing, 0, newcomer))).toEqual([]);
  });
});
