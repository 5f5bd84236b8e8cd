/**
 * What a reply to List must be (contract section 5): in itself, by the cursor it was asked with, and by what is known
 * of the machines of the program that asked. Of other clients' machines nothing is concluded (A12). Pure.
 */
import type { ListCall, Listing } from './call.js';
import type { Breach } from './diagnosis.js';
import { quoted } from './observation.js';
import type { BehaviorId } from './registry.js';
import {
  certainlyChanged,
  certainlyUntouched,
  type Standing,
  type Standings,
  sameRecord,
} from './standing.js';

/** A revision that the provider issued. */
export interface IssuedCursor {
  readonly bytes: Uint8Array;
  /** `head`: of a List without a cap. `page`: of a capped one, which may name the place where the page was cut. */
  readonly names: 'head' | 'page';
  /** The program's machines when it was issued. */
  readonly own: Standings;
}

/** Equal bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** What is wrong with a reply whoever else uses the provider: a machine twice, outside the filter, over the cap. */
export function replyBreach({ states, maxResults }: ListCall, { machines }: Listing): Breach | null {
  const seen = new Set<string>();
  for (const { id, state } of machines) {
    if (seen.has(id)) {
      const observed = `the machine ${quoted(id)} twice`;
      return breach(['B901', 'B907'], 'list', 'duplicate', 'every machine at most once', observed);
    }
    seen.add(id);
    if (states.length > 0 && !states.some((wanted) => wanted === state)) {
      const observed = `the machine ${quoted(id)} in state ${state}`;
      return breach(['B901'], 'list', 'filter', `only machines in ${states.join(' or ')}`, observed);
    }
  }
  if (maxResults === 0 || machines.length <= maxResults) return null;
  const observed = `${machines.length} machines`;
  return breach(['B902'], 'list', 'cap', `at most ${maxResults} machines`, observed);
}

/** A List in which a machine is missing that belongs in it. Without a filter there is only the cap to blame. */
export function missingBreach({ states }: ListCall, id: string): Breach {
  const filtered = states.length > 0;
  const wanted = filtered ? ` in the list of machines in ${states.join(' or ')}` : ' in a list without a cap';
  return breach(
    filtered ? ['B901'] : ['B902', 'B901'],
    'list',
    'missing',
    `the machine ${quoted(id)}${wanted}`,
    'a list without it',
  );
}

/** A List with a delta in question. */
export interface DeltaQuestion {
  /** The cursor it was asked with; the provider issued these bytes. */
  readonly since: IssuedCursor;
  readonly call: ListCall;
  readonly reply: Listing;
  /** The program's machines just before it was asked. */
  readonly now: Standings;
  /** The machine that an own call changed last. */
  readonly latest: string | null;
  /** Whether the client did nothing but poll since the cursor was issued. */
  readonly quiet: boolean;
}

/** What is wrong with a delta, as far as the program's own machines and the reply itself tell. */
export function deltaBreach(question: DeltaQuestion): Breach | null {
  return lostChange(question) ?? overfull(question) ?? changeOfNothing(question) ?? bumpOfNothing(question);
}

/** Every machine that changed since the cursor must be there. */
function lostChange({ since, call, reply, now, latest }: DeltaQuestion): Breach | null {
  if (call.maxResults > 0) return null;
  const listed = new Set(reply.machines.map(({ id }) => id));
  for (const [id, then] of since.own) {
    const standing = now.get(id);
    if (standing === undefined || listed.has(id) || !certainlyChanged(then, standing)) continue;
    if (!passes(call, standing)) continue;
    return breach(
      id === latest ? ['B903', 'B905'] : ['B905', 'B903'],
      'cursor',
      'missing change',
      `the machine ${quoted(id)}, which changed after the cursor was issued`,
      `a delta of ${count(reply.machines.length)} without it`,
    );
  }
  return null;
}

/** Whether the machine is in one of the states asked for, beyond doubt. */
function passes({ states }: ListCall, { resting, record }: Standing): boolean {
  return states.length === 0 || (resting && states.some((state) => state === record?.state));
}

