/**
 * Something around the provider is wrong, so no behavior can be judged: nothing listens, it is not gRPC, the
 * target is misspelt. The message is one line for people: what was expected, what was seen, what to do.
 */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

const LONGEST_QUOTE = 200;

/**
 * Quotes words that came from outside (a server, a command line) for use in a one-line message: no line
 * breaks, no terminal escapes, no invisible characters, at most 200 UTF-16 units of the original.
 */
export function quoteForeign(words: string): string {
  const shown = words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE)}…` : words;
  return JSON.stringify(shown.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\uFFFD'));
}
