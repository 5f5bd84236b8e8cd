/** The config file: what it may say, what it refuses and in which words, and that the command line wins. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECK_OPTION_TABLE } from '../../src/cli/check-option-table.js';
import { CONFIG_OPTION_TABLE, configured, settingsIn } from '../../src/cli/config.js';
import { configSchema } from '../../src/cli/config-schema.js';
import { explainFailure, UsageErrors } from '../../src/cli/failure.js';
import { keyOf, toOption } from '../../src/cli/option-spec.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bfcheck-config-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function refusals(text: string): readonly string[] {
  try {
    settingsIn(text, 'c.json');
  } catch (error) {
    if (error instanceof UsageErrors) return error.lines;
    throw error;
  }
  return [];
}

async function parsed(config: string, ...args: string[]): Promise<Record<string, unknown>> {
  const file = join(folder, 'bfcheck.config.json');
  await writeFile(file, config);
  const command = new Command();
  for (const spec of CHECK_OPTION_TABLE) command.addOption(toOption(spec));
  command.parse(['--config', file, ...args], { from: 'user' });
  return configured<Record<string, unknown>>(command);
}

describe('a config file', () => {
  it('may hold comments and trailing commas, and reads values as the command line does', () => {
    const settings = settingsIn(
      `// a comment
      {
        "$schema": "./x.json", /* another */
        "seed": -7, "runs": 5000, "soak": "2m", "callTimeout": 1500,
        "only": ["B3*", "lifecycle"], "reading": "reference", "quiet": true, "boot": "./p --addr={addr}",
      }`,
      'c.json',
    );
    expect(Object.fromEntries(settings)).toEqual({
      seed: -7,
      runs: 5000,
      soak: 120_000,
      callTimeout: 1500,
      only: ['B3*', 'lifecycle'],
      reading: 'reference',
      quiet: true,
      boot: './p --addr={addr}',
    });
  });

  it.each([
    ['{ "sed": 4 }', 'c.json:1:3: unknown key "sed"; did you mean "seed"?'],
    ['{\n  "fault-runs": 4 }', 'c.json:2:3: unknown key "fault-runs"; did you mean "faultRuns"?'],
    ['{ "--runs": 4 }', 'c.json:1:3: unknown key "--runs"; did you mean "runs"?'],
    ['{ "__proto__": { "seed": 1 } }', 'c.json:1:3: unknown key "__proto__"'],
    ['{ "constructor": 1 }', 'c.json:1:3: unknown key "constructor"'],
    ['{ "shard": "1/2" }', 'c.json:1:3: unknown key "shard"'],
    ['{ "mutant": "x" }', 'c.json:1:3: unknown key "mutant"'],
    ['{ "runs": "many" }', 'c.json:1:3: "runs": expected a whole number, saw "many"'],
    ['{ "runs": 1.5 }', 'c.json:1:3: "runs": expected a whole number of at least 0, saw "1.5"'],
    ['{ "runs": 1e999 }', 'c.json:1:3: "runs": expected a whole number of at least 0, saw "Infinity"'],
    ['{ "soak": "3 pies" }', 'c.json:1:3: "soak": expected a duration such as 500ms, 2s or 1m, saw "3 pies"'],
    ['{ "reading": "loose" }', 'c.json:1:3: "reading": Allowed choices are literal, reference'],
    ['{ "only": [] }', 'c.json:1:3: "only": expected a list of strings, one at least, saw []'],
    ['{ "only": [1] }', 'c.json:1:3: "only": expected a list of strings, one at least, saw null'],
    ['{ "quiet": "yes" }', 'c.json:1:3: "quiet": expected true or false, saw "yes"'],
    ['{ "target": null }', 'c.json:1:3: "target": expected a string, saw null'],
    ['{ "seed": 1, "seed": 2 }', 'c.json:1:14: "seed" is given twice'],
    ['[1]', 'c.json:1:1: expected an object: { "seed": 42 }'],
    ['', 'c.json:1:1: not JSON: value expected'],
    ['{ "seed" 1 }', 'c.json:1:10: not JSON: colon expected'],
  ])('%j is refused in one line', (text, line) => {
    expect(refusals(text)).toEqual([line]);
  });

  it('is told everything that is wrong with it, a line each', () => {
    expect(refusals('{ "a": 1, "runs": -1, "b": 2 }')).toHaveLength(3);
    const { text, code } = explainFailure(new UsageErrors(['one', 'two']), false);
    expect([text, code]).toEqual(['bfcheck: one\nbfcheck: two', 2]);
  });

  it('never changes what objects are, whatever it says', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('__proto__', 'constructor', 'toString'), (json, key) => {
        refusals(json);
        refusals(`{ "${key}": ${json}, "seed": { "${key}": ${json} } }`);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
  });

  it('yields to the command line, and fills in what it leaves open', async () => {
    const options = await parsed('{ "seed": 7, "runs": 9, "only": ["B1*"] }', '--seed', '8', '--only', 'B2*');
    expect(options).toMatchObject({ seed: 8, runs: 9, only: ['B2*'], concurrency: 32 });
  });

  it('does not name a second provider where the command line names one', async () => {
    const options = await parsed('{ "boot": "./p", "verbose": true }', '--target', 'h:1', '--quiet');
    expect(options).toMatchObject({ target: 'h:1', quiet: true });
    expect(options.boot).toBeUndefined();
    expect(options.verbose).toBeUndefined();
  });

  it('must be there where it is named', async () => {
    const command = new Command().option('--config <file>');
    command.parse(['--config', join(folder, 'none.json')], { from: 'user' });
    await expect(configured(command)).rejects.toThrow('cannot be read');
  });
});

describe('the schema', () => {
  it('knows every option of the file and nothing else', () => {
    const { properties } = configSchema() as { properties: Record<string, { default?: unknown }> };
    expect(Object.keys(properties)).toEqual(['$schema', ...CONFIG_OPTION_TABLE.map(keyOf)]);
  });

  it('names defaults that the file itself accepts', () => {
    const { properties } = configSchema() as { properties: Record<string, { default?: unknown }> };
    const defaults = Object.entries(properties).flatMap(([key, { default: value }]) =>
      value === undefined ? [] : [`${JSON.stringify(key)}: ${JSON.stringify(value)}`],
    );
    const settings = settingsIn(`{ ${defaults.join(', ')} }`, 'c.json');
    for (const spec of CONFIG_OPTION_TABLE)
      if (spec.fallback !== undefined)
        expect([keyOf(spec), settings.get(keyOf(spec))]).toEqual([keyOf(spec), spec.fallback]);
    expect(defaults.length).toBeGreaterThan(15);
  });
});
