/** Lists and standings for tests that say only what they are about. */
import type { ListCall, Listing } from '../../model/call.js';
import type { DeltaQuestion, IssuedCursor } from '../../model/listing.js';
import type { MachineRecord, WireState } from '../../model/record.js';
import type { Standing } from '../../model/standing.js';
import { record } from '../model/build.js';

export const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

export function machine(id: string, state: WireState = 'IDLE', over: Partial<MachineRecord> = {}) {
  return record(state, { id, ...over });
}

export function call(over: Partial<ListCall> = {}): ListCall {
  return { kind: 'List', states: [], maxResults: 0, sinceRevision: bytes(), ...over };
}

export function reply(machines: readonly MachineRecord[], revision = 2): Listing {
  return { machines, revision: bytes(revision) };
}

/** A machine at rest that looks as `shown`. */
export function atRest(shown: MachineRecord | null, over: Partial<Standing> = {}): Standing {
  return { effects: 0, touches: 0, resting: true, record: shown, ...over };
}

/** Standings by machine id. */
export function own(standings: Readonly<Record<string, Standing>>): ReadonlyMap<string, Standing> {
  return new Map(Object.entries(standings));
}

/** The cursor 1, issued when the machine `m` was at rest and IDLE. */
export function cursor(over: Partial<IssuedCursor> = {}): IssuedCursor {
  return { bytes: bytes(1), names: 'head', own: own({ m: atRest(machine('m')) }), ...over };
}

/** A delta since {@link cursor} that holds nothing and is right, for nothing changed. */
export function question(over: Partial<DeltaQuestion> = {}): DeltaQuestion {
  const since = over.since ?? cursor();
  return {
    since,
    call: call({ sinceRevision: since.bytes }),
    reply: reply([], 1),
    now: own({ m: atRest(machine('m')) }),
    latest: null,
    quiet: false,
    ...over,
  };
}
