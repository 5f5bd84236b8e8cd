/** Sends a List, judges the reply, and keeps what is known at the moment at which its revision was issued. */
import type { ListCall, Listing, Outcome } from '../../model/call.js';
import type { Breach } from '../../model/diagnosis.js';
import {
  type CursorKind,
  deltaBreach,
  type IssuedCursor,
  refusedBreach,
  replyBreach,
  revisionBreach,
  sameBytes,
} from '../../model/listing.js';
import type { Inventory } from '../../model/paging.js';
import type { Standings } from '../../model/standing.js';
import { type Judge, type Judgement, malformedBreach } from './judge.js';
import { ListEvidence } from './list-evidence.js';
import type { Recorder } from './recorder.js';
import { listCall } from './requests.js';
import type { StandingsTracker } from './standings.js';
import type { Tenant } from './tenant.js';
import type { TraceEntry } from './trace.js';

/** What a program's run lends to its Lists. */
export interface ListHost {
  readonly tenants: readonly Tenant[];
  exchange(call: ListCall): Promise<{ outcome: Outcome<Listing>; entry: TraceEntry }>;
  /** Notes a judgement; throws where it ends the program. */
  conclude(judgement: Judgement, entry: TraceEntry): void;
  /** Drops an explained call from the trace, which is for people. */
  forget(entry: TraceEntry): void;
  /** Ends the program without a conclusion. */
  giveUp(reason: string): never;
  /** The newest operation_id that the program has seen; empty before the first. */
  operationId(): string;
}

/** The since_revision of a List, and what the provider has to do with it. */
export interface Asked {
  readonly bytes: Uint8Array;
  readonly kind: CursorKind;
  /** Set for cursors that are held against what was known when they were issued. */
  readonly issued: IssuedCursor | null;
}

/** An explained List. */
export interface Answer {
  readonly call: ListCall;
  readonly reply: Listing;
  readonly cursor: IssuedCursor;
  readonly entry: TraceEntry;
  /** The program's machines just before. */
  readonly before: Standings;
}

export const NO_CURSOR: Asked = { bytes: new Uint8Array(0), kind: 'none', issued: null };

export class ListExchange {
  readonly evidence: ListEvidence;
  /** Revisions of Lists without a cap, in the order in which they were issued. */
  private readonly heads: IssuedCursor[] = [];

  constructor(
    private readonly host: ListHost,
    private readonly standings: StandingsTracker,
    private readonly judge: Judge,
    recorder: Recorder,
  ) {
    this.evidence = new ListEvidence(recorder);
  }

  /** The head with these bytes, if one was issued. */
  issued(bytes: Uint8Array): IssuedCursor | undefined {
    return this.heads.find((head) => sameBytes(head.bytes, bytes));
  }

  /** Revisions from before mean nothing any more. */
  forget(): void {
    this.heads.length = 0;
  }

  /** A full List as an inventory. */
  async inventory(): Promise<Inventory> {
    const answer = await this.ask(listCall(), NO_CURSOR);
    if (answer === null) return this.host.giveUp('the reply with the full list was lost');
    return inventoryOf(answer.reply);
  }

  /** Sends a List and judges the reply. Null where there was none. */
  async ask(call: ListCall, asked: Asked, quiet = false): Promise<Answer | null> {
    const before = this.standings.now();
    const { outcome, entry } = await this.host.exchange(call);
    const breach = this.breachOf(call, asked, outcome, before, quiet);
    this.host.conclude({ breach, departures: [], rule: null }, entry);
    if (outcome.kind !== 'ok') return null;
    const { reply } = outcome;
    this.evidence.note({ call, kind: asked.kind, issued: asked.issued, reply, before });
    for (const record of reply.machines) this.standings.seen(record);
    const cursor = issue(call, reply, before);
    if (cursor.names === 'head' && cursor.bytes.length > 0) this.heads.push(cursor);
    return { call, reply, cursor, entry, before };
  }

  private breachOf(
    call: ListCall,
    { kind, issued }: Asked,
    outcome: Outcome<Listing>,
    now: Standings,
    quiet: boolean,
  ): Breach | null {
    const malformed = malformedBreach(outcome);
    if (malformed || outcome.kind === 'indeterminate') return malformed;
    if (outcome.kind === 'rejected') return refusedBreach(call, kind, outcome.code);
    const { reply } = outcome;
    const { latest } = this.standings;
    const uncapped = call.maxResults === 0;
    return (
      replyBreach(call, reply) ??
      (uncapped && reply.revision.length > 0 ? revisionBreach(this.heads, now, reply.revision) : null) ??
      (issued && deltaBreach({ since: issued, call, reply, now, latest, quiet })) ??
      this.judge.listing(this.host.tenants, call, reply, uncapped && kind === 'none')
    );
  }
}

/** What is known at the moment at which the reply's revision was issued. */
function issue({ maxResults }: ListCall, { machines, revision }: Listing, before: Standings): IssuedCursor {
  const shown = new Map(machines.map((record) => [record.id, record]));
  const own = new Map(
    [...before].map(([id, standing]) => [id, { ...standing, record: shown.get(id) ?? standing.record }]),
  );
  return { bytes: revision, names: maxResults === 0 ? 'head' : 'page', own };
}

/** The machines of a List by id. */
export function inventoryOf({ machines }: Listing): Inventory {
  return new Map(machines.map((record) => [record.id, record]));
}
