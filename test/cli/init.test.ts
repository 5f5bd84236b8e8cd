/** `bfcheck init`: what it writes is of use as it is, and what exists stays. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONFIG_OPTION_TABLE, settingsIn } from '../../src/cli/config.js';
import { INIT_FILES, init } from '../../src/cli/init.js';
import { configTemplate } from '../../src/cli/init-templates.js';
import { keyOf } from '../../src/cli/option-spec.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bfcheck-init-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('init', () => {
  it('writes both files and says so', async () => {
    const lines = await init(folder);
    expect(lines.slice(0, 2)).toEqual([
      `wrote ${join(folder, INIT_FILES.config)}`,
      `wrote ${join(folder, INIT_FILES.workflow)}`,
    ]);
    expect(await readFile(join(folder, INIT_FILES.workflow), 'utf8')).toMatch(
      /run: npx --yes bfcheck@\d+\.\d+\.\d+ /,
    );
  });

  it('never overwrites', async () => {
    await writeFile(join(folder, INIT_FILES.config), 'mine');
    const lines = await init(folder);
    expect(lines[0]).toBe(`${join(folder, INIT_FILES.config)} exists and was left as it is`);
    expect(await readFile(join(folder, INIT_FILES.config), 'utf8')).toBe('mine');
    expect(lines[1]).toBe(`wrote ${join(folder, INIT_FILES.workflow)}`);
  });

  it('says in one line why a file cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(init(join(folder, 'file'))).rejects.toThrow(/^cannot write .*bfcheck\.config\.json: EEXIST/);
  });
});

describe('the config that init writes', () => {
  it('is a config file as it is', () => {
    expect([...settingsIn(configTemplate(), 'c.json').keys()]).toEqual(['boot']);
  });

  it('holds every option, and every line of it is accepted once its comment is taken away', () => {
    const open = configTemplate().replace(/^ {2}\/\/ (?="\w+":)/gm, '  ');
    expect([...settingsIn(open, 'c.json').keys()].sort()).toEqual(CONFIG_OPTION_TABLE.map(keyOf).sort());
  });
});
