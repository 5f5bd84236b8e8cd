import { describe, expect, it } from 'vitest';
import { BEHAVIORS } from '../../model/registry.js';
import { badgeOf } from '../../src/report/badge.js';
import { githubAnnotations } from '../../src/report/github.js';
import { buildReport } from '../../src/report/json-report.js';
import { codeSpan, reportMarkdown } from '../../src/report/markdown.js';
import { hostileViolation, negativeGrace, type RunParts, runOf, staleCreate } from './runs.js';

const report = (parts: RunParts = {}) => buildReport(runOf(parts));

describe('badge.json', () => {
  it('follows the endpoint schema of shields.io', () => {
    expect(badgeOf(report({ selected: BEHAVIORS.map(({ id }) => id) }))).toEqual({
      schemaVersion: 1,
      label: 'bfcheck',
      message: 'certified: core, cloud, spot',
      color: 'brightgreen',
    });
    expect(badgeOf(report({ violations: [staleCreate()] }))).toMatchObject({
      message: 'failed: 2 behaviors',
      color: 'red',
    });
    expect(badgeOf(report({ violations: [negativeGrace()] })).message).toBe('failed: 1 behavior');
    expect(badgeOf(report({ met: [] }))).toMatchObject({ message: 'incomplete', color: 'yellow' });
  });
});

describe('report.md', () => {
  it('tells a failing run', () => {
    expect(
      reportMarkdown(report({ violations: [staleCreate(), negativeGrace()], met: ['B301'] })),
    ).toMatchSnapshot();
  });

  it('keeps foreign words inside code', () => {
    const text = reportMarkdown(report({ violations: [hostileViolation()], provider: '``<b>|@all' }));
    const blocks = text.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
    expect(blocks).not.toContain('<script>');
    expect(blocks).toContain('``` ``<b>|@all ```');
  });

  it('fences a code span with more backticks than it holds', () => {
    expect(codeSpan('a')).toBe('`a`');
    expect(codeSpan('a``b')).toBe('```a``b```');
    expect(codeSpan('`')).toBe('`` ` ``');
  });
});

describe('GitHub annotations', () => {
  it('are one line each, with the story behind an escaped title', () => {
    const [first = '', ...rest] = githubAnnotations(report({ violations: [staleCreate()], met: ['B301'] }));
    expect(first).toMatch(/^::error title=B303%3A For one shard and machine [^:]*::/);
    expect(first).not.toContain('\n');
    expect(first).toContain('%0AReplay');
    expect(rest).toEqual([
      expect.stringMatching(/^::warning title=Required%2C but not decided::B101, .*: its case/),
    ]);
  });

  it('cannot be broken out of by what a provider says', () => {
    const lines = githubAnnotations(report({ violations: [hostileViolation()] }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/[\r\n]/);
    const inside = lines[0]?.slice('::error '.length).split(/%0A|\s/) ?? [];
    expect(inside.filter((word) => word.startsWith('::'))).toEqual([]);
  });

  it('say how many violations GitHub would have dropped', () => {
    const violations = Array.from({ length: 12 }, () => staleCreate());
    const lines = githubAnnotations(report({ violations }));
    expect(lines.filter((line) => line.startsWith('::error '))).toHaveLength(10);
    expect(lines.at(-1)).toContain('2 more are told');
  });
});
