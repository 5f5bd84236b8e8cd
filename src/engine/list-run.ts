/** Runs the steps of a program that list, and judges what List answers. */
import type { Breach } from '../../model/diagnosis.js';
import { type IssuedCursor, partialDeparture, type Unissued } from '../../model/listing.js';
import { type Inventory, Walk } from '../../model/paging.js';
import type { ListStep, PageStep, QuietStep, Since } from '../../properties/program.js';
import { altered } from './cursors.js';
import type { Judge } from './judge.js';
import {
  type Answer,
  type Asked,
  inventoryOf,
  ListExchange,
  type ListHost,
  NO_CURSOR,
} from './list-exchange.js';
import type { Recorder } from './recorder.js';
import { listCall } from './requests.js';
import type { StandingsTracker } from './standings.js';
import type { Limits, World } from './world.js';

/** Pages of one walk at rest, at most: larger fleets are paged in larger steps. */
const MOST_PAGES = 300;
/** Pages more than the fleet fills, for machines that move meanwhile. */
const SPARE_PAGES = 64;

export class ListRun {
  private readonly cursors = new Map<string, IssuedCursor>();
  private readonly walks = new Map<string, { walk: Walk; first: IssuedCursor | null; last: Answer | null }>();
  private readonly lists: ListExchange;
  private fleet: Inventory | null = null;

  constructor(
    private readonly host: ListHost,
    private readonly standings: StandingsTracker,
    judge: Judge,
    private readonly world: Pick<World, 'sleep'> & { readonly limits: Pick<Limits, 'stabilityWindowMs'> },
    private readonly recorder: Recorder,
  ) {
    this.lists = new ListExchange(host, standings, judge, recorder);
  }

  /** One List. */
  async list({ states, max, since, save }: ListStep): Promise<void> {
    const asked = this.asked(since);
    const unissued = asked.kind === 'B906' || asked.kind === 'B909' ? asked.kind : null;
    const plain = states.length === 0 && max === 0;
    if (unissued !== null && plain) this.fleet ??= await this.lists.inventory();
    const call = { ...listCall(states), maxResults: max, sinceRevision: asked.bytes };
    const answer = await this.lists.ask(call, asked);
    if (answer === null) return;
    if (unissued !== null && plain) await this.expectAll(answer, unissued);
    if (plain && asked.kind === 'none') this.fleet = inventoryOf(answer.reply);
    if (save !== null && answer.cursor.bytes.length > 0) this.cursors.set(save, answer.cursor);
  }

  /** The next pages of a walk. */
  async page({ walk: name, size, pages }: PageStep): Promise<void> {
    const known = this.walks.get(name);
    if (known === undefined || known.walk.ended) await this.startWalk(name, size);
    const state = this.walks.get(name);
    if (state === undefined) return;
    const { walk } = state;
    const cap = capOf(size, walk.before.size);
    const bound = SPARE_PAGES + 2 * Math.ceil(walk.before.size / cap);
    for (let n = 0; (pages === 0 || n < pages) && !walk.ended; n++) {
      if (walk.pages > bound)
        this.host.giveUp(`paging did not end within ${bound} pages while machines moved`);
      const kind = walk.pages === 0 ? 'none' : 'issued';
      const call = { ...listCall(), maxResults: cap, sinceRevision: walk.cursor };
      const answer = await this.lists.ask(call, { bytes: walk.cursor, kind, issued: null });
      if (answer === null) return this.host.giveUp('the reply with a page was lost');
      this.conclude(walk.turn(answer.reply, answer.before), answer);
      state.first ??= answer.cursor;
      if (state.last !== null && walk.pages > 3) this.host.forget(state.last.entry);
      state.last = answer;
    }
    if (walk.ended && state.last !== null && state.first !== null)
      await this.finish(walk, state.first, state.last);
  }

  private async startWalk(name: string, size: PageStep['size']): Promise<void> {
    const before = await this.lists.inventory();
    this.walks.set(name, { walk: new Walk(capOf(size, before.size), before), first: null, last: null });
  }

