/** Options as data, so that the parser, the help, the config file, its schema and the docs all say the same. */
import { Option } from 'commander';
import { commaList, duration, durationRange, wholeNumber } from './values.js';

/** What an option takes. Times are durations such as `500ms` or `2s`; a bare number is milliseconds. */
export type OptionKind =
  | { readonly type: 'text' }
  | { readonly type: 'count'; readonly least: number }
  | { readonly type: 'time' }
  | { readonly type: 'range' }
  | { readonly type: 'list' }
  | { readonly type: 'choice'; readonly of: readonly string[] }
  | { readonly type: 'switch' }
  | { readonly type: 'other'; readonly parse: (text: string) => unknown };

/** One option of a command. */
export interface OptionSpec {
  /** As commander reads them: `-q, --quiet`, `--seed <number>`. */
  readonly flags: string;
  /** One sentence without a full stop. */
  readonly says: string;
  readonly kind: OptionKind;
  /** What holds when it is not given; durations in milliseconds. Absent: nothing does. */
  readonly fallback?: string | number | { readonly minMs: number; readonly maxMs: number };
  /** The heading that it stands under in the help. */
  readonly group?: string;
  /** True where only the command line can say it, never a config file. */
  readonly lineOnly?: true;
  /** True for options that exist for bfcheck's own tests. */
  readonly hidden?: true;
}

/** The option as commander takes it. */
export function toOption(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.says);
  const { kind, fallback } = spec;
  if (kind.type === 'choice') option.choices([...kind.of]);
  else {
    const parse = parserOf(kind);
    if (parse) option.argParser(parse);
  }
  if (fallback !== undefined) option.default(fallback, fallbackText(spec) ?? undefined);
  if (spec.group !== undefined) option.helpGroup(spec.group);
  return spec.hidden ? option.hideHelp() : option;
}

/** The name under which commander and the config file know it: `--fault-seed-count` is `faultSeedCount`. */
export function keyOf({ flags }: OptionSpec): string {
  return new Option(flags).attributeName();
}

/** The default as a user would write it, or null where there is none. */
export function fallbackText({ kind, fallback }: OptionSpec): string | null {
  if (fallback === undefined) return null;
  if (typeof fallback === 'object') return `${fallback.minMs}..${fallback.maxMs}ms`;
  return kind.type === 'time' && typeof fallback === 'number' ? timeText(fallback) : String(fallback);
}

function timeText(ms: number): string {
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms >= 1000 && ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}

type Parser = (text: string, before: unknown) => unknown;

function parserOf(kind: OptionKind): Parser | null {
  switch (kind.type) {
    case 'count':
      return wholeNumber(kind.least);
    case 'time':
      return duration;
    case 'range':
      return durationRange;
    case 'list':
      return (text, before) => commaList(text, Array.isArray(before) ? before.map(String) : undefined);
    case 'other':
      return kind.parse;
    default:
      return null;
  }
}
