import { describe, expect, it } from 'vitest';
import { explanationOf } from '../../model/explanations.js';
import { AREAS, BEHAVIORS, behavior, behaviorsOf, isBehaviorId, type Profile } from '../../model/registry.js';
import { numberOf } from './append-only.js';

const ids = BEHAVIORS.map((entry) => entry.id);

describe('the registry', () => {
  it('holds 93 behaviors with ids of their own', () => {
    expect(ids).toHaveLength(93);
    expect(new Set(ids).size).toBe(93);
  });

  it('is in the order of areas, and of numbers within each', () => {
    const inOrder = AREAS.flatMap((area) =>
      BEHAVIORS.filter((entry) => entry.area === area.id)
        .map((entry) => entry.id)
        .sort((a, b) => numberOf(a) - numberOf(b)),
    );
    expect(ids).toEqual(inOrder);
  });

  it('leaves exactly the holes of the conformance program', () => {
    const ranges: [number, number][] = [
      [101, 109],
      [201, 215],
      [301, 312],
      [401, 409],
      [501, 505],
      [701, 708],
      [801, 807],
      [901, 909],
      [1001, 1007],
      [1101, 1109],
      [1201, 1205],
    ];
    const all = ranges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => `B${first + index}`),
    );
    expect(all.filter((id) => !isBehaviorId(id))).toEqual(['B102', 'B304']);
  });

  it.each([
    ['lifecycle', 8],
    ['transition-matrix', 15],
    ['fencing', 11],
    ['concurrency', 9],
    ['metadata', 5],
    ['timeouts', 8],
    ['field-shape', 7],
    ['list', 9],
    ['durability', 7],
    ['scale', 9],
    ['property', 5],
  ])('has in area %s %i behaviors', (area, count) => {
    expect(BEHAVIORS.filter((entry) => entry.area === area)).toHaveLength(count);
  });

  it.each([
    [2, 69],
    [4, 15],
    [5, 9],
  ])('has in phase %i %i behaviors', (phase, count) => {
    expect(BEHAVIORS.filter((entry) => entry.phase === phase)).toHaveLength(count);
  });

  it('needs only the six RPCs for the 69 of phase 2', () => {
    expect(BEHAVIORS.filter((entry) => entry.blackBox)).toEqual(
      BEHAVIORS.filter((entry) => entry.phase === 2),
    );
  });

  it.each([
    ['Delete', ['B109', 'B409', 'B807']],
    ['SinceRevision', ['B903', 'B904', 'B905', 'B907', 'B908', 'B909']],
  ])('gates by %s exactly %j', (capability, gated) => {
    expect(BEHAVIORS.filter((entry) => entry.capability === capability).map((entry) => entry.id)).toEqual(
      gated,
    );
  });

  it.each([
    ['timeouts', 'fault', 'Fault'],
    ['durability', 'durable', 'Durable'],
    ['scale', 'scale', 'Scale'],
  ])('lists area %s under profile %s with capability %s alone', (area, profile, capability) => {
    const members = BEHAVIORS.filter((entry) => entry.area === area);
    expect(new Set(members.map((entry) => `${entry.profiles.join()} ${entry.capability}`))).toEqual(
      new Set([`${profile} ${capability}`]),
    );
  });

  it('has two readings where the contract says so, and nowhere else', () => {
    const twofold = BEHAVIORS.filter((entry) => entry.reading !== null).map((entry) => entry.id);
    expect(twofold).toEqual(['B210', 'B211', 'B703', 'B906', 'B907', 'B909', 'B1103']);
  });

  it('is frozen throughout', () => {
    expect(Object.isFrozen(BEHAVIORS)).toBe(true);
    expect(Object.isFrozen(AREAS)).toBe(true);
    for (const area of AREAS) expect(Object.isFrozen(area)).toBe(true);
    for (const entry of BEHAVIORS) {
      expect([entry, entry.profiles, entry.reading].every(Object.isFrozen), entry.id).toBe(true);
    }
  });
});

describe('what is written about a behavior', () => {
  it.each(BEHAVIORS.map((entry) => [entry.id, entry] as const))('%s', (id, entry) => {
    // A field name keeps its lower case at the beginning of a sentence.
    const assertion = /^[A-Za-z][^\n\r\t]*[^.\s]$/;
    expect(entry.title).toMatch(assertion);
    const { why, rule, fix } = explanationOf(id);
    const texts = [why, rule, fix, ...(entry.reading === null ? [] : Object.values(entry.reading))];
    for (const text of texts) expect(text).toMatch(/^[A-Za-z][^\n\r\t]{20,}\.$/);
    expect(rule).toMatch(/^Sections? [2-9]/);
    expect(why).not.toBe(fix);
  });

  it('is written once: no text serves two behaviors', () => {
    for (const field of ['why', 'fix'] as const) {
      expect(new Set(ids.map((id) => explanationOf(id)[field])).size, field).toBe(93);
    }
    expect(new Set(BEHAVIORS.map((entry) => entry.title)).size).toBe(93);
  });
});

describe('what a claim requires', () => {
  const cases: [Profile[], number][] = [
    [[], 0],
    [['core'], 69],
    [['cloud'], 5],
    [['spot'], 1],
    [['fault'], 8],
    [['durable'], 7],
    [['scale'], 9],
    [['core', 'cloud', 'spot'], 69],
    [['core', 'cloud', 'spot', 'fault', 'durable', 'scale'], 93],
  ];
  it.each(cases)('%j: %i behaviors', (profiles, count) => {
    expect(behaviorsOf(profiles)).toHaveLength(count);
  });

  it('cloud: those about Delete', () => {
    expect(behaviorsOf(['cloud']).map((entry) => entry.id)).toEqual(['B109', 'B204', 'B215', 'B409', 'B807']);
  });

  it('bare-metal: all of core', () => {
    expect(behaviorsOf(['bare-metal'])).toEqual(behaviorsOf(['core']));
  });

  it('is in registry order, whatever the order of the claims', () => {
    expect(behaviorsOf(['scale', 'fault', 'core'])).toEqual(behaviorsOf(['core', 'fault', 'scale']));
  });
});

describe('looking a behavior up', () => {
  it('finds every one by its id', () => {
    for (const entry of BEHAVIORS) expect(behavior(entry.id)).toBe(entry);
  });

  it('tells ids from other texts', () => {
    expect(ids.every(isBehaviorId)).toBe(true);
    for (const text of ['', 'B102', 'b303', ' B303', 'B303 ', 'B3*', '__proto__', 'constructor']) {
      expect(isBehaviorId(text), text).toBe(false);
    }
  });

  it('does not compile with an id that is not registered, and throws where a cast slips one in', () => {
    // @ts-expect-error B102 is one of the holes
    expect(() => behavior('B102')).toThrow(new RangeError('no behavior has the id "B102"'));
  });
});