/** No machine may be there whose record is what it was when the cursor was issued. */
function changeOfNothing({ since, reply, now, quiet }: DeltaQuestion): Breach | null {
  if (since.names !== 'head') return null;
  for (const record of reply.machines) {
    const then = since.own.get(record.id);
    const standing = now.get(record.id);
    if (!then || !standing || then.record === null || !certainlyUntouched(then, standing)) continue;
    if (!sameRecord(then.record, record)) continue;
    return breach(
      quiet ? ['B908', 'B904'] : ['B904', 'B908'],
      'cursor',
      'no change',
      `a delta without the machine ${quoted(record.id)}, which did not change after the cursor was issued`,
      `a delta with it, its record the same as before (state ${record.state})`,
    );
  }
  return null;
}

/** A delta that holds something has another revision than the one it was asked with. */
function overfull({ since, call, reply }: DeltaQuestion): Breach | null {
  if (since.names !== 'head' || call.maxResults > 0 || reply.machines.length === 0) return null;
  if (!sameBytes(reply.revision, since.bytes)) return null;
  return breach(
    ['B904', 'B908'],
    'cursor',
    'delta at the current revision',
    'no machine since the current revision',
    `${count(reply.machines.length)}, and the revision that was asked with`,
  );
}

/** A delta that holds nothing has the revision it was asked with, whoever else uses the provider. */
function bumpOfNothing({ since, call, reply, quiet }: DeltaQuestion): Breach | null {
  const { maxResults, states } = call;
  if (since.names !== 'head' || maxResults > 0 || states.length > 0 || reply.machines.length > 0) return null;
  if (sameBytes(reply.revision, since.bytes)) return null;
  return breach(
    quiet ? ['B908', 'B904'] : ['B904', 'B908'],
    'cursor',
    'revision of nothing',
    'the same revision where nothing changed',
    'a new revision with an empty delta',
  );
}

/** A revision that was seen before a change of an own machine may not come again after it. */
export function revisionBreach(
  heads: Iterable<IssuedCursor>,
  now: Standings,
  revision: Uint8Array,
): Breach | null {
  for (const head of heads) {
    if (head.names !== 'head' || !sameBytes(head.bytes, revision)) continue;
    for (const [id, then] of head.own) {
      const standing = now.get(id);
      if (standing === undefined || !certainlyChanged(then, standing)) continue;
      return breach(
        ['B903', 'B905'],
        'cursor',
        'same revision',
        `a new revision after the machine ${quoted(id)} changed`,
        'the revision from before the change',
      );
    }
  }
  return null;
}

/** Which behavior speaks of bytes that the provider never issued: of foreign ones, or of an altered cursor. */
export type Unissued = 'B906' | 'B909';

/**
 * A List with bytes that are no cursor gave less than the full list: a departure, for the reference reading accepts
 * any part of the fleet (contract section 9).
 */
export function partialDeparture(behavior: Unissued, got: number, lost: readonly string[]): Breach | null {
  const [example] = lost;
  if (example === undefined) return null;
  return breach(
    [behavior],
    'cursor',
    'partial list',
    'the full list, for the bytes are no cursor that this provider issued',
    `${count(got)}; ${lost.length} more are in a List without a cursor, such as ${quoted(example)}`,
  );
}

/** How a refused List was asked. */
export type CursorKind = 'none' | 'issued' | Unissued;

/** A List that was answered with a code other than OK. */
export function refusedBreach(call: ListCall, cursor: CursorKind, code: string): Breach {
  return breach(
    refusedBehaviors(call, cursor, code),
    cursor === 'none' ? 'read' : 'cursor',
    `code ${code}`,
    'OK with the machines asked for',
    code,
  );
}

function refusedBehaviors(
  { maxResults, states }: ListCall,
  cursor: CursorKind,
  code: string,
): readonly BehaviorId[] {
  if (code === 'FAILED_PRECONDITION') return ['B305'];
  if (cursor === 'issued') return ['B909'];
  if (cursor !== 'none') return [cursor];
  if (maxResults > 0) return ['B902'];
  return states.length > 0 ? ['B901'] : ['B902', 'B901'];
}

function count(machines: number): string {
  return machines === 1 ? '1 machine' : `${machines} machines`;
}

function breach(
  behaviors: readonly BehaviorId[],
  rule: Breach['rule'],
  aspect: string,
  expected: string,
  observed: string,
): Breach {
  return { behaviors, rule, aspect, expected: [expected], observed };
}
