/** Which violations are told first, which belong together, and what becomes of those that nobody asked for. */
import { describe, expect, it } from 'vitest';
import type { ReportedViolation } from '../../src/engine/events.js';
import { badgeOf } from '../../src/report/badge.js';
import { githubAnnotations } from '../../src/report/github.js';
import { htmlReport } from '../../src/report/html.js';
import { buildReport } from '../../src/report/json-report.js';
import { reportMarkdown } from '../../src/report/markdown.js';
import { summaryText } from '../../src/report/summary.js';
import { asidesIn, kindsOf, toldIn } from '../../src/report/told.js';
import { type RunParts, runOf, staleCreate } from './runs.js';

/** A violation with the named rule and part of the reply, of these behaviors. */
function broken(
  rule: ReportedViolation['rule'],
  aspect: string,
  ...behaviors: ReportedViolation['behaviors']
): ReportedViolation {
  return staleCreate({ rule, aspect, behaviors });
}

const SEVERAL = [
  broken('fence', 'code ok', 'B303'),
  broken('fence', 'code INTERNAL', 'B305'),
  broken('fence', 'code ok', 'B307'),
  broken('accept', 'snapshot metadata', 'B308'),
  broken('record', 'metadata', 'B309'),
  broken('record', 'price', 'B310'),
];

function report(parts: RunParts) {
  return buildReport(runOf(parts));
}

describe('the order of violations', () => {
  it('has one of every kind before the second of any', () => {
    const told = toldIn(report({ violations: SEVERAL })).map(({ behaviors }) => behaviors[0]);
    expect(told).toEqual(['B303', 'B308', 'B309', 'B310', 'B305', 'B307']);
  });

  it('takes codes of one rule for one kind, and fields for kinds of their own', () => {
    const kinds = kindsOf(toldIn(report({ violations: SEVERAL })));
    expect(kinds.map(({ counterexamples }) => counterexamples.map(({ behaviors }) => behaviors[0]))).toEqual([
      ['B303', 'B305', 'B307'],
      ['B308'],
      ['B309'],
      ['B310'],
    ]);
  });

  it('ends the terminal with every kind, its example, and the commands for the others', () => {
    const text = summaryText(report({ violations: SEVERAL }), {
      color: false,
      columns: 100,
      level: 'normal',
    });
    const end = text.slice(text.indexOf('What is wrong'));
    expect(end.match(/^Rule /gm)).toHaveLength(4);
    expect(end.match(/^ {2}B305 {3}npx bfcheck replay /gm)).toHaveLength(1);
    expect(end.split('\n').length).toBeLessThan(50);
  });
});

describe('a violation of a behavior that was not selected', () => {
  const aside = report({ selected: ['B101'], violations: [staleCreate()] });

  it('does not decide, and is told all the same', () => {
    expect(aside.verdict).toBe('CERTIFIED');
    expect(asidesIn(aside)).toHaveLength(1);
    const behavior = aside.behaviors.find(({ id }) => id === 'B303');
    expect(behavior?.status).toBe('skipped');
    expect(behavior?.reason).toContain('not selected (--only, --skip); seen broken all the same: expected');
  });

  it.each(['normal', 'quiet'] as const)('and the %s verdict does not hide it', (level) => {
    const text = summaryText(aside, { color: false, columns: 100, level });
    expect(text).not.toContain('FAILED  B303');
    expect(text).toContain('Selected: 1 of the 69 behaviors that core, cloud, spot require (--only, --skip)');
    expect(text).toContain('Not counted: B303: seen broken');
    expect(text.includes('npx bfcheck replay')).toBe(level === 'normal');
  });

  it('is set apart in every report', () => {
    expect(reportMarkdown(aside)).toMatch(/^### B303: .* \(not counted\)$/m);
    expect(htmlReport(aside)).toContain('(not counted)');
    expect(githubAnnotations(aside)[0]).toMatch(/^::warning title=B303%3A .* \(not counted\)::/);
    expect(badgeOf(aside)).toMatchObject({ message: 'passed: 1 of 69 behaviors' });
  });

  it('comes after those that were asked for', () => {
    const mixed = report({
      selected: ['B101', 'B303'],
      violations: [broken('shape', 'code ok', 'B210'), broken('fence', 'code ok', 'B303')],
    });
    expect(toldIn(mixed).map(({ behaviors }) => behaviors[0])).toEqual(['B303', 'B210']);
    expect(mixed.verdict).toBe('FAILED');
  });
});
