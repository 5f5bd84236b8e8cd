/**
 * Packs bfcheck, installs the tarball into an empty folder, and uses it there as a user would: the command, the
 * library, its types. `--quick` does it on the Node that runs this script, without it on Node 20, 22 and 24. Needs a
 * build. Prints what it does; exit code 1 where something is wrong.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VERSIONS = ['20', '22', '24'];
const FIVE_MINUTES = 300_000;
/** What must not be in the package: tests, sources, maps without their sources, what belongs to this repository. */
const UNWANTED =
  /^(?!docs\/).*(\.map$|(^|\/)(test|bench|scripts|reports|seeds|\.github)\/|(?<!\.d)\.ts$|vitest|biome)/;
/** Commands that only print must not load what a check needs. */
const SLOWEST_START_MS = 3000;

const say = (text) => process.stdout.write(`${text}\n`);
const run = (command, args, cwd, env = {}) =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: FIVE_MINUTES,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });

function must(condition, text) {
  if (!condition) throw new Error(text);
}

function pack(folder) {
  const [{ filename, files, size }] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], ROOT),
  );
  const wrong = files.map(({ path }) => path).filter((path) => UNWANTED.test(path));
  must(wrong.length === 0, `the package holds what users do not need: ${wrong.slice(0, 5).join(', ')}`);
  for (const needed of [
    'README.md',
    'LICENSE',
    'docs/cli.md',
    'proto/provider.proto',
    'schema/bfcheck.config.schema.json',
  ])
    must(
      files.some(({ path }) => path === needed),
      `the package lacks ${needed}`,
    );
  say(`packed ${files.length} files, ${Math.round(size / 1024)} KiB`);
  return join(folder, filename);
}

const PROGRAM = `
import { certify, conformanceCases } from 'bfcheck';
const report = await certify({ runs: 0, only: ['B101'], concurrency: 4, corpus: 'none' });
if (report.verdict !== 'CERTIFIED') throw new Error(report.verdict + JSON.stringify(report.behaviors[0]));
if (conformanceCases({ target: 'localhost:1' }).length < 20) throw new Error('too few cases');
`;
const TYPED = `
import { certify, type ConformanceCase, conformanceCases, type Report } from 'bfcheck';
export const report: Promise<Report> = certify({ target: 'localhost:9000', profile: ['core'] });
export const cases: readonly ConformanceCase[] = conformanceCases({ target: async () => 'localhost:9000' });
// @ts-expect-error a misspelt option does not compile
certify({ taget: 'localhost:9000' });
`;

function install(tarball, folder) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], folder);
  writeFileSync(join(folder, 'program.js'), PROGRAM);
  writeFileSync(join(folder, 'typed.ts'), TYPED);
}

function use(node, folder) {
  const version = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
  const main = join(folder, 'node_modules/bfcheck/dist/src/cli/main.js');
  const bfcheck = (...args) => run(node, [main, ...args], folder);
  const began = performance.now();
  must(bfcheck('--version').trim() === version, '--version does not tell the version');
  const took = performance.now() - began;
  must(took < SLOWEST_START_MS, `--version took ${Math.round(took)} ms`);
  must(JSON.parse(bfcheck('list', '--json')).length === 93, 'list --json does not list 93 behaviors');
  must(bfcheck('explain', 'B303').includes('B303'), 'explain says nothing');
  const told = bfcheck('--runs', '5', '--only', 'lifecycle', '--quiet');
  must(told.includes('CERTIFIED'), `the built-in provider is not certified: ${told}`);
  run(node, ['program.js'], folder);
  say(`  ${run(node, ['--version'], folder).trim()}: works; --version took ${Math.round(took)} ms`);
}

/** The Node of a major version, from the npm package that ships its binaries. */
function nodeOf(major, folder) {
  run(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--prefix',
      join(folder, `node-${major}`),
      `node@${major}`,
    ],
    folder,
  );
  return join(folder, `node-${major}/node_modules/node/bin/node`);
}

const folder = mkdtempSync(join(tmpdir(), 'bfcheck-packaging-'));
try {
  install(pack(folder), folder);
  run('npx', ['--no-install', 'bfcheck', '--version'], folder);
  run(
    process.execPath,
    [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--skipLibCheck',
      '--types',
      '',
      'typed.ts',
    ],
    folder,
  );
  say('types compile');
  const nodes = process.argv.includes('--quick')
    ? [process.execPath]
    : VERSIONS.map((major) => nodeOf(major, folder));
  for (const node of nodes) use(node, folder);
} catch (error) {
  const { message, stdout, stderr } = error;
  say([message, stdout, stderr].filter(Boolean).join('\n'));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
