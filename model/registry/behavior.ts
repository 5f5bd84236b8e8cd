/** What a registry entry consists of, and how an area's list of entries is frozen into one. */
import type { AreaId } from './areas.js';

/** The profiles that a provider can claim, in the order in which reports show them. */
export const PROFILES = ['core', 'cloud', 'spot', 'bare-metal', 'fault', 'durable', 'scale'] as const;
/** What a provider claims to be; see `behaviorsOf` for what each claim requires. */
export type Profile = (typeof PROFILES)[number];

/**
 * What a provider must be able to do before a behavior can be decided on it at all. `Delete` and
 * `SinceRevision` are properties of the provider and are probed over the wire; `Fault`, `Durable` and
 * `Scale` say that the lane of that name is needed (contract section 7).
 */
export type Capability = 'Delete' | 'SinceRevision' | 'Fault' | 'Durable' | 'Scale';

/** When a behavior became decidable: 2 needs only the six RPCs, 4 the fault or durable lane, 5 the scale lane. */
export type Phase = 2 | 4 | 5;

/**
 * The two readings of a behavior that providers in the field understand differently (contract section 9).
 * `literal` decides by default; `reference` says what the other reading accepts in addition.
 */
export interface Reading {
  readonly literal: string;
  readonly reference: string;
}

/** One registered behavior. `Id` is narrowed to the registered ids by `model/registry.ts`. */
export interface RegisteredBehavior<Id extends string = string> {
  readonly id: Id;
  readonly area: AreaId;
  /** The assertion in one line, in terms of what is seen on the wire. */
  readonly title: string;
  /** The profiles that list this behavior: claiming any one of them requires it. Never empty. */
  readonly profiles: readonly Profile[];
  /** null: every provider can be judged. Otherwise the behavior is skipped where the capability is absent. */
  readonly capability: Capability | null;
  readonly phase: Phase;
  /** Whether the six RPCs against a running endpoint are enough (phase 2). */
  readonly blackBox: boolean;
  /** null where the contract can be read in one way only. */
  readonly reading: Reading | null;
}

/** An entry as written in an area's file; what is the same for the whole area is added by `defineArea`. */
export interface BehaviorEntry<Id extends `B${number}`> {
  readonly id: Id;
  readonly title: string;
  readonly profiles?: readonly [Profile, ...Profile[]];
  readonly capability?: Capability;
  readonly reading?: Reading;
}

/** What the entries of an area share unless they say otherwise. */
export interface AreaDefaults {
  readonly area: AreaId;
  readonly phase: Phase;
  readonly profiles: readonly [Profile, ...Profile[]];
  readonly capability: Capability | null;
}

/** Completes and deeply freezes an area's entries, keeping the union of their ids in the type. */
export function defineArea<const Id extends `B${number}`>(
  defaults: AreaDefaults,
  entries: readonly BehaviorEntry<Id>[],
): readonly RegisteredBehavior<Id>[] {
  return Object.freeze(
    entries.map((entry) =>
      Object.freeze({
        id: entry.id,
        area: defaults.area,
        title: entry.title,
        profiles: Object.freeze([...(entry.profiles ?? defaults.profiles)]),
        capability: entry.capability ?? defaults.capability,
        phase: defaults.phase,
        blackBox: defaults.phase === 2,
        reading: entry.reading === undefined ? null : Object.freeze({ ...entry.reading }),
      }),
    ),
  );
}

/** The union of the ids in an area's list. */
export type IdsOf<List extends readonly RegisteredBehavior[]> = List[number]['id'];
