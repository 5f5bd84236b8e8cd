/** A store that outlives its process, on LMDB (contract section 7, durable lane). */
import { open } from 'lmdb';
import type { Token } from './call.js';
import type { Machine } from './machine.js';
import { machineFrom, machineText } from './machine-text.js';
import { digest, specTable } from './spec-table.js';
import type { Change, Store } from './store.js';

/** Key of the one record that makes a fleet complete, and the layout it is written in. */
const FOUNDED = 'founded';
const LAYOUT = 1;

interface Founded {
  readonly layout: number;
  readonly cursorKey: string;
}

/**
 * Opens, or makes, a store in a folder. A write costs what one record costs, however large the fleet is; writes that
 * come while another is on its way to the disk share the next commit.
 *
 * What it promises holds for the end of a process at any moment. A commit is flushed to the disk before it counts,
 * but only the disk knows whether that outlives a loss of power.
 *
 * @param path folder; made when missing
 * @throws Error when the folder cannot be used or holds something else
 */
export function openDurableStore(path: string): Store {
  const tables = openTables(path);
  const specs = specTable(tables.specs);
  let latest: Promise<unknown> = Promise.resolve();
  let failure: Error | undefined;

  function put(change: Change): Promise<unknown> {
    if ('machine' in change) {
      const { machine } = change;
      return tables.machines.put(machine.id, machineText(machine, specs.nameOf(machine.spec)));
    }
    if ('mark' in change) return tables.marks.put(digest(change.mark.key), markText(change.mark));
    const founded: Founded = { layout: LAYOUT, cursorKey: change.founded.cursorKey };
    return tables.fleet.put(FOUNDED, JSON.stringify(founded));
  }

  return {
    remembered() {
      const founded = tables.fleet.get(FOUNDED);
      if (founded === undefined) {
        for (const incomplete of [tables.machines, tables.marks, tables.specs]) incomplete.clearSync();
        return undefined;
      }
      const { layout, cursorKey }: Founded = JSON.parse(founded);
      if (layout !== LAYOUT) throw new Error(`${path} has layout ${layout}, this version reads ${LAYOUT}`);
      const known = specs.load();
      const machines = [...tables.machines.getRange().map(({ value }): Machine => machineFrom(value, known))];
      specs.forget(new Set(machines.map(({ spec }) => spec)));
      const marks = [...tables.marks.getRange().map(({ value }) => markFrom(value))];
      return { cursorKey, machines, marks };
    },
    write(change) {
      latest = put(change);
      latest.catch((error: unknown) => {
        failure ??= new Error(`cannot write to ${path}: ${String(error)}`);
      });
    },
    async durable() {
      // Commits happen in the order of the writes, so the latest of them stands for all.
      await latest.catch(() => undefined);
      if (failure !== undefined) throw failure;
    },
    async close() {
      await latest.catch(() => undefined);
      await tables.root.close();
    },
  };
}

function openTables(path: string) {
  const root = openRoot(path);
  // A killed process still counts as a reader, and what a reader may be looking at is never written over.
  root.readerCheck();
  const table = (name: string) => root.openDB<string, string>({ name, encoding: 'string' });
  return {
    root,
    fleet: table('fleet'),
    specs: table('specs'),
    machines: table('machines'),
    marks: table('marks'),
  };
}

function openRoot(path: string) {
  try {
    // Without overlapping sync a commit is resolved when it is flushed, which is what an ack has to wait for.
    return open({ path, noSubdir: false, overlappingSync: false, encoding: 'string', maxDbs: 4 });
  } catch (error) {
    throw new Error(`cannot keep state in ${path}: ${String(error)}`);
  }
}

type MarkText = readonly [key: string, shard: string, epoch: string, sequence: string];

function markText({ key, token }: { readonly key: string; readonly token: Token }): string {
  const text: MarkText = [key, token.shard, String(token.epoch), String(token.sequence)];
  return JSON.stringify(text);
}

function markFrom(text: string): readonly [string, Token] {
  const [key, shard, epoch, sequence]: MarkText = JSON.parse(text);
  return [key, { shard, epoch: BigInt(epoch), sequence: BigInt(sequence) }];
}
