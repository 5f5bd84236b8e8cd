/** Generated documents agree with what they are generated from; `npm run docs` writes them again. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lifecycleDiagram } from '../../model/machine.js';
import { cliMarkdown, flagTables } from '../../src/cli/cli-doc.js';
import { configSchemaJson } from '../../src/cli/config-schema.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const text = (name: string): string => readFileSync(`${ROOT}${name}`, 'utf8');

describe('generated documents', () => {
  it('docs/cli.md', () => {
    expect(text('docs/cli.md')).toBe(cliMarkdown());
  });

  it('the schema of the config file', () => {
    expect(text('schema/bfcheck.config.schema.json')).toBe(configSchemaJson());
  });

  it('the flags in the README', () => {
    const [, flags] = /<!-- flags -->\n([\s\S]*)<!-- end of flags -->/.exec(text('README.md')) ?? [];
    expect(flags?.trim()).toBe(flagTables());
  });

  it('the lifecycle in the architecture', () => {
    expect(text('docs/architecture.md')).toContain(lifecycleDiagram().trim());
  });

  it('docs/licenses.md', () => {
    execFileSync(process.execPath, ['scripts/licenses.mjs'], { cwd: ROOT });
  });
});

describe('the documents', () => {
  const names = [
    'README.md',
    'CONTRIBUTING.md',
    'docs/architecture.md',
    'docs/contract.md',
    'docs/extending.md',
    'docs/library.md',
  ];

  it.each(names)('%s links only to files that exist', (name) => {
    const links = [...text(name).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, link = '']) => link);
    for (const link of links)
      expect(() => readFileSync(new URL(link, `file://${ROOT}${name}`)), link).not.toThrow(/ENOENT/);
    expect(links.length).toBeGreaterThan(0);
  });

  it.each(names)('%s names only commands and options that exist', (name) => {
    const known = new Set(cliMarkdown().match(/--[a-z][a-z-]+/g));
    const commands = [...text(name).matchAll(/npx (?:--yes )?bfcheck(?:@\S+)? ([^`\n]*)/g)].map(
      ([, rest = '']) => rest,
    );
    for (const command of commands)
      for (const flag of command.match(/(?<=^|\s)--[a-z][a-z-]+/g) ?? [])
        expect(known, command).toContain(flag);
  });
});
