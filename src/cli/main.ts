#!/usr/bin/env node
/** The command line: parses and calls. Everything heavy is imported when its command runs. */
import { Command, Option } from 'commander';
import type { CheckOptions } from './check-options.js';
import { EXIT, explainFailure } from './failure.js';
import type { ServeOptions } from './serve.js';
import { commaList, duration, durationRange, wholeNumber } from './values.js';
import { version } from './version.js';

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const program = new Command('bfcheck')
  .description(
    'Checks a BigFleet capacity provider against the contract and says, for each of 93 behaviors, whether it keeps it.',
  )
  .version(await version(), '--version')
  .showSuggestionAfterError()
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  bfcheck                                   check the built-in reference provider
  bfcheck --target localhost:9000           check a provider that is running
  bfcheck --boot './provider --addr={addr}' boot a provider and check it
  bfcheck replay --target localhost:9000    run the saved counterexamples again
  bfcheck explain B303                      what a behavior means and how to keep it

Exit codes: 0 certified, 1 failed, 2 bad usage, 3 environment (unreachable, boot failed), 4 incomplete`,
  );

program
  .command('check', { isDefault: true, hidden: true })
  .description('check a provider (the default command)')
  .option('--target <HOST:PORT>', 'a provider that is already running')
  .option(
    '--boot <CMD>',
    'start the provider with this command; {addr}, {port}, {seed_count}, {state} and {provider} are filled in',
  )
  .option(
    '--boot-timeout <time>',
    'how long a booted provider may take to answer its first List',
    duration,
    30_000,
  )
  .option('--seed <number>', 'the seed of everything generated', wholeNumber(-(2 ** 31)), 42)
  .option('--runs <number>', 'generated sequences in all', wholeNumber(0), 500)
  .option('--concurrency <number>', 'sequences at the same time', wholeNumber(1), 16)
  .option(
    '--profile <names>',
    'profiles to certify (core, cloud, spot, bare-metal, fault, durable, scale; default: core, cloud and spot as far as the provider supports them)',
    commaList,
  )
  .addOption(
    new Option('--reading <name>', 'which reading of a disputed behavior decides')
      .choices(['literal', 'reference'])
      .default('literal'),
  )
  .option('--only <ids>', 'decide only these behaviors (ids, patterns such as B3*, or areas)', commaList)
  .option('--skip <ids>', 'leave these behaviors out', commaList)
  .option('--out <folder>', 'where the reports go', 'reports')
  .option('--corpus <folder>', 'where counterexamples are kept, and replayed from first', 'seeds')
  .option('--seed-count <number>', 'machines that a booted provider starts with', wholeNumber(1), 256)
  .option('--settle-timeout <time>', 'how long a machine may take to come to rest', duration, 60_000)
  .option('--stability-window <time>', 'how long a settled machine is watched', duration, 300)
  .option('--call-timeout <time>', 'deadline of one call', duration, 20_000)
  .option('--known-failing <file>', 'behaviors that fail for now; one that passes fails the run')
  .option('--known-flaky <file>', 'behaviors that may pass or fail')
  .option(
    '--baseline-src <folder>',
    'a checkout of the upstream project, whose Go conformance suite is run as well',
  )
  .option('--baseline-timeout <time>', 'how long the upstream suite may take', duration, 600_000)
  .option('--time-limit <time>', 'end the run after this time with what is known', duration)
  .option('--fault-target <HOST:PORT>', 'a fault-capable provider that is already running')
  .option('--fault-boot <CMD>', 'start the fault-capable provider with this command')
  .option('--fault-runs <number>', 'generated sequences of the fault lane', wholeNumber(0), 100)
  .option('--fault-seed-count <number>', 'machines of a booted fault-capable provider', wholeNumber(1), 1024)
  .option(
    '--transition-timeout <time>',
    'after how long the fault-capable provider gives a transition up',
    duration,
    2_000,
  )
  .option('--crashes <number>', 'kills of the durable lane, at least', wholeNumber(0), 60)
  .option('--durable-seed-count <number>', 'machines of the durable lane', wholeNumber(3), 64)
  .option(
    '--durable-settle <time>',
    'how long a machine may take to come to rest after a kill',
    duration,
    10_000,
  )
  .option(
    '--scale-seed <number>',
    'machines of the largest fleet of the scale lane',
    wholeNumber(100),
    10_000,
  )
  .option('--soak <time>', 'how long the scale lane churns its fleet', duration, 10_000)
  .option('--budget-get <time>', 'p99 of Get at scale', duration, 250)
  .option('--budget-create <time>', 'p99 of Create at scale', duration, 250)
  .option('--budget-list <time>', 'p99 of List at scale', duration, 2_000)
  .option('--budget-full-list <time>', 'one full List at scale', duration, 3_000)
  .addOption(new Option('--mutant <name>', 'give the built-in provider this bug').hideHelp())
  .option('-q, --quiet', 'the verdict only')
  .option('-v, --verbose', 'more detail, and stack traces')
  .action(async (options: CheckOptions) => {
    const { runCheck } = await import('./run-check.js');
    process.exitCode = await runCheck(options, (text) => process.stdout.write(text));
  });

/** Options of every command that meets a provider. */
function meeting(command: Command): Command {
  return command
    .option('--target <HOST:PORT>', 'a provider that is already running')
    .option(
      '--boot <CMD>',
      'start the provider with this command; {addr}, {port}, {seed_count}, {state} and {provider} are filled in',
    )
    .option(
      '--boot-timeout <time>',
      'how long a booted provider may take to answer its first List',
      duration,
      30_000,
    )
    .option('--seed-count <number>', 'machines that a booted provider starts with', wholeNumber(1), 256)
    .option('--corpus <folder>', 'where counterexamples are kept, and replayed from first', 'seeds')
    .option('--settle-timeout <time>', 'how long a machine may take to come to rest', duration, 60_000)
    .option('--stability-window <time>', 'how long a settled machine is watched', duration, 300)
    .option('--call-timeout <time>', 'deadline of one call', duration, 20_000)
    .option('-v, --verbose', 'more detail, and stack traces')
    .addOption(new Option('--mutant <name>', 'give the built-in provider this bug').hideHelp());
}

meeting(program.command('replay'))
  .description('run saved counterexamples again: FIXED, STILL FAILS or ERROR for each')
  .argument('[files...]', 'counterexamples; all of the corpus folder without any')
  .action(async (files: string[], options: CheckOptions) => {
    const { replay } = await import('./replay-command.js');
    process.exitCode = await replay(files, options, print);
  });

program
  .command('list')
  .description('list the 93 behaviors')
  .option('--json', 'as JSON')
  .action(async (options: { json?: boolean }) => {
    const { listJson, listText } = await import('../report/list-text.js');
    process.stdout.write(
      options.json ? `${listJson()}\n` : listText(undefined, process.stdout.columns ?? 100),
    );
  });

program
  .command('explain')
  .description('explain a behavior: what it asserts, why it matters, how to keep it')
  .argument('<behavior>', 'an id such as B303')
  .action(async (id: string) => {
    const { explain } = await import('./explain-command.js');
    process.stdout.write(explain(id, process.stdout.columns ?? 100));
  });

program
  .command('model')
  .description('let the model check itself: explore every reachable state and test its invariants')
  .option('--diagram', 'print the lifecycle as a Mermaid diagram instead')
  .action(async (options: { diagram?: boolean }) => {
    const { modelCommand } = await import('./model-command.js');
    process.exitCode = modelCommand(options, print);
  });

program
  .command('mutants')
  .description('list the bugs that the built-in provider can be given (serve --mutant)')
  .action(async () => {
    const { MUTANTS, VARIANTS } = await import('../provider/index.js');
    for (const { name, breaks, says } of MUTANTS) print(`${breaks.padEnd(6)} ${name}  ${says}`);
    for (const { name, says } of VARIANTS) print(`variant ${name}  ${says}`);
  });

program
  .command('serve')
  .description('serve the built-in reference provider')
  .option('--addr <HOST:PORT>', 'where to listen', '127.0.0.1:9000')
  .option('--seed-count <number>', 'machines in the inventory', wholeNumber(0), 256)
  .option('--provider <name>', 'HostRef.provider of its machines', 'reference')
  .option('--latency <MIN..MAX>', 'how long a transition takes', durationRange, { minMs: 0, maxMs: 2 })
  .option('--no-delete', 'answer every Delete with UNIMPLEMENTED')
  .option('--state <PATH>', 'a folder in which the fleet survives the process')
  .option('--fault', 'fail where a client asks for it (clusters fault-error, fault-timeout, …)')
  .option('--transition-timeout <time>', 'give a transition up after this time', duration)
  .option('--mutant <name>', 'have this bug (bfcheck mutants lists them)')
  .option('--variant <name>', 'be unusual in this correct way')
  .addOption(new Option('--until-stdin-closes').hideHelp())
  .action(async (options: ServeOptions) => {
    const { serve } = await import('./serve.js');
    await serve(options, print);
  });

// Whoever reads the output may stop reading, as `head` does: that is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.certified);
  throw error;
});

/** Commander has told the user already; help and version are no errors. */
function exitCodeOf(error: unknown): number | null {
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('commander.')))
    return null;
  return 'exitCode' in error && error.exitCode === 0 ? EXIT.certified : EXIT.usage;
}

try {
  await program.parseAsync();
} catch (error) {
  const known = exitCodeOf(error);
  const failure = explainFailure(error, process.argv.includes('--verbose') || process.argv.includes('-v'));
  if (known === null) process.stderr.write(`${failure.text}\n`);
  process.exitCode = known ?? failure.code;
}
