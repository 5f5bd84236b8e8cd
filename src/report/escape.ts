/**
 * Makes words that came from a provider fit to be shown to people. Ids, error messages and map keys are data: they
 * may hold terminal escapes, bidirectional overrides or a megabyte of text, and none of that may act on the reader.
 */

/** How much of a foreign text is shown where nothing else is said, in UTF-16 units. */
export const SHOWN_LENGTH = 400;
/** How much of a foreign text report.json keeps, in UTF-16 units; corpus files keep everything. */
export const KEPT_LENGTH = 4096;

/**
 * Control characters (C0, DEL, C1), format characters (bidirectional overrides, zero-width ones, tags), line and
 * paragraph separators, halves of surrogate pairs, private-use and unassigned characters.
 */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;
/** More marks on one letter than any language writes would run over the lines above and below. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** CI servers obey lines of output such as `::error::text`, `##[group]` or `##teamcity[...]`; a provider may not give orders. */
const CI_COMMANDS = /(?<=^|\s):(?=:)|#(?=#\w*\[)/g;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * The text on one line, everything invisible or active written out (`\x1b`, `\n`, `\u202e`), and cut after `longest`
 * UTF-16 units with a note of how much is missing. For reading, not for parsing back.
 */
export function visible(text: string, longest: number = SHOWN_LENGTH): string {
  const kept = cut(text, longest);
  return kept.note === '' ? escaped(kept.text) : `${escaped(kept.text)}${kept.note}`;
}

/** The text as it is, but cut after `longest` UTF-16 units with a note; for machines, which escape by themselves. */
export function limited(text: string, longest: number = KEPT_LENGTH): string {
  const kept = cut(text, longest);
  return `${kept.text}${kept.note}`;
}

/** An id in few characters: both ends stay, because ids tend to differ in either. */
export function shortId(id: string, longest = 24): string {
  const shown = visible(id, 4 * longest);
  if (shown.length <= longest) return shown;
  const half = Math.floor((longest - 1) / 2);
  const points = [...shown];
  return `${points.slice(0, half).join('')}…${points.slice(-half).join('')}`;
}

/** A foreign text in quotes. */
export function quoted(text: string, longest: number = SHOWN_LENGTH): string {
  return `"${visible(text, longest)}"`;
}

function escaped(text: string): string {
  return text
    .replace(UNSHOWABLE, (character) => SHORT_ESCAPES[character] ?? codeEscape(character))
    .replace(STACKED_MARKS, '$1…')
    .replace(CI_COMMANDS, codeEscape);
}

function codeEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

/** What a cut leaves at the end; a text that is cut again must not forget what went before. */
const NOTE = /… \(([\d,]{1,20}) more characters\)$/;

function cut(text: string, longest: number): { text: string; note: string } {
  if (text.length <= longest) return { text, note: '' };
  const noted = NOTE.exec(text.slice(-60));
  const missing = noted ? Number(noted[1]?.replaceAll(',', '')) - noted[0].length : 0;
  // A cut through a surrogate pair would turn a good character into garbage of our own making.
  const end = isLead(text.charCodeAt(longest - 1)) ? longest - 1 : longest;
  return { text: text.slice(0, end), note: `… (${grouped(text.length - end + missing)} more characters)` };
}

function isLead(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** A count with separators between thousands, the same in every locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
