import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BEHAVIORS } from '../../model/registry.js';
import { escapeHtml, html, jsonForScript, Markup } from '../../src/report/html/markup.js';
import { timeline } from '../../src/report/html/timeline.js';
import { htmlReport } from '../../src/report/html.js';
import { buildReport } from '../../src/report/json-report.js';
import { ack, HOSTILE, hostileViolation, runOf, staleCreate, traceOf } from './runs.js';

describe('markup', () => {
  it('escapes every value of a template that is not markup itself', () => {
    const inner = html`<b>${'<i>'}</b>`;
    expect(html`<p title="${'"\'>&'}">${inner}${['<', 1, null, false, undefined]}</p>`.text).toBe(
      '<p title="&quot;&#39;&gt;&amp;"><b>&lt;i&gt;</b>&lt;1</p>',
    );
  });

  it('never leaves a character that could end a text or an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...HOSTILE) }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"'\u0000-\u001f\u202e\ud800]|&(?!(amp|lt|gt|quot|#39);)/);
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it('embeds JSON that no string in it can end, and that reads back the same', () => {
    const data = { a: '</script><!--<script>', b: '\u2028&', [HOSTILE]: HOSTILE };
    const { text } = jsonForScript(data);
    expect(text).not.toMatch(/[<>&\u2028]/);
    expect(JSON.parse(text)).toEqual(data);
  });

  it('makes markup only from templates', () => {
    expect(html`${new Markup('<b>')}`.text).toBe('<b>');
    expect(() => html`${{ text: '<b>' } as unknown as string}`).toThrow(TypeError);
  });
});

describe('report.html', () => {
  const page = htmlReport(buildReport(runOf({ violations: [staleCreate()] })));

  it('loads nothing from anywhere', () => {
    expect(page).not.toMatch(/(src|href)="(?!#|data:,")/);
    expect(page).not.toMatch(/@import|url\((?!#)/);
    expect(page).not.toMatch(/ (style|on\w+)="/);
  });

  it('allows its own style and script, by hash, and nothing else', () => {
    const policy =
      /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'") ?? '';
    const hashOf = (tag: string): string => {
      const body = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';
      return createHash('sha256').update(body).digest('base64');
    };
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hashOf('style')}'`);
    expect(policy).toContain(`script-src 'sha256-${hashOf('script')}'`);
    expect(policy).not.toContain('unsafe');
  });

  it('shows every behavior', () => {
    for (const { id } of BEHAVIORS) expect(page).toContain(`<details class="behavior" id="${id}"`);
  });

  it('never shows foreign words as markup', () => {
    const hostile = htmlReport(buildReport(runOf({ violations: [hostileViolation()], provider: HOSTILE })));
    const withoutOwn = hostile
      .replace(/<style>[\s\S]*?<\/style>/, '')
      .replace(/<script>[\s\S]*?<\/script>/, '')
      .replace(/<script type="application\/json" id="report">[^<]*<\/script>/, '');
    expect(withoutOwn).not.toMatch(/<script|<img|onerror=alert\(2\)>/);
    expect(withoutOwn).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });
});

describe('the timeline', () => {
  it('gives branches lanes of their own, in order, and keeps overlapping calls overlapping', () => {
    const call = (branch: number) => ({
      step: 0,
      branch,
      call: { kind: 'Create', machineId: 'm', token: { shard: 'x-0', epoch: 1n, sequence: 1n } } as const,
      outcome: ack('op-1'),
    });
    const [first, second] = traceOf([call(1), call(0)]);
    if (!first || !second) throw new Error('two entries were made');
    const trace = [first, { ...second, invokedAt: first.invokedAt + 1, returnedAt: first.returnedAt + 1 }];
    const violation = staleCreate({ trace, at: 1 });
    const [told] = buildReport(runOf({ violations: [violation] })).counterexamples;
    if (!told) throw new Error('the violation is told');
    const { text } = timeline(told);
    expect(text.indexOf('branch a')).toBeLessThan(text.indexOf('branch b'));
    const bars = [...text.matchAll(/class="bar" x="(\d+)" y="\d+" width="(\d+)"/g)].map(([, x, width]) => ({
      from: Number(x),
      to: Number(x) + Number(width),
    }));
    expect(bars).toHaveLength(2);
    expect(bars[0]?.to).toBeGreaterThan(bars[1]?.from ?? Number.POSITIVE_INFINITY);
    for (const { from, to } of bars) expect(to - from).toBeGreaterThanOrEqual(99);
  });
});
