/** The text of a config file as entries with their places. No object is built from foreign keys. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A value that some option may take. */
export type ConfigValue = string | number | boolean | readonly string[];

/** One key of the file. */
export interface ConfigEntry {
  readonly key: string;
  /** Null where the value is of a kind that no option takes. */
  readonly value: ConfigValue | null;
  /** `line:column`, both from 1. */
  readonly place: string;
}

/** What a file says, and what is wrong with it, one line each. */
export interface ConfigText {
  readonly entries: readonly ConfigEntry[];
  readonly problems: readonly string[];
}

/** Reads JSON with comments and trailing commas: one object, every key once. */
export function readConfigText(text: string): ConfigText {
  const errors: ParseError[] = [];
  const root = treeOf(text.replace(/^\ufeff/, ' '), errors);
  if (root === null) return refused(text, 0, 'nested deeper than any config');
  const [error] = errors;
  // Only the first: what follows a syntax error is mostly an echo of it.
  if (error) return refused(text, error.offset, `not JSON: ${wordsOf(printParseErrorCode(error.error))}`);
  if (root?.type !== 'object') return refused(text, root?.offset ?? 0, 'expected an object: { "seed": 42 }');
  const entries = (root.children ?? []).flatMap((property) => entryOf(property, text));
  const seen = new Set<string>();
  const problems = entries
    .filter(({ key }) => seen.size === seen.add(key).size)
    .map(({ key, place }) => `${place}: ${JSON.stringify(key)} is given twice`);
  return { entries, problems };
}

/** Null where it is nested so deeply that the parser gives up. */
function treeOf(text: string, errors: ParseError[]): Node | undefined | null {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function refused(text: string, offset: number, what: string): ConfigText {
  return { entries: [], problems: [`${placeOf(text, offset)}: ${what}`] };
}

function entryOf({ children }: Node, text: string): ConfigEntry[] {
  const [key, value] = children ?? [];
  if (key === undefined || value === undefined) return [];
  return [{ key: String(key.value), value: settingIn(value), place: placeOf(text, key.offset) }];
}

function settingIn({ type, value, children }: Node): ConfigValue | null {
  if (type === 'string' || type === 'number' || type === 'boolean') return value;
  if (type !== 'array') return null;
  const items = (children ?? []).map((item) => item.value);
  return items.every((item) => typeof item === 'string') ? items : null;
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/** `PropertyNameExpected` as `property name expected`. */
function wordsOf(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
