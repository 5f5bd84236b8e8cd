/**
 * Measures bfcheck in six groups (soak is the long part of growth), prints each figure with its target, saves them in bench/results.json, and ends with 0
 * only when every target is met. Arguments: names of groups, all of them where none is named; `--full` for the largest
 * sizes and half an hour of soak.
 */
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { CHECK_OPTION_TABLE } from '../src/cli/check-option-table.js';
import { endAllProcesses } from '../src/lanes/owned-process.js';
import { growth } from './groups/growth.js';
import { oracle } from './groups/oracle.js';
import { soak } from './groups/soak.js';
import { startup } from './groups/startup.js';
import { verdict } from './groups/verdict.js';
import { waiting } from './groups/waiting.js';
import { wire } from './groups/wire.js';
import { print, printGroup } from './lib/print.js';
import { here, type MeasuredGroup, RESULTS, saveGroup } from './lib/results.js';
import type { Settings } from './lib/settings.js';

const GROUPS = { wire, oracle, waiting, verdict, growth, soak, startup };
const NAMES = Object.keys(GROUPS);

process.once('exit', endAllProcesses);
const { values, positionals } = parseArgs({
  options: { full: { type: 'boolean', default: false } },
  allowPositionals: true,
});
for (const name of positionals) {
  if (!NAMES.includes(name)) throw new RangeError(`no group ${name}; there are ${NAMES.join(', ')}`);
}
const settings: Settings = { full: values.full, concurrency: defaultConcurrency() };
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const { machine, node } = here();
print(`bfcheck benchmarks: ${machine.cores} cores of ${machine.cpu}, Node ${node}, commit ${commit}`);

const missed: string[] = [];
for (const [name, measure] of Object.entries(GROUPS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const before = load();
  const group = { name, ...(await measure(settings)) };
  const measured: MeasuredGroup = { ...group, ...settings, commit, load: [before, load()] };
  printGroup(group);
  print(`     load average ${measured.load.join(' before, ')} after`);
  await saveGroup(measured, NAMES);
  missed.push(...group.rows.filter(({ met }) => met === false).map((row) => `${name}, ${row.name}`));
}
print(`\nsaved in ${RESULTS}`);
print(missed.length === 0 ? 'every target is met' : `missed: ${missed.join('; ')}`);
process.exitCode = missed.length === 0 ? 0 : 1;

function load(): number {
  return Number((loadavg()[0] ?? 0).toFixed(2));
}

function defaultConcurrency(): number {
  const option = CHECK_OPTION_TABLE.find(({ flags }) => flags.startsWith('--concurrency'));
  const fallback = option?.fallback;
  if (typeof fallback !== 'number') throw new Error('--concurrency has no default');
  return fallback;
}
