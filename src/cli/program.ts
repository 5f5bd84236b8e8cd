/** The commands of `bfcheck`. Nothing heavy is imported before its command runs. */
import { Command, Help } from 'commander';
import { CHECK_OPTION_TABLE, MERGE_OPTION_TABLE, REPLAY_OPTION_TABLE } from './check-option-table.js';
import type { CheckOptions } from './check-options.js';
import type { MergeOptions } from './merge-command.js';
import { type OptionSpec, toOption } from './option-spec.js';
import type { SelfTestOptions } from './self-test-command.js';
import type { ServeOptions } from './serve.js';
import { SERVE_OPTION_TABLE } from './serve-option-table.js';
import { wholeNumber } from './values.js';

/** What the commands do to the outside. */
export interface Effects {
  readonly write: (text: string) => void;
  /** Takes the exit code of a command that has run. */
  readonly exit: (code: number) => void;
  /** Characters a line. */
  readonly columns: number;
}

/** The command line, ready to parse. It throws what goes wrong, commander's own errors included. */
export function buildProgram(version: string, effects: Effects): Command {
  const program = new Command('bfcheck')
    .description(
      'Checks a BigFleet capacity provider against the contract and says, for each of 93 behaviors, whether it keeps it.',
    )
    .version(version, '--version')
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', EXAMPLES);
  const check = addCheck(program, effects);
  showOptionsOf(check, program);
  addReplay(program, effects);
  addMerge(program, effects);
  addInit(program, effects);
  addReaders(program, effects);
  addServe(program, effects);
  addSelfTest(program, effects);
  return program;
}

const EXAMPLES = `
Examples:
  bfcheck                                   check the built-in reference provider
  bfcheck --target localhost:9000           check a provider that is running
  bfcheck --boot './provider --addr={addr}' boot a provider and check it
  bfcheck replay --target localhost:9000    run the saved counterexamples again
  bfcheck explain B303                      what a behavior means and how to keep it

Exit codes: 0 certified, 1 failed, 2 bad usage, 3 environment (unreachable, boot failed), 4 incomplete`;

/** The main command has no name on the command line, so the help of the program shows its options. */
function showOptionsOf(check: Command, program: Command): void {
  program.configureHelp({
    visibleOptions(command) {
      const own = Help.prototype.visibleOptions.call(this, command);
      if (command !== program) return own;
      return [...check.options.filter(({ hidden }) => !hidden), ...own];
    },
  });
}

function withOptions(command: Command, table: readonly OptionSpec[]): Command {
  for (const spec of table) command.addOption(toOption(spec));
  return command;
}

function addCheck(program: Command, { write, exit }: Effects): Command {
  const command = program.command('check', { isDefault: true, hidden: true });
  return withOptions(command, CHECK_OPTION_TABLE)
    .description('check a provider (the default command)')
    .action(async () => {
      const { configured } = await import('./config.js');
      const { runCheck } = await import('./run-check.js');
      exit(await runCheck(await configured<CheckOptions>(command), write));
    });
}

function addReplay(program: Command, { write, exit }: Effects): void {
  const command = program.command('replay');
  withOptions(command, REPLAY_OPTION_TABLE)
    .description('run saved counterexamples again: FIXED, STILL FAILS or ERROR for each')
    .argument('[files...]', 'counterexamples; all of the corpus folder without any')
    .action(async (files: string[]) => {
      const { configured } = await import('./config.js');
      const { replay } = await import('./replay-command.js');
      exit(await replay(files, await configured<CheckOptions>(command), (line) => write(`${line}\n`)));
    });
}

function addMerge(program: Command, { write, exit }: Effects): void {
  const command = program.command('merge');
  withOptions(command, MERGE_OPTION_TABLE)
    .description('merge the blob reports of all parts of a run (--shard) into one verdict and its reports')
    .argument('<paths...>', 'blob reports, or folders that hold them')
    .action(async (paths: string[]) => {
      const { configured } = await import('./config.js');
      const { merge } = await import('./merge-command.js');
      exit(await merge(paths, await configured<MergeOptions>(command), write));
    });
}

function addInit(program: Command, { write }: Effects): void {
  program
    .command('init')
    .description('write a commented bfcheck.config.json and a GitHub Actions workflow; never overwrites')
    .argument('[folder]', 'where to write them', '.')
    .action(async (folder: string) => {
      const { init } = await import('./init.js');
      for (const line of await init(folder)) write(`${line}\n`);
    });
}

/** Commands that only read what bfcheck knows. */
function addReaders(program: Command, { write, exit, columns }: Effects): void {
  program
    .command('list')
    .description('list the 93 behaviors')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const { listJson, listText } = await import('../report/list-text.js');
      write(options.json ? listJson() : listText(undefined, columns));
    });
  program
    .command('explain')
    .description('explain a behavior: what it asserts, why it matters, how to keep it')
    .argument('<behavior>', 'an id such as B303')
    .action(async (id: string) => {
      const { explain } = await import('./explain-command.js');
      write(explain(id, columns));
    });
  program
    .command('model')
    .description('let the model check itself: explore every reachable state and test its invariants')
    .option('--diagram', 'print the lifecycle as a Mermaid diagram instead')
    .action(async (options: { diagram?: boolean }) => {
      const { modelCommand } = await import('./model-command.js');
      exit(modelCommand(options, (line) => write(`${line}\n`)));
    });
  program
    .command('mutants')
    .description('list the bugs that the built-in provider can be given (serve --mutant)')
    .action(async () => {
      const { MUTANTS, VARIANTS } = await import('../provider/index.js');
      for (const { name, breaks, says } of MUTANTS) write(`${breaks.padEnd(6)} ${name}  ${says}\n`);
      for (const { name, says } of VARIANTS) write(`variant ${name}  ${says}\n`);
    });
}

function addServe(program: Command, { write }: Effects): void {
  withOptions(program.command('serve'), SERVE_OPTION_TABLE)
    .description('serve the built-in reference provider')
    .action(async (options: ServeOptions) => {
      const { serve } = await import('./serve.js');
      await serve(options, (line) => write(`${line}\n`));
    });
}

function addSelfTest(program: Command, { write, exit }: Effects): void {
  program
    .command('self-test')
    .description(
      'check the checker: against providers that are wrong, and against unusual ones that are right',
    )
    .option('--full', 'twenty seeds for every mutant, a thousand for the healthy provider, every table')
    .option(
      '--mutants <pattern>',
      'only these mutants (a glob over their names, or the behaviors they break)',
      '*',
    )
    .option('--seeds <number>', 'seeds for every mutant', wholeNumber(1))
    .option('--healthy-seeds <number>', 'seeds for the healthy provider', wholeNumber(1))
    .option('--jobs <number>', 'processes; one for every core without it', wholeNumber(1))
    .option(
      '--time-scale <factor>',
      'every provider is so many times slower, and the checker so many times more patient',
      wholeNumber(1),
      1,
    )
    .option('--out <folder>', 'where self-test.json goes', 'reports')
    .option('--doc <file>', 'write the page of tables there as well')
    .action(async (options: SelfTestOptions) => {
      const { selfTest } = await import('./self-test-command.js');
      exit(await selfTest(options, write));
    });
}
