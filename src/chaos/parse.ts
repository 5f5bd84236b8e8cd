import ms from 'ms';
import { CALM, type ChaosOptions } from './options.js';

/** The words do not describe a network; the message is one line that says what was expected. */
export class ChaosSyntaxError extends Error {
  override readonly name = 'ChaosSyntaxError';
}

/** How long a stall lasts where the user names no length, in milliseconds. */
const STALL_MS = 1_000;

/** The reader of each key's value, with an example of what it takes. */
const KEYS: Readonly<Record<string, { readonly example: string; readonly read: Reader }>> = {
  latency: { example: '5..50', read: (text) => ({ latency: range(text) }) },
  jitter: { example: '20', read: (text) => ({ jitterMs: time(text) }) },
  reset: { example: '0.01', read: (text) => ({ reset: chance(text) }) },
  stall: { example: '0.005 or 0.005/2s', read: (text) => ({ stall: stall(text) }) },
  partition: { example: '2s/30s', read: (text) => ({ partition: partition(text) }) },
};

/** Reads a value; throws BadValue where it is none. */
type Reader = (text: string) => Partial<ChaosOptions>;

/** A value that is not what its key takes. */
class BadValue extends Error {}

/**
 * Reads a description such as `latency=5..50,jitter=20,reset=0.01,stall=0.005,partition=2s/30s`. Every key is
 * optional; bare numbers are milliseconds, except for the chances `reset` and `stall`.
 *
 * @throws ChaosSyntaxError in one line, for an unknown key with the nearest known one.
 */
export function parseChaos(text: string): ChaosOptions {
  const given = new Set<string>();
  const chaos = { ...CALM };
  for (const part of text.split(',')) {
    const [key = '', value, ...rest] = part.split('=').map((word) => word.trim());
    if (value === undefined || rest.length > 0) {
      throw new ChaosSyntaxError(`expected KEY=VALUE such as latency=5..50, saw ${JSON.stringify(part)}`);
    }
    if (given.has(key)) throw new ChaosSyntaxError(`${JSON.stringify(key)} is given twice; give it once`);
    given.add(key);
    Object.assign(chaos, readValue(key, value));
  }
  return chaos;
}

function readValue(key: string, value: string): Partial<ChaosOptions> {
  const known = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (known === undefined) throw new ChaosSyntaxError(unknownKey(key));
  try {
    return known.read(value);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new ChaosSyntaxError(
      `expected ${key}=${known.example}${error.message}, saw ${key}=${JSON.stringify(value)}`,
    );
  }
}

function unknownKey(key: string): string {
  const known = Object.keys(KEYS);
  const alike = known.filter((name) => distance(name, key) <= 2 || (key.length > 2 && name.startsWith(key)));
  const hint = alike.length > 0 ? `; did you mean ${alike.join(' or ')}?` : '';
  return `unknown chaos ${JSON.stringify(key)}${hint || `; known are ${known.join(', ')}`}`;
}

function time(text: string): number {
  const value = text === '' ? undefined : ms(text as ms.StringValue);
  if (value === undefined || !Number.isFinite(value) || value < 0) throw new BadValue('');
  return value;
}

function range(text: string): ChaosOptions['latency'] {
  const [from = '', to = from, ...rest] = text.split('..');
  if (rest.length > 0) throw new BadValue('');
  const [minMs, maxMs] = [time(from), time(to)];
  if (minMs > maxMs) throw new BadValue(' with the smaller one first');
  return { minMs, maxMs };
}

function chance(text: string): number {
  const value = Number(text);
  if (!/^[\d.]+$/.test(text) || !(value >= 0 && value <= 1)) throw new BadValue(', a chance from 0 to 1');
  return value;
}

function stall(text: string): ChaosOptions['stall'] {
  const [odds = '', length, ...rest] = text.split('/');
  if (rest.length > 0) throw new BadValue('');
  return { chance: chance(odds), ms: length === undefined ? STALL_MS : time(length) };
}

function partition(text: string): ChaosOptions['partition'] {
  const [length = '', period = '', ...rest] = text.split('/');
  if (rest.length > 0) throw new BadValue('');
  const [lengthMs, periodMs] = [time(length), time(period)];
  if (lengthMs >= periodMs) throw new BadValue(', a length shorter than its period');
  return lengthMs === 0 ? null : { lengthMs, periodMs };
}

/** Insertions, deletions and replacements that lead from one word to another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] ?? 0) + (letter === to[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
