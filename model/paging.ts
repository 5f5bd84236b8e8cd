/** Paging through the fleet by `page = List(max_results=k, since=r); r = page.revision` until a page is empty (B907). */
import type { Listing } from './call.js';
import type { Breach } from './diagnosis.js';
import { quoted } from './observation.js';
import type { MachineRecord } from './record.js';
import { certainlyUntouched, type Standing, type Standings, sameRecord } from './standing.js';

/** Machines by id. */
export type Inventory = ReadonlyMap<string, MachineRecord>;

/** One walk from the first page to an empty one. */
export class Walk {
  private readonly ids = new Set<string>();
  private readonly visited = new Set<string>(['']);
  private readonly own = new Map<string, Standing>();
  private readonly opening = new Set<string>();
  private turned = 0;
  private next = new Uint8Array(0);
  private over = false;

  /**
   * @param size the cap of its pages; a page may be asked for with another one
   * @param before a full List from just before the first page
   */
  constructor(
    readonly size: number,
    readonly before: Inventory,
  ) {}

  /** What the next page is asked with; empty for the first one. */
  get cursor(): Uint8Array {
    return this.next;
  }
  /** Pages that held a machine. */
  get pages(): number {
    return this.turned;
  }
  /** Whether an empty page has ended it. */
  get ended(): boolean {
    return this.over;
  }
  /** How many different machines it has met. */
  get met(): number {
    return this.ids.size;
  }

  /**
   * Takes the next page.
   * @param asked the program's machines just before the page was asked for
   */
  turn({ machines, revision }: Listing, asked: Standings): Breach | null {
    if (machines.length === 0) {
      this.over = true;
      return null;
    }
    this.turned += 1;
    for (const record of machines) {
      const twice = this.meet(record, asked.get(record.id));
      if (twice) return twice;
    }
    const key = hex(revision);
    if (this.visited.has(key)) return endless(revision);
    this.visited.add(key);
    this.next = Uint8Array.from(revision);
    return null;
  }

  /** A machine on a second page is one that moved in between, or a breach. */
  private meet(record: MachineRecord, standing: Standing | undefined): Breach | null {
    const { id } = record;
    const then = this.own.get(id);
    this.ids.add(id);
    if (this.turned === 1) this.opening.add(id);
    if (standing) this.own.set(id, { ...standing, record });
    if (!then || !standing || then.record === null) return null;
    if (!certainlyUntouched(then, standing) || !sameRecord(then.record, record)) return null;
    return {
      behaviors: ['B907'],
      rule: 'cursor',
      aspect: 'paged twice',
      expected: [`the machine ${quoted(id)}, which did not change, on one page`],
      observed: `it is on two pages of at most ${this.size}`,
    };
  }

  /** Machines from before the walk that it has not met. */
  unmet(): readonly string[] {
    return [...this.before.keys()].filter((id) => !this.ids.has(id));
  }

  /**
   * Machines that the walk lost: the program's own, and others that look the same before and after.
   * @param after a full List from after the last page
   */
  lost(after: Inventory, own: ReadonlySet<string>): readonly string[] {
    return this.unmet().filter((id) => {
      const [then, now] = [this.before.get(id), after.get(id)];
      return then !== undefined && now !== undefined && (own.has(id) || sameRecord(then, now));
    });
  }

  /**
   * Whether the first page's cursor names the head rather than the place where the page was cut.
   * @param delta everything since that cursor, without a cap
   * @param after as for {@link lost}
   */
  namesHead(delta: Listing, after: Inventory): boolean {
    const given = new Set(delta.machines.map(({ id }) => id));
    const rest = [...this.before].filter(([id, record]) => {
      const now = after.get(id);
      return !this.opening.has(id) && now !== undefined && sameRecord(record, now);
    });
    // One that went elsewhere and came back is in every delta, so a few of the rest prove nothing.
    return rest.filter(([id]) => given.has(id)).length * 2 <= rest.length;
  }

  /** What is told of lost machines. */
  lossBreach(lost: readonly string[]): Breach {
    const [example = ''] = lost;
    return {
      behaviors: ['B907'],
      rule: 'cursor',
      aspect: 'lost in paging',
      expected: [`all ${this.before.size} machines on the pages of a walk`],
      observed:
        `a poller with max_results ${this.size} would never have seen ${lost.length} of ${this.before.size} ` +
        `machines, such as ${quoted(example)}: ${this.turned === 1 ? '1 page' : `${this.turned} pages`}, then an empty one`,
    };
  }
}

function endless(revision: Uint8Array): Breach {
  return {
    behaviors: ['B907'],
    rule: 'cursor',
    aspect: 'walk in a circle',
    expected: ['a page with machines to name a cursor that no page before it had'],
    observed: `a page with machines and the cursor ${quoted(hex(revision))} again, so that a walk never ends`,
  };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
