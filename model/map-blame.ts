/** Which behavior a map breaks that is not the one sent: what is missing or changed tells. */
import type { BehaviorId } from './registry.js';

type Entry = readonly [key: string, value: string];
type StringMap = ReadonlyMap<string, string>;

/** From so many entries on, or from values of so many UTF-16 units on, a loss may be a matter of size (B503). */
const MANY = 33;
const LONG = 200;

/** What an entry may have that a careless provider does not expect. */
const KINDS: readonly { readonly has: (entry: Entry) => boolean; readonly breaks: BehaviorId }[] = [
  { has: ([, value]) => value === '', breaks: 'B501' },
  // Beyond what B501 lists: any valid UTF-8 (B1202).
  { has: matches(/[\u{10000}-\u{10ffff}\ufeff]/u), breaks: 'B1202' },
  { has: ([key]) => key in {} || key.trim() !== key, breaks: 'B1202' },
  { has: matches(/\p{Cc}/u), breaks: 'B501' },
  { has: matches(/[^\0-\x7f]/u), breaks: 'B501' },
];

function matches(pattern: RegExp): (entry: Entry) => boolean {
  return ([key, value]) => pattern.test(key) || pattern.test(value);
}

/**
 * The behaviors that `shown` breaks where `sent` was bound, the most specific first.
 * @param rebound whether the machine had a binding before, which keys that nobody sent may be left from
 */
export function behaviorsOfMap(sent: StringMap, shown: StringMap, rebound = true): readonly BehaviorId[] {
  const differing = [...sent].filter(([key, value]) => shown.get(key) !== value);
  // Everything that was sent is there: what else is shown came from somewhere else.
  if (differing.length === 0) return rebound ? ['B502', 'B501', 'B1202'] : ['B501', 'B1202'];
  const kind = KINDS.find(({ has }) => differing.every(has));
  const large = sent.size >= MANY || differing.some(([, value]) => value.length >= LONG);
  const fewer = kind === undefined && shown.size < sent.size;
  if (large && (fewer || isTail(differing, sent, shown) || isCut(differing, shown)))
    return ['B503', 'B501', 'B1202'];
  return kind?.breaks === 'B1202' ? ['B1202', 'B501'] : ['B501', 'B1202'];
}

/** Whether just the last entries are missing: a count that was cut, whatever was in them. */
function isTail(differing: readonly Entry[], sent: StringMap, shown: StringMap): boolean {
  const tail = [...sent.keys()].slice(-differing.length);
  return differing.every(([key], i) => key === tail[i] && !shown.has(key)) && differing.length < sent.size;
}

/** Whether just long values are shorter than they were. */
function isCut(differing: readonly Entry[], shown: StringMap): boolean {
  return differing.every(([key, value]) => value.length >= LONG && value.startsWith(shown.get(key) ?? '\0'));
}