  /** A walk is over: nothing may be lost, unless every cursor names the head (contract section 9). */
  private async finish(walk: Walk, first: IssuedCursor, last: Answer): Promise<void> {
    if (walk.before.size > walk.size) this.lists.evidence.walked(walk.size, walk.pages);
    if (walk.unmet().length === 0) return;
    const after = await this.lists.inventory();
    const lost = walk.lost(after, new Set(this.host.tenants.map(({ id }) => id)));
    if (lost.length === 0) return;
    this.recorder.peak('B907', 'machines_a_capped_poller_never_saw', lost.length);
    const call = { ...listCall(), sinceRevision: first.bytes };
    const rest = await this.lists.ask(call, { bytes: first.bytes, kind: 'issued', issued: first });
    const breach = walk.lossBreach(lost);
    const head = rest !== null && walk.namesHead(rest.reply, after);
    this.host.conclude(
      { breach: head ? null : breach, departures: head ? [breach] : [], rule: null },
      last.entry,
    );
  }

  /**
   * The provider was killed and is back: any machine may have moved. Its cursors need not have survived, so an old one
   * gives what changed, or the full list; in neither case is a change lost.
   */
  restarted(): void {
    for (const { id } of this.host.tenants) this.standings.touched(id);
    for (const [name, cursor] of this.cursors) this.cursors.set(name, { ...cursor, names: 'page' });
    this.walks.clear();
    this.lists.forget();
  }

  /** Polls over the stability window. A poll whose reply is lost is made up for by the next one. */
  async quiet({ polls }: QuietStep): Promise<void> {
    const start = await this.lists.ask(listCall(), NO_CURSOR);
    if (start === null || start.cursor.bytes.length === 0) return;
    const pause = this.world.limits.stabilityWindowMs / polls;
    let latest = start;
    let answered = 0;
    for (let poll = 0; poll < polls; poll++) {
      await this.world.sleep(pause);
      const { cursor } = latest;
      const call = { ...listCall(), sinceRevision: cursor.bytes };
      const answer = await this.lists.ask(
        call,
        { bytes: cursor.bytes, kind: 'issued', issued: cursor },
        true,
      );
      if (answer === null) continue;
      if (latest !== start) this.host.forget(latest.entry);
      if (answer.reply.machines.length === 0) this.recorder.note('B908', 'empty_deltas');
      answered += 1;
      latest = answer;
    }
    if (answered < 2) return;
    this.recorder.note('B908');
    this.recorder.note('B908', 'polls', answered);
  }

  /** Bytes that are no cursor give everything that was there before and still is. */
  private async expectAll(answer: Answer, behavior: Unissued): Promise<void> {
    const given = new Set(answer.reply.machines.map(({ id }) => id));
    const absent = [...(this.fleet?.keys() ?? [])].filter((id) => !given.has(id));
    if (absent.length === 0) return;
    const after = await this.lists.inventory();
    const lost = absent.filter((id) => after.has(id));
    const departure = partialDeparture(behavior, answer.reply.machines.length, lost);
    if (departure) this.host.conclude({ breach: null, departures: [departure], rule: null }, answer.entry);
  }

  private asked(since: Since): Asked {
    switch (since.from) {
      case 'start':
        return NO_CURSOR;
      case 'saved':
        return issuedOr(this.cursors.get(since.name));
      case 'altered': {
        const cursor = this.cursors.get(since.name);
        return cursor ? this.unissued(altered(cursor.bytes, since.how), 'B909') : NO_CURSOR;
      }
      case 'bytes':
        return this.unissued(Uint8Array.from(Buffer.from(since.hex, 'hex')), 'B906');
      case 'operation-id':
        return this.unissued(new TextEncoder().encode(this.host.operationId() || 'no operation'), 'B906');
    }
  }

  /** Bytes made up, unless they happen to be a cursor after all. */
  private unissued(bytes: Uint8Array, kind: Unissued): Asked {
    if (bytes.length === 0) return NO_CURSOR;
    const known = this.lists.issued(bytes);
    return known ? issuedOr(known) : { bytes, kind, issued: null };
  }

  private conclude(breach: Breach | null, { entry }: Answer): void {
    this.host.conclude({ breach, departures: [], rule: null }, entry);
  }
}

function issuedOr(cursor: IssuedCursor | undefined): Asked {
  return cursor ? { bytes: cursor.bytes, kind: 'issued', issued: cursor } : NO_CURSOR;
}

function capOf(size: PageStep['size'], fleet: number): number {
  return size === 'fleet' ? Math.max(1, fleet) : Math.max(size, Math.ceil(fleet / MOST_PAGES));
}
