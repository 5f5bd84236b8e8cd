import type { Behavior } from '../../model/registry.js';

/** The part of an entry that is frozen: what the id stands for and whom it binds. */
export type FrozenEntry = Pick<Behavior, 'area' | 'title' | 'profiles' | 'capability' | 'phase'> & {
  readonly id: string;
  /** Whether a second, wider reading exists. */
  readonly twoReadings: boolean;
};

export function frozenPart(entry: Behavior): FrozenEntry {
  const { id, area, title, profiles, capability, phase, reading } = entry;
  return { id, area, title, profiles, capability, phase, twoReadings: reading !== null };
}

/** In which ways `now` breaks the append-only rule against `before`; one sentence each, empty when it keeps it. */
export function brokenPromises(before: readonly FrozenEntry[], now: readonly FrozenEntry[]): string[] {
  const current = new Map(now.map((entry) => [entry.id, entry]));
  return [
    ...before.flatMap((old) => {
      const entry = current.get(old.id);
      return entry === undefined ? [`${old.id} was removed`] : changesOf(old, entry);
    }),
    ...misplaced(before, now),
  ];
}

function changesOf(old: FrozenEntry, entry: FrozenEntry): string[] {
  const dropped = old.profiles.filter((profile) => !entry.profiles.includes(profile));
  const added = entry.profiles.filter((profile) => !old.profiles.includes(profile));
  const gated = old.capability === null && entry.capability !== null;
  return [
    ...dropped.map((profile) => `${old.id} was weakened: profile ${profile} dropped`),
    ...added.map((profile) => `${old.id} was changed: profile ${profile} added`),
    ...(gated ? [`${old.id} was weakened: capability ${entry.capability} now gates it`] : []),
    ...(!gated && entry.capability !== old.capability ? [`${old.id} was changed: another capability`] : []),
    ...(entry.twoReadings && !old.twoReadings ? [`${old.id} was weakened: a wider reading was added`] : []),
    ...(!entry.twoReadings && old.twoReadings ? [`${old.id} was changed: its wider reading is gone`] : []),
    ...(entry.area !== old.area ? [`${old.id} was reused: it moved to ${entry.area}`] : []),
    ...(entry.phase !== old.phase ? [`${old.id} was reused: phase ${entry.phase}`] : []),
    ...(entry.title !== old.title ? [`${old.id} was reused: it says something else`] : []),
  ];
}

/** New entries stand behind all older ones of their area, both in the list and by number. */
function misplaced(before: readonly FrozenEntry[], now: readonly FrozenEntry[]): string[] {
  const known = new Set(before.map((entry) => entry.id));
  return now.flatMap((entry, index) => {
    if (known.has(entry.id)) return [];
    const older = before.filter((old) => old.area === entry.area);
    const followsInList = now
      .slice(index + 1)
      .every((later) => later.area !== entry.area || !known.has(later.id));
    const followsByNumber = older.every((old) => numberOf(old.id) < numberOf(entry.id));
    return followsInList && followsByNumber ? [] : [`${entry.id} is new but not at the end of ${entry.area}`];
  });
}

/** The number in an id. */
export function numberOf(id: string): number {
  return Number(id.slice(1));
}
