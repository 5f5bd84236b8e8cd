/** Every mutant and variant is well named, documented, and answers. */
import { describe, expect, test } from 'vitest';
import { findMutant, findVariant, MUTANTS, VARIANTS } from '../../src/provider/index.js';
import { withProvider } from './harness.js';

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const ID = /^B(1[0-2]|[1-9])\d\d$/;

describe('names', () => {
  test.each([
    ['mutants', MUTANTS],
    ['variants', VARIANTS],
  ])('%s are unique, kebab-case and explained', (_kind, known) => {
    const names = known.map((alteration) => alteration.name);
    expect(new Set(names).size).toBe(names.length);
    for (const alteration of known) {
      expect(alteration.name).toMatch(KEBAB);
      expect(alteration.says).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('every mutant names a behavior', () => {
    for (const mutant of MUTANTS) expect(mutant.breaks).toMatch(ID);
  });

  test('an unknown name is answered with near ones', () => {
    expect(() => findMutant('silent-crate')).toThrow(/silent-create/);
    expect(() => findVariant('no-deletes')).toThrow(/no-delete/);
  });
});

describe('boot', () => {
  test.each(MUTANTS.map((mutant) => mutant.name))('mutant %s answers a List', (mutant) =>
    withProvider({ mutant }, async (client) => {
      expect((await client.list()).machines.length).toBeGreaterThan(0);
    }),
  );

  test.each(VARIANTS.map((variant) => variant.name))('variant %s answers a List', (variant) =>
    withProvider({ variant }, async (client) => {
      expect((await client.list()).machines.length).toBeGreaterThan(0);
    }),
  );
});
