/** The options of the commands that meet a provider. */
import { PROFILES } from '../../model/registry/behavior.js';
import { keyOf, type OptionKind, type OptionSpec } from './option-spec.js';
import { shardOf } from './shard-value.js';
import { CLIENT_TLS_TABLE } from './tls-option-table.js';

const text = { type: 'text' } as const;
const time = { type: 'time' } as const;
const list = { type: 'list' } as const;
const toggle = { type: 'switch' } as const;
const count = (least: number): OptionKind => ({ type: 'count', least });

const PROVIDER = 'The provider:';
const WHAT = 'What is checked:';
const OUTPUT = 'Output:';
const PATIENCE = 'Patience:';
const BASELINE = 'The upstream suite:';
const FAULT = 'The fault lane (--profile fault):';
const DURABLE = 'The durable lane (--profile durable):';
const SCALE = 'The scale lane (--profile scale):';

/** Every option of the main command, in the order of the help. */
export const CHECK_OPTION_TABLE: readonly OptionSpec[] = [
  { flags: '--target <HOST:PORT>', says: 'a provider that is already running', kind: text, group: PROVIDER },
  {
    flags: '--boot <CMD>',
    says: 'start the provider with this command; {addr}, {port}, {seed_count}, {state} and {provider} are filled in',
    kind: text,
    group: PROVIDER,
  },
  {
    flags: '--boot-timeout <time>',
    says: 'how long a booted provider may take to answer its first List',
    kind: time,
    fallback: 30_000,
    group: PROVIDER,
  },
  {
    flags: '--seed-count <number>',
    says: 'machines that a booted provider starts with',
    kind: count(1),
    fallback: 256,
    group: PROVIDER,
  },
  {
    flags: '--seed <number>',
    says: 'the seed of everything generated',
    kind: count(-(2 ** 31)),
    fallback: 42,
    group: WHAT,
  },
  {
    flags: '--runs <number>',
    says: 'generated sequences in all',
    kind: count(0),
    fallback: 500,
    group: WHAT,
  },
  {
    flags: '--concurrency <number>',
    says: 'sequences at the same time; fewer on a fleet of more than 15,000 machines, whose Lists are large',
    kind: count(1),
    fallback: 32,
    group: WHAT,
  },
  {
    flags: '--profile <names>',
    says: `profiles to certify (${PROFILES.join(', ')}; default: core, cloud and spot as far as the provider supports them)`,
    kind: list,
    group: WHAT,
  },
  {
    flags: '--reading <name>',
    says: 'which reading of a disputed behavior decides',
    kind: { type: 'choice', of: ['literal', 'reference'] },
    fallback: 'literal',
    group: WHAT,
  },
  {
    flags: '--only <ids>',
    says: 'decide only these behaviors (ids, patterns such as B3*, or areas)',
    kind: list,
    group: WHAT,
  },
  { flags: '--skip <ids>', says: 'leave these behaviors out', kind: list, group: WHAT },
  {
    flags: '--known-failing <file>',
    says: 'behaviors that fail for now; one that passes fails the run',
    kind: text,
    group: WHAT,
  },
  {
    flags: '--known-flaky <file>',
    says: 'behaviors that may pass or fail',
    kind: text,
    group: WHAT,
  },
  {
    flags: '--shard <K/N>',
    says: 'run only part K of N and write a blob report for `bfcheck merge`',
    kind: { type: 'other', parse: shardOf },
    group: WHAT,
    lineOnly: true,
  },
  {
    flags: '--time-limit <time>',
    says: 'end the run after this time with what is known',
    kind: time,
    fallback: 3_600_000,
    group: WHAT,
  },
  {
    flags: '--out <folder>',
    says: 'where the reports go',
    kind: text,
    fallback: 'reports',
    group: OUTPUT,
  },
  {
    flags: '--corpus <folder>',
    says: 'where counterexamples are kept, and replayed from first',
    kind: text,
    fallback: 'seeds',
    group: OUTPUT,
  },
  {
    flags: '--config <file>',
    says: 'a config file (default: bfcheck.config.json, where there is one)',
    kind: text,
    group: OUTPUT,
    lineOnly: true,
  },
  { flags: '-q, --quiet', says: 'the verdict only', kind: toggle, group: OUTPUT },
  { flags: '-v, --verbose', says: 'more detail, and stack traces', kind: toggle, group: OUTPUT },
  {
    flags: '--settle-timeout <time>',
    says: 'how long a machine may take to come to rest',
    kind: time,
    fallback: 60_000,
    group: PATIENCE,
  },
  {
    flags: '--stability-window <time>',
    says: 'how long a settled machine is watched',
    kind: time,
    fallback: 300,
    group: PATIENCE,
  },
  {
    flags: '--call-timeout <time>',
    says: 'deadline of one call',
    kind: time,
    fallback: 20_000,
    group: PATIENCE,
  },
  {
    flags: '--silence-limit <time>',
    says: 'end a lane once the provider has answered nothing for so long',
    kind: time,
    fallback: 120_000,
    group: PATIENCE,
  },
  {
    flags: '--shard-id-prefix <text>',
    says: 'what every shard id starts with, for a provider that binds shard ids to client certificates',
    kind: text,
    group: PROVIDER,
  },
  {
    flags: '--chaos <faults>',
    says: 'put a bad network in between, such as latency=5..50,jitter=20,reset=0.01,stall=0.005,partition=2s/30s',
    kind: text,
    group: PROVIDER,
  },
  ...CLIENT_TLS_TABLE,
  {
    flags: '--baseline-src <folder>',
    says: 'a checkout of the upstream project, whose Go conformance suite is run as well',
    kind: text,
    group: BASELINE,
  },
  {
    flags: '--baseline-timeout <time>',
    says: 'how long the upstream suite may take',
    kind: time,
    fallback: 600_000,
    group: BASELINE,
  },
  {
    flags: '--fault-target <HOST:PORT>',
    says: 'a fault-capable provider that is already running (default: the built-in one)',
    kind: text,
    group: FAULT,
  },
  {
    flags: '--fault-boot <CMD>',
    says: 'start the fault-capable provider with this command',
    kind: text,
    group: FAULT,
  },
  {
    flags: '--fault-runs <number>',
    says: 'generated sequences of the fault lane',
    kind: count(0),
    fallback: 100,
    group: FAULT,
  },
  {
    flags: '--fault-seed-count <number>',
    says: 'machines of a booted fault-capable provider',
    kind: count(1),
    fallback: 1024,
    group: FAULT,
  },
  {
    flags: '--transition-timeout <time>',
    says: 'after how long the fault-capable provider gives a transition up',
    kind: time,
    fallback: 2_000,
    group: FAULT,
  },
  {
    flags: '--crashes <number>',
    says: 'kills of the durable lane, at least',
    kind: count(0),
    fallback: 60,
    group: DURABLE,
  },
  {
    flags: '--durable-seed-count <number>',
    says: 'machines of the durable lane',
    kind: count(3),
    fallback: 64,
    group: DURABLE,
  },
  {
    flags: '--durable-settle <time>',
    says: 'how long a machine may take to come to rest after a kill',
    kind: time,
    fallback: 10_000,
    group: DURABLE,
  },
  {
    flags: '--scale-seed <number>',
    says: 'machines of the largest fleet of the scale lane',
    kind: count(100),
    fallback: 10_000,
    group: SCALE,
  },
  {
    flags: '--soak <time>',
    says: 'how long the scale lane churns its fleet',
    kind: time,
    fallback: 10_000,
    group: SCALE,
  },
  { flags: '--budget-get <time>', says: 'p99 of Get at scale', kind: time, fallback: 250, group: SCALE },
  {
    flags: '--budget-create <time>',
    says: 'p99 of Create at scale',
    kind: time,
    fallback: 250,
    group: SCALE,
  },
  { flags: '--budget-list <time>', says: 'p99 of List at scale', kind: time, fallback: 2_000, group: SCALE },
  {
    flags: '--budget-full-list <time>',
    says: 'one full List at scale',
    kind: time,
    fallback: 3_000,
    group: SCALE,
  },
  {
    flags: '--mutant <name>',
    says: 'give the built-in provider this bug',
    kind: text,
    lineOnly: true,
    hidden: true,
  },
];

const REPLAY_KEYS: ReadonlySet<string> = new Set([
  'target',
  'boot',
  'bootTimeout',
  'seedCount',
  'corpus',
  'config',
  'settleTimeout',
  'stabilityWindow',
  'callTimeout',
  'silenceLimit',
  ...CLIENT_TLS_TABLE.map(keyOf),
  'faultTarget',
  'faultBoot',
  'faultSeedCount',
  'transitionTimeout',
  'durableSeedCount',
  'durableSettle',
  'verbose',
  'mutant',
]);
const MERGE_KEYS: ReadonlySet<string> = new Set(['out', 'corpus', 'config', 'quiet', 'verbose']);

/** The options of `replay`. */
export const REPLAY_OPTION_TABLE: readonly OptionSpec[] = those(REPLAY_KEYS);
/** The options of `merge`. */
export const MERGE_OPTION_TABLE: readonly OptionSpec[] = those(MERGE_KEYS);

function those(keys: ReadonlySet<string>): readonly OptionSpec[] {
  return CHECK_OPTION_TABLE.filter((spec) => keys.has(keyOf(spec)));
}
