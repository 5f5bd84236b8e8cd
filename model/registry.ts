/**
 * The registry: the 93 behaviors that a certified provider keeps, as frozen data.
 *
 * Append only. An id is never used for something else and never deleted, because reports, corpus files and
 * known-failing lists of users name it; a new behavior takes the next free id at the end of its area. The
 * holes (B102, B304, all of B6xx) are holes of the conformance program that this registry follows; they stay empty.
 */
import { AREAS } from './registry/areas.js';
import type { IdsOf, Profile, RegisteredBehavior } from './registry/behavior.js';
import { CONCURRENCY } from './registry/concurrency.js';
import { DURABILITY } from './registry/durability.js';
import { FENCING } from './registry/fencing.js';
import { FIELD_SHAPE } from './registry/field-shape.js';
import { LIFECYCLE } from './registry/lifecycle.js';
import { LIST } from './registry/list.js';
import { METADATA } from './registry/metadata.js';
import { PROPERTY } from './registry/property.js';
import { SCALE } from './registry/scale.js';
import { closest } from './registry/suggest.js';
import { TIMEOUTS } from './registry/timeouts.js';
import { TRANSITION_MATRIX } from './registry/transition-matrix.js';

export type { Area, AreaId } from './registry/areas.js';
export type { Capability, Phase, Profile, Reading } from './registry/behavior.js';
export { PROFILES } from './registry/behavior.js';
export { AREAS };

/** The id of a registered behavior; a misspelt one does not compile. */
export type BehaviorId =
  | IdsOf<typeof LIFECYCLE>
  | IdsOf<typeof TRANSITION_MATRIX>
  | IdsOf<typeof FENCING>
  | IdsOf<typeof CONCURRENCY>
  | IdsOf<typeof METADATA>
  | IdsOf<typeof TIMEOUTS>
  | IdsOf<typeof FIELD_SHAPE>
  | IdsOf<typeof LIST>
  | IdsOf<typeof DURABILITY>
  | IdsOf<typeof SCALE>
  | IdsOf<typeof PROPERTY>;

/** A registered behavior. */
export type Behavior = RegisteredBehavior<BehaviorId>;

/** Every behavior, by area and then by id: the order of every report. */
export const BEHAVIORS: readonly Behavior[] = Object.freeze([
  ...LIFECYCLE,
  ...TRANSITION_MATRIX,
  ...FENCING,
  ...CONCURRENCY,
  ...METADATA,
  ...TIMEOUTS,
  ...FIELD_SHAPE,
  ...LIST,
  ...DURABILITY,
  ...SCALE,
  ...PROPERTY,
]);

const BY_ID: ReadonlyMap<string, Behavior> = new Map(BEHAVIORS.map((entry) => [entry.id, entry]));

/** Whether a text is the id of a registered behavior, spelt exactly. */
export function isBehaviorId(text: string): text is BehaviorId {
  return BY_ID.has(text);
}

/** The behavior with this id. Throws a RangeError for an id that only a cast can have produced. */
export function behavior(id: BehaviorId): Behavior {
  const found = BY_ID.get(id);
  if (found === undefined) throw new RangeError(`no behavior has the id ${JSON.stringify(id)}`);
  return found;
}

/**
 * The behaviors that a claim of these profiles requires, in registry order. A behavior that lists several
 * profiles is required as soon as one of them is claimed, so B802 (core, spot) binds every core provider.
 *
 * `bare-metal` is listed by no behavior: it stands for everything of `core` on a free pool, where Delete
 * answers UNIMPLEMENTED. Behaviors that presuppose a working Delete (capability `Delete`: B109, B409, B807)
 * are in the answer here, too, and are skipped with that reason once the probe has seen UNIMPLEMENTED; those
 * that only bound what Delete may do (B204, B215) allow UNIMPLEMENTED and are decided as usual.
 */
export function behaviorsOf(profiles: Iterable<Profile>): readonly Behavior[] {
  const claimed = new Set<Profile>(profiles);
  if (claimed.has('bare-metal')) claimed.add('core');
  return BEHAVIORS.filter((entry) => entry.profiles.some((profile) => claimed.has(profile)));
}

/** A pattern that names no behavior; the message is one line and fit to be shown to the user as it is. */
export class UnmatchedPatternError extends Error {
  override readonly name = 'UnmatchedPatternError';
}

/**
 * The behaviors that a pattern names, in registry order: an id (`B303`), a glob over ids (`B3*` is every id
 * that begins with B3, `B1??` the lifecycle area, `*` everything) or the id of an area (`fencing`). Letter
 * case and surrounding space do not matter. Throws an UnmatchedPatternError when nothing matches, so that a
 * misspelt entry of a list never passes for an empty one.
 */
export function matchBehaviors(pattern: string): readonly Behavior[] {
  const wanted = pattern.trim().toLowerCase();
  const glob = globToRegExp(wanted);
  const matches = BEHAVIORS.filter((entry) => entry.area === wanted || glob.test(entry.id.toLowerCase()));
  if (matches.length === 0) throw new UnmatchedPatternError(unmatchedMessage(pattern.trim()));
  return matches;
}

function globToRegExp(glob: string): RegExp {
  const source = glob
    // Runs of stars mean the same as one, and one cannot backtrack without end.
    .replace(/\*+/g, '*')
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`);
}

function unmatchedMessage(pattern: string): string {
  const shown = JSON.stringify(pattern.length > 60 ? `${pattern.slice(0, 60)}…` : pattern);
  const names = [...BEHAVIORS.map((entry) => entry.id), ...AREAS.map((area) => area.id)];
  const near = pattern.length > 60 ? null : closest(pattern, names);
  const advice =
    near === null
      ? 'give an id such as B303, a glob such as B3*, or an area such as fencing'
      : `did you mean ${near}?`;
  return `no behavior matches ${shown}; ${advice}`;
}
