/** The search for the shortest counterexample finds it, and no shorter one that is not there. */
import { describe, expect, it } from 'vitest';
import { type Search, shortest } from '../../src/cli/self-test/shortest.js';

/** The search tries thousands of programs; other work may keep the machine busy. In milliseconds. */
const DEADLINE_MS = 120_000;

describe('the search', { timeout: DEADLINE_MS }, () => {
  it('finds a program of two steps where a longer one is known', async () => {
    const found = await shortest({
      mutant: 'equal-token-passes',
      rule: 'fence',
      aspect: 'code ok',
      behaviors: ['B303'],
      known: 3,
    });
    expect(found).toEqual({ length: 2, note: 'Create Create' });
  });

  it('confirms what is as short as can be', async () => {
    const search: Search = {
      mutant: 'silent-create',
      rule: 'existence',
      aspect: 'code ok',
      behaviors: ['B207'],
      known: 1,
    };
    expect((await shortest(search)).length).toBe(1);
  });

  it('confirms that two steps are needed', async () => {
    const search: Search = {
      mutant: 'host-lost-on-drain',
      rule: 'record',
      aspect: 'host',
      behaviors: ['B107'],
      known: 2,
    };
    expect((await shortest(search)).length).toBe(2);
  });
});
