import { describe, expect, it } from 'vitest';
import { buildReport } from '../../src/report/json-report.js';
import { summaryText } from '../../src/report/summary.js';
import { printSummary } from '../../src/report/terminal.js';
import { hostileViolation, negativeGrace, type RunParts, runOf, staleCreate } from './runs.js';

const plain = { color: false, columns: 100, level: 'normal' } as const;

function summary(parts: RunParts, options: Partial<Parameters<typeof summaryText>[1]> = {}): string {
  return summaryText(buildReport(runOf(parts)), { ...plain, ...options });
}

describe('the summary', () => {
  it('of a clean run', () => {
    expect(summary({}, { files: ['reports/report.json', 'reports/junit.xml'] })).toMatchSnapshot();
  });

  it('of a failing run tells each failure as a story', () => {
    const text = summary({
      violations: [negativeGrace(), staleCreate()],
      met: ['B101', 'B301', 'B302', 'B305', 'B306', 'B307', 'B308'],
      corpus: [
        { file: 'seeds/B101-1.json', behavior: 'B101', result: 'FIXED', detail: '' },
        { file: 'seeds/B303-2.json', behavior: 'B303', result: 'STILL FAILS', detail: 'observed OK' },
      ],
    });
    expect(text).toMatchSnapshot();
  });

  it('of a provider that sends terminal escapes and markup', () => {
    const text = summary({ violations: [hostileViolation()], provider: '\u001b]0;x\u0007acme' });
    expect(text).toMatchSnapshot();
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(text.length).toBeLessThan(10_000);
  });

  it('says only what failed and the verdict when quiet', () => {
    expect(summary({ violations: [staleCreate()] }, { level: 'quiet' })).toMatchInlineSnapshot(`
      "FAILED  B303  expected FAILED_PRECONDITION; observed OK, operation_id "op-2", a machine in state IDLE
      FAILED  B312  see B303: expected FAILED_PRECONDITION; observed OK, operation_id "op-2", a machine in state IDLE
      FAILED in the literal reading, which decides; FAILED in the reference reading
      Selected: 13 of the 69 behaviors that core, cloud, spot require (--only, --skip)
      For CERTIFIED: fix B303, B312
      "
    `);
  });

  it('tells five stories and lists the rest, or all of them when verbose', () => {
    const violations = Array.from({ length: 7 }, (_, index) => staleCreate({ aspect: `way ${index}` }));
    const stories = (text: string) => text.split('FAILED  B303').length - 1;
    expect(stories(summary({ violations }))).toBe(5);
    expect(summary({ violations })).toContain('2 more violations');
    expect(stories(summary({ violations }, { level: 'verbose' }))).toBe(7);
  });

  it('tells what fails every time before what is flaky', () => {
    const flaky = staleCreate({ behaviors: ['B101'], reproduced: { failed: 0, of: 3 } });
    const text = summary({ violations: [flaky, staleCreate()] });
    expect(text.indexOf('FAILED  B303')).toBeLessThan(text.indexOf('FAILED  B101'));
  });

  it('leaves out the stories that do not count in the reference reading, but says where readings differ', () => {
    const text = summary({ violations: [negativeGrace()], reading: 'reference' });
    expect(text).not.toContain('FAILED  B210');
    expect(text).toContain('B210: literal failed, reference passed');
    expect(text).toContain(
      'CERTIFIED in the reference reading, which decides; FAILED in the literal reading',
    );
  });

  it('colours only where asked', () => {
    const colored = summary({ violations: [staleCreate()] }, { color: true });
    expect(colored).toContain('\u001b[31m');
    expect(summary({ violations: [staleCreate()] })).not.toContain('\u001b');
  });

  it('puts a reply under its call where there is no room beside it', () => {
    const text = summary({ violations: [staleCreate()] }, { columns: 60 });
    expect(text).toMatch(/> 2 {2}Create {4}m0 {2}shard s0 \(3,1\)\n +-> OK IDLE {2}op-2 {2}<- wrong/);
  });

  it('is what printSummary writes', () => {
    const run = runOf();
    let written = '';
    printSummary(run, { ...plain, write: (text) => (written += text) });
    expect(written).toBe(summaryText(buildReport(run), plain));
  });
});
