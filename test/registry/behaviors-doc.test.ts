import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BEHAVIORS } from '../../model/registry.js';
import { behaviorsMarkdown } from '../../src/report/behaviors-doc.js';

const document = behaviorsMarkdown();

describe('docs/behaviors.md', () => {
  it('is what the registry says today', () => {
    const committed = readFileSync(new URL('../../docs/behaviors.md', import.meta.url), 'utf8');
    expect(committed).toBe(document);
  });

  it('has one heading for each behavior, in registry order', () => {
    const headings = [...document.matchAll(/^### (B\d+)$/gm)].map((match) => match[1]);
    expect(headings).toEqual(BEHAVIORS.map((entry) => entry.id));
  });

  it('links to headings that exist', () => {
    const targets = [...document.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1]);
    expect(targets).toEqual(BEHAVIORS.map((entry) => entry.id.toLowerCase()));
  });

  it('lets no text of the registry act as markup', () => {
    const headingsAndTables = /^(#|\||<!--)/;
    const lines = document.split('\n').filter((line) => !headingsAndTables.test(line));
    for (const line of lines) expect(line).not.toMatch(/(?<!\\)[<>[\]|]/);
  });
});
