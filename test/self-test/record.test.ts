/** What a self-test counts as a missed goal, and how it tells. */
import { describe, expect, it } from 'vitest';
import { selfTestDoc } from '../../src/cli/self-test/doc.js';
import type { AlarmRow } from '../../src/cli/self-test/false-alarms.js';
import type { MinimalityRow } from '../../src/cli/self-test/minimality.js';
import type { MutantRow } from '../../src/cli/self-test/mutant-row.js';
import { missedGoals, type SelfTestRecord } from '../../src/cli/self-test/record.js';

const BREACH: NonNullable<MutantRow['shrunk']> = {
  from: 4,
  to: 2,
  executions: 9,
  complete: true,
  reproduced: '3/3',
  behaviors: ['B303', 'B301'],
  rule: 'fence',
  aspect: 'code ok',
  raced: false,
};
const mutant: MutantRow = {
  mutant: 'equal-token-passes',
  breaks: 'B303',
  lane: 'black-box',
  seeds: 20,
  caught: 20,
  median: 45,
  worst: 60,
  medianRuns: 0,
  worstRuns: 3,
  named: 'first',
  red: ['B303', 'B301'],
  shrunk: BREACH,
};
const alarm: AlarmRow = {
  provider: 'healthy',
  circumstances: 'as it is',
  seeds: 50,
  sequences: 9_000,
  certified: 50,
  violations: [],
};
const minimal: MinimalityRow = { mutant: 'equal-token-passes', shrunk: 2, optimal: 2, note: '' };

function recordOf(parts: Partial<SelfTestRecord> = {}): SelfTestRecord {
  const record = {
    schema_version: 1,
    form: 'full',
    timestamp: '2030-01-02T03:04:05.000Z',
    machine: { cpus: 2, model: 'some | processor', node: '20.0.0' },
    time_scale: 1,
    duration_ms: 90_000,
    mutants: [mutant],
    false_alarms: [alarm],
    coverage: { squares: 4, visited: 4, reachable: 6, exercised: 6, missed: [], unreachable: [] },
    minimality: [minimal],
    ...parts,
  } as const;
  return { ...record, missed: missedGoals(record) };
}

describe('a goal is missed', () => {
  it('by nothing where everything holds', () => {
    expect(recordOf().missed).toEqual([]);
  });

  it.each<[string, Partial<SelfTestRecord>, string]>([
    ['a seed that does not catch', { mutants: [{ ...mutant, caught: 19 }] }, 'caught with 19 of 20 seeds'],
    ['a mutant caught late', { mutants: [{ ...mutant, medianRuns: 100 }] }, 'after 100 runs (median)'],
    ['a mutant blamed on others', { mutants: [{ ...mutant, named: 'among' }] }, 'B303 is among first'],
    ['a mutant that nothing was blamed for', { mutants: [{ ...mutant, named: 'not caught' }] }, 'not caught'],
    ['a correct provider not certified', { false_alarms: [{ ...alarm, certified: 49 }] }, '1 of 50 seeds'],
    [
      'a cell that was never exercised',
      {
        coverage: {
          squares: 4,
          visited: 3,
          reachable: 8,
          exercised: 6,
          missed: ['Create on IDLE'],
          unreachable: [],
        },
      },
      'never exercised: Create on IDLE',
    ],
    ['a counterexample two steps too long', { minimality: [{ ...minimal, shrunk: 4 }] }, '4 steps where 2'],
    ['too many that are one step too long', { minimality: [{ ...minimal, shrunk: 3 }] }, 'fewer than 95%'],
  ])('by %s', (_what, parts, words) => {
    expect(recordOf(parts).missed.join('\n')).toContain(words);
  });

  it('not by one seed that catches late, where there is no median', () => {
    const late = { ...mutant, seeds: 1, caught: 1, medianRuns: 240, worstRuns: 240 };
    expect(recordOf({ mutants: [late] }).missed).toEqual([]);
  });

  it('not by a search that was given up', () => {
    expect(recordOf({ minimality: [minimal, { ...minimal, optimal: null }] }).missed).toEqual([]);
  });
});

describe('the page', () => {
  it('holds every table and says where the numbers are from', () => {
    const page = selfTestDoc(recordOf());
    for (const part of [
      'Sensitivity',
      'Kill matrix',
      'Minimality',
      'No false alarms',
      'Coverage of the model',
    ])
      expect(page).toContain(`## ${part}`);
    expect(page).toContain('2030-01-02, 2 x some | processor, Node 20.0.0, 1.5 minutes');
    expect(page).toMatch(/\| equal-token-passes \| B303 {3}\| B303 B301 \|/);
    expect(page).toContain('1 of 1 mutants caught with every seed');
    expect(page).toContain('Shrinking took at most 300 runs');
    expect(page).not.toContain('times slower');
    const slow = { ...mutant, mutant: 'slow-to-shrink', shrunk: { ...BREACH, executions: 301 } };
    expect(selfTestDoc(recordOf({ mutants: [slow] }))).toContain('for slow-to-shrink (301).');
  });

  it('of a run on slower clocks says so', () => {
    const page = selfTestDoc(recordOf({ time_scale: 10 }));
    expect(page).toContain('# The checker checked on clocks 10 times slower');
    expect(page).toContain('--full --time-scale 10 --doc');
  });
});
