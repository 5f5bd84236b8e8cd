/** HTML that cannot be broken out of: every value put into a template is escaped unless it is markup already. */
import { jsonText } from '../../engine/json-text.js';
import { visible } from '../escape.js';

/** HTML that was made by this module; only {@link html} and {@link trusted} make any. */
export class Markup {
  constructor(readonly text: string) {}
}
type Value = Markup | string | number | boolean | null | undefined | readonly Value[];

/** A foreign text of this length or longer is cut before it goes into the page, in UTF-16 units. */
const LONGEST = 4400;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text fit for element content and for quoted attributes; what is invisible or active is written out. */
export function escapeHtml(text: string): string {
  return visible(text, LONGEST).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * A template whose values are escaped; lists are joined, and null, undefined and false leave nothing. Attribute
 * values must stand in quotes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(
    strings.map((part, index) => (index === 0 ? part : render(values[index - 1]) + part)).join(''),
  );
}

/** Takes constant text of our own as markup. Never for anything that came from outside. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false || value === true) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value.map(render).join('');
}

/** Data as JSON for a script element that is not run: no `<` in it can end the element, nothing in it acts on a terminal. */
export function jsonForScript(data: unknown): Markup {
  return new Markup(
    jsonText(data).replace(
      /[<>&]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
}
