/** docs/performance.md says what bench/results.json says; `npm run bench:page` writes it again. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filled } from '../../bench/lib/page.js';
import type { Results } from '../../bench/lib/results.js';
import { svg } from '../../bench/lib/svg.js';

const text = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const results: Results = JSON.parse(text('bench/results.json'));

describe('docs/performance.md', () => {
  it('holds the figures that were measured last', () => {
    const page = text('docs/performance.md');
    expect(filled(page, results)).toBe(page);
    for (const { name } of results.groups) expect(page).toContain(`<!-- bench:${name}:figures -->`);
  });

  it.each(results.groups.flatMap(({ plots }) => plots))('has $name drawn', (plot) => {
    expect(text(`docs/performance/${plot.name}.svg`)).toBe(svg(plot));
  });
});

describe('filling in the page', () => {
  const page = 'a\n<!-- bench:wire:figures -->\nold\n<!-- /bench:wire:figures -->\nb\n';

  it('replaces what is between markers and nothing else', () => {
    const row = {
      name: 'x',
      unit: 's',
      median: 2,
      spread: [1, 3],
      samples: 3,
      target: null,
      met: null,
    } as const;
    const group = { name: 'wire', title: '', rows: [row], plots: [], notes: [], commit: 'c', full: true };
    const made = filled(page, { ...results, groups: [{ ...group, concurrency: 1, load: [0, 0] }] });
    expect(made).toMatch(/^a\n<!-- bench:wire:figures -->\n/);
    expect(made).toContain('| x |  | 2 s | 1 to 3 | 3 |  |');
    expect(made).not.toContain('old');
    expect(made.endsWith('<!-- /bench:wire:figures -->\nb\n')).toBe(true);
  });

  it('refuses a marker of a group that was not measured', () => {
    expect(() => filled(page, { ...results, groups: [] })).toThrow('no group wire:figures was measured');
  });
});
