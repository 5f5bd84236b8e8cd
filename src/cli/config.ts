/**
 * The config file: the options of the command line under the same names in camel case, as JSON with comments. What
 * the command line says wins. Every value goes through the reader of its option, so both refuse the same things.
 */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { closest } from '../../model/registry/suggest.js';
import { CHECK_OPTION_TABLE } from './check-option-table.js';
import { type ConfigEntry, type ConfigValue, readConfigText } from './config-text.js';
import { UsageErrors } from './failure.js';
import { keyOf, type OptionSpec, toOption } from './option-spec.js';

/** The file that is read where `--config` names none. */
export const CONFIG_FILE = 'bfcheck.config.json';

/** What a config file may say. */
export const CONFIG_OPTION_TABLE: readonly OptionSpec[] = CHECK_OPTION_TABLE.filter(
  ({ lineOnly }) => lineOnly !== true,
);

/** Options that exclude each other: one of them on the command line silences the other in the file. */
const RIVALS: Readonly<Record<string, string>> = {
  target: 'boot',
  boot: 'target',
  faultTarget: 'faultBoot',
  faultBoot: 'faultTarget',
  quiet: 'verbose',
  verbose: 'quiet',
};

/**
 * The options of a parsed command, what the command line leaves open filled in from the config file.
 * @throws UsageErrors with a line for everything that is wrong with the file
 */
export async function configured<Options extends object>(command: Command): Promise<Options> {
  const { config } = command.opts<{ config?: string }>();
  for (const [key, value] of await settingsOf(config)) {
    const said = [key, RIVALS[key] ?? key].some((name) => command.getOptionValueSource(name) === 'cli');
    const taken = command.options.some((option) => option.attributeName() === key);
    if (taken && !said) command.setOptionValueWithSource(key, value, 'config');
  }
  return command.opts<Options>();
}

/** What the file says, read by the options' own readers; nothing where no file is named and there is none. */
async function settingsOf(named: string | undefined): Promise<ReadonlyMap<string, unknown>> {
  const file = named ?? CONFIG_FILE;
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (named === undefined && error.code === 'ENOENT') return null;
    throw new UsageErrors([`${file}: cannot be read (${error.message})`]);
  });
  return text === null ? new Map() : settingsIn(text, file);
}

/**
 * The settings in the text of a config file, by key.
 * @throws UsageErrors
 */
export function settingsIn(text: string, file: string): ReadonlyMap<string, unknown> {
  const { entries, problems } = readConfigText(text);
  const lines = problems.map((problem) => `${file}:${problem}`);
  const settings = new Map<string, unknown>();
  for (const entry of entries) {
    if (entry.key === '$schema') continue;
    try {
      settings.set(entry.key, settingOf(entry));
    } catch (error) {
      lines.push(`${file}:${entry.place}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (lines.length > 0) throw new UsageErrors(lines);
  return settings;
}

function settingOf({ key, value }: ConfigEntry): unknown {
  const spec = CONFIG_OPTION_TABLE.find((candidate) => keyOf(candidate) === key);
  if (spec === undefined) throw new Error(unknownKey(key));
  const texts = textsOf(value, spec);
  const name = JSON.stringify(key);
  if (texts === null) throw new Error(`${name}: expected ${expectation(spec)}, saw ${JSON.stringify(value)}`);
  if (spec.kind.type === 'switch') return value;
  const read = toOption(spec).parseArg;
  if (!read) return texts[0];
  try {
    return texts.reduce<unknown>((before, text) => read(text, before), undefined) ?? [];
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message.replace(/\.$/, '') : String(error)}`);
  }
}

/** The value as words of a command line, or null where the option takes no value of that kind. */
function textsOf(value: ConfigValue | null, { kind }: OptionSpec): readonly string[] | null {
  switch (kind.type) {
    case 'switch':
      return typeof value === 'boolean' ? [] : null;
    case 'count':
      return typeof value === 'number' ? [String(value)] : null;
    case 'time':
      return typeof value === 'number' || typeof value === 'string' ? [String(value)] : null;
    case 'list':
      return typeof value === 'object' && value !== null && value.length > 0 ? value : null;
    default:
      return typeof value === 'string' ? [value] : null;
  }
}

const EXPECTATIONS = {
  switch: 'true or false',
  count: 'a whole number',
  time: 'a duration such as "2s", or milliseconds',
  list: 'a list of strings, one at least',
} as const;

function expectation({ kind: { type } }: OptionSpec): string {
  return type in EXPECTATIONS ? EXPECTATIONS[type as keyof typeof EXPECTATIONS] : 'a string';
}

function unknownKey(key: string): string {
  const keys = CONFIG_OPTION_TABLE.map(keyOf);
  const bare = key.replace(/^-+/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const near = keys.includes(bare) ? bare : closest(bare, keys);
  return `unknown key ${JSON.stringify(key)}${near === null ? '' : `; did you mean "${near}"?`}`;
}
