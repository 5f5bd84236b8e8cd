/** What the lanes leave beside statuses: measurements, logs, reasons, and what was known beforehand. */
import { describe, expect, it } from 'vitest';
import type { BehaviorId } from '../../model/registry.js';
import { resultsOf, verdictOf } from '../../src/engine/status.js';
import { badgeOf } from '../../src/report/badge.js';
import { htmlReport } from '../../src/report/html.js';
import { buildReport } from '../../src/report/json-report.js';
import { junitXml } from '../../src/report/junit.js';
import { reportMarkdown } from '../../src/report/markdown.js';
import type { Report } from '../../src/report/report.js';
import type { RunRecord } from '../../src/report/run-record.js';
import { summaryText } from '../../src/report/summary.js';
import { HOSTILE, runOf, staleCreate } from './runs.js';

const latency = {
  rpc: 'Get',
  count: 1200,
  adjusted: 3,
  p50: 0.8,
  p90: 2.5,
  p99: 300.5,
  max: 410,
  rawP99: 301,
  budgetMs: 250,
  percentiles: [],
  buckets: [
    { fromMs: 0, toMs: 1, count: 900 },
    { fromMs: 1, toMs: 256, count: 280 },
    { fromMs: 256, toMs: 512, count: 20 },
  ],
};
const growth = [
  { machines: 640, ms: 4.2, samples: [4, 4.2, 9], fixedMs: 0.4, fastestMs: 0.3, bytes: 250_000 },
  { machines: 1600, ms: 11, samples: [10, 11, 12], fixedMs: 0.4, fastestMs: 0.3, bytes: 620_000 },
  { machines: 10_000, ms: 71.5, samples: [70, 71.5, 80], fixedMs: 0.5, fastestMs: 0.3, bytes: 3_900_000 },
];

function laneRun(parts: Partial<RunRecord> = {}): RunRecord {
  return {
    ...runOf({ violations: [staleCreate()] }),
    lanes: [
      { lane: 'black-box', skipped: null, log: ['panic: nil map', HOSTILE] },
      { lane: 'durable', skipped: 'it was given only an address: use --boot', log: [] },
    ],
    scale: {
      machines: 10_000,
      latencies: [latency],
      growth,
      exponent: 1.03,
      counts: {},
      peakRssBytes: 300 * 2 ** 20,
      durationMs: 31_000,
      log: [],
    },
    interrupted: 'interrupted by SIGINT',
    ...parts,
  };
}

function shown(report: Report): Readonly<Record<'terminal' | 'html' | 'markdown', string>> {
  return {
    terminal: summaryText(report, { color: false, columns: 100, level: 'normal' }),
    // The page carries the whole report as JSON as well: what counts is what it shows.
    html: htmlReport(report).replace(/<script[\s\S]*?<\/script>/g, ''),
    markdown: reportMarkdown(report),
  };
}

describe('a report of lanes', () => {
  const report = buildReport(laneRun());

  it('has them in report.json, the log cut to its last lines', () => {
    const long = buildReport(
      laneRun({
        lanes: [{ lane: 'fault', skipped: null, log: Array.from({ length: 99 }, (_, i) => `line ${i}`) }],
      }),
    );
    expect(long.lanes[0]?.log).toHaveLength(40);
    expect(long.lanes[0]?.log.at(-1)).toBe('line 98');
    expect(report.interrupted).toBe('interrupted by SIGINT');
  });

  it.each(['terminal', 'html', 'markdown'] as const)('tells them in %s, foreign text escaped', (kind) => {
    const text = shown(report)[kind];
    for (const word of ['panic: nil map', 'only an address', 'interrupted by SIGINT'])
      expect(text).toContain(word);
    expect(text).not.toContain('\u001b]0;owned');
    if (kind === 'html') expect(text).not.toContain('<script>alert(1)');
  });

  it('says nothing of lanes where there is nothing to say', () => {
    const { terminal, markdown } = shown(buildReport(runOf()));
    expect(terminal + markdown).not.toMatch(/lane|Cut short/);
  });
});

describe('a report of the scale lane', () => {
  const { html } = shown(buildReport(laneRun()));

  it('draws a histogram for every RPC, what is over the budget marked', () => {
    expect(html).toContain('Latencies of Get: p50 0.80 ms, p99 301 ms, max 410 ms, budget 250 ms');
    expect(html.match(/class="column"/g)).toHaveLength(2);
    expect(html.match(/class="column late"/g)).toHaveLength(1);
  });

  it('plots the growth with every sample', () => {
    expect(html).toContain('machines<sup>1.03</sup>');
    expect(html.match(/class="sample"/g)).toHaveLength(9);
    expect(html).toContain(
      'Latency of a full List: 640 machines 4.2 ms, 1,600 machines 11.0 ms, 10,000 machines 71.5 ms',
    );
    expect(html).not.toMatch(/NaN|Infinity/);
  });

  it('draws nothing that was not measured', () => {
    const scale = { ...laneRun().scale, latencies: [], growth: [], exponent: null } as RunRecord['scale'];
    const page = shown(buildReport(laneRun({ scale: scale ?? null }))).html;
    expect(page).not.toMatch(/NaN|Infinity|class="column"|How a full List grows/);
  });
});

describe('behaviors that were known beforehand', () => {
  /** B303 fails; the lists name what they are given. */
  function known(failing: readonly BehaviorId[], flaky: readonly BehaviorId[] = []): Report {
    const run = runOf({ violations: [staleCreate({ behaviors: ['B303'] })] });
    const results = resultsOf(run.findings, {
      profiles: run.profiles,
      reading: 'literal',
      selected: new Set(run.results.filter(({ required }) => required).map(({ behavior }) => behavior.id)),
      deciders: new Map(run.results.map(({ behavior, properties }) => [behavior.id, properties])),
      knownFailing: new Set(failing),
      knownFlaky: new Set(flaky),
    });
    return buildReport({ ...run, results, verdict: verdictOf(results) });
  }

  it('fail without failing the run, and every report says so', () => {
    const report = known(['B303']);
    expect([report.verdict, badgeOf(report).color]).toEqual(['CERTIFIED', 'brightgreen']);
    expect(report.behaviors.find(({ id }) => id === 'B303')?.known).toBe('failing');
    for (const text of Object.values(shown(report))) expect(text).toContain('known to fail, failed');
    expect(junitXml(report)).toMatch(/failures="0"/);
    expect(junitXml(report)).toContain('<skipped message="known to fail, failed: ');
  });

  it('fail the run where one passes, and are told to leave the list', () => {
    const report = known(['B303', 'B301']);
    expect([report.verdict, badgeOf(report).message]).toEqual(['FAILED', 'failed: 1 behavior']);
    expect(shown(report).terminal).toContain('For CERTIFIED: take B301 off the known-failing list');
    expect(junitXml(report)).toMatch(/<failure message="known to fail, and passed: take it off the list"/);
  });

  it('may do either where they are flaky', () => {
    const report = known([], ['B303', 'B301']);
    expect(report.verdict).toBe('CERTIFIED');
    expect(shown(report).terminal).toContain('B301: known to be flaky, passed this time');
  });
});
