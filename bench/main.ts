/**
 * Measures bfcheck in six groups, prints each figure with its target, writes bench/results.json, and ends with 0 only
 * when every target is met. Options: `--only=1,4` for some of the groups, `--full` for the largest sizes and the long
 * soak.
 */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { CHECK_OPTION_TABLE } from '../src/cli/check-option-table.js';
import { endAllProcesses } from '../src/lanes/owned-process.js';
import { growth } from './groups/growth.js';
import { oracle } from './groups/oracle.js';
import { startup } from './groups/startup.js';
import { verdict } from './groups/verdict.js';
import { waiting } from './groups/waiting.js';
import { wire } from './groups/wire.js';
import { print, printGroup } from './lib/print.js';
import { type Group, isMet } from './lib/row.js';
import type { Settings } from './lib/settings.js';

const GROUPS = [wire, oracle, waiting, verdict, growth, startup];
const RESULTS = 'bench/results.json';

process.once('exit', endAllProcesses);
const { values } = parseArgs({ options: { only: { type: 'string' }, full: { type: 'boolean' } } });
const chosen = values.only?.split(',').map(Number);
const settings: Settings = { full: values.full === true, concurrency: defaultConcurrency() };

const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryBytes: totalmem(),
  platform: `${process.platform} ${process.arch}`,
};
const about = { machine, node: process.version, commit: commit(), loadBefore: loadavg() };
print(
  `bfcheck benchmarks: ${machine.cores} cores of ${machine.cpu}, Node ${about.node}, commit ${about.commit}`,
);

const groups: Group[] = [];
for (const [index, measure] of GROUPS.entries()) {
  if (chosen && !chosen.includes(index + 1)) continue;
  const group = await measure(settings);
  printGroup(group);
  groups.push(group);
}
const missed = groups.flatMap(({ rows }) => rows.filter((row) => !isMet(row)));
await writeFile(
  RESULTS,
  `${JSON.stringify({ ...about, loadAfter: loadavg(), ...settings, groups }, null, 2)}\n`,
);
print(`\nwrote ${RESULTS}`);
print(missed.length === 0 ? 'every target is met' : `missed: ${missed.map(({ name }) => name).join('; ')}`);
process.exitCode = missed.length === 0 ? 0 : 1;

function defaultConcurrency(): number {
  const option = CHECK_OPTION_TABLE.find(({ flags }) => flags.startsWith('--concurrency'));
  const fallback = option?.fallback;
  if (typeof fallback !== 'number') throw new Error('--concurrency has no default');
  return fallback;
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
