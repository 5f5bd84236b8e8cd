import { createHash } from 'node:crypto';
import type { Database } from 'lmdb';
import type { Spec } from './machine.js';
import { specFrom, specText } from './machine-text.js';

/** The specs of a stored fleet, each kept once under a name made of its content. */
export interface SpecTable {
  /** The name of a spec, which is written before anything that names it. */
  nameOf(spec: Spec): string;
  /** Reads all specs, by name. */
  load(): ReadonlyMap<string, Spec>;
  /** Forgets what was loaded, except these. */
  forget(except: ReadonlySet<Spec>): void;
}

/** Keeps specs in a table of a database. */
export function specTable(table: Database<string, string>): SpecTable {
  const names = new WeakMap<Spec, string>();
  const loaded = new Map<string, Spec>();
  const kept = new Set<string>();
  return {
    nameOf(spec) {
      const known = names.get(spec);
      if (known !== undefined) return known;
      const text = specText(spec);
      const name = digest(text);
      // Should this fail, the write of the machine that needs it fails with it.
      if (!kept.has(name)) table.put(name, text).catch(() => undefined);
      kept.add(name);
      names.set(spec, name);
      return name;
    },
    load() {
      for (const { key, value } of table.getRange()) {
        const spec = specFrom(value);
        loaded.set(key, spec);
        names.set(spec, key);
        kept.add(key);
      }
      return loaded;
    },
    forget(except) {
      for (const [name, spec] of loaded) {
        if (except.has(spec)) continue;
        table.remove(name).catch(() => undefined);
        names.delete(spec);
        kept.delete(name);
      }
      loaded.clear();
    },
  };
}

/** A short key for text of any length: LMDB bounds the length of its keys. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
