/** Says of an explained List which behaviors it is evidence of: those whose case it was. */
import type { ListCall, Listing } from '../../model/call.js';
import type { CursorKind, IssuedCursor } from '../../model/listing.js';
import { certainlyChanged, certainlyUntouched, type Standings } from '../../model/standing.js';
import type { Recorder } from './recorder.js';

/** An explained List with what it was held against. */
export interface ExplainedList {
  readonly call: ListCall;
  readonly kind: CursorKind;
  readonly issued: IssuedCursor | null;
  readonly reply: Listing;
  /** The program's machines just before. */
  readonly before: Standings;
}

export class ListEvidence {
  constructor(private readonly recorder: Recorder) {}

  /** Notes everything that the List shows. */
  note(list: ExplainedList): void {
    const { call, kind, issued } = list;
    this.noteFilter(list);
    this.noteCap(list);
    if (kind === 'B906' || kind === 'B909') this.recorder.note(kind);
    if (kind === 'issued') this.recorder.note('B909', 'verbatim');
    if (issued !== null && issued.names === 'head' && call.maxResults === 0) this.noteDelta(list, issued);
  }

  /** A walk through the fleet came to its end. */
  walked(size: number, pages: number): void {
    this.recorder.note('B907');
    this.recorder.note('B907', 'pages', pages);
    this.recorder.note('B907', `walks_at_${size}`);
  }

  private noteFilter({ call: { states, maxResults }, reply: { machines } }: ExplainedList): void {
    if (states.length === 0 || maxResults > 0 || machines.length === 0) return;
    this.recorder.note('B901');
    this.recorder.note('B901', states.length === 1 ? 'single' : 'unions');
  }

  /** A cap is met where it is reached; no cap is met where more came back than any cap that is tried. */
  private noteCap({ call: { states, maxResults }, kind, reply: { machines } }: ExplainedList): void {
    const reached = maxResults > 0 && machines.length === maxResults;
    if (reached) {
      this.recorder.note('B902');
      this.recorder.note('B902', 'caps');
    }
    if (maxResults === 0 && kind === 'none' && states.length === 0) this.recorder.note('B902', 'uncapped');
  }

  private noteDelta({ call, reply, before }: ExplainedList, issued: IssuedCursor): void {
    if (call.states.length > 0) return;
    let [effects, changed, untouched] = [0, 0, 0];
    for (const [id, then] of issued.own) {
      const now = before.get(id);
      if (now === undefined) continue;
      effects += now.effects - then.effects;
      if (certainlyChanged(then, now)) changed += 1;
      if (then.record !== null && certainlyUntouched(then, now)) untouched += 1;
    }
    if (changed > 0) this.recorder.note('B903');
    if (effects > 1) this.recorder.note('B905');
    if (changed === 0 && (untouched === issued.own.size || reply.machines.length === 0)) {
      this.recorder.note('B904');
      if (reply.machines.length === 0) this.recorder.note('B904', 'empty');
    }
  }
}
