/** JSON that can be shown on a terminal as it is. */

/**
 * What acts on a reader or is invisible: C1 controls and DEL (JSON escapes the others by itself), bidirectional
 * overrides and other format characters, line and paragraph separators, private-use and unassigned characters.
 */
const RAW = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/**
 * `value` as JSON in which every such character is escaped (`\u009b`), so that nobody is harmed who looks at the file
 * with `cat`; it parses to the same strings.
 * @param indent spaces of one level; 0 for one line
 */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(RAW, escaped);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => unitEscape(character.charCodeAt(at))).join('');
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
