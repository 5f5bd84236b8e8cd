/** Walks over a whole List, machine by machine, giving way to the rest of the program in between. */
import type { ListCall } from '../../../model/call.js';
import type { MachineRecord } from '../../../model/record.js';
import { quoteForeign } from '../../wire/index.js';
import type { ScaleClient } from './options.js';
import { CaseStopped } from './stopped.js';

/** Machines decoded in one go: a few milliseconds. */
const AT_ONCE = 250;

/** How often a List is made whose reply is lost, and how long after the last time, in milliseconds. */
const ATTEMPTS = 4;
const RETRY_MS = 500;

export interface Walked {
  readonly count: number;
  readonly revision: Uint8Array;
  /** From the request to the final status, nothing of it decoded yet. */
  readonly latencyMs: number;
  readonly bytes: number;
}

/** A List with its cursor and cap. */
export function listing(options: { since?: Uint8Array; max?: number } = {}): ListCall {
  const { since = new Uint8Array(0), max = 0 } = options;
  return { kind: 'List', states: [], maxResults: max, sinceRevision: since };
}

/**
 * Makes one List and visits every machine of the reply. The instants are taken before anything is decoded, so the
 * latency holds the provider and the transport, and none of bfcheck's own work on the machines.
 *
 * @throws CaseStopped when the List is refused, lost or malformed
 */
export async function walkFleet(
  client: ScaleClient,
  call: ListCall,
  sleep: (ms: number) => Promise<void>,
  visit: (record: MachineRecord) => void = () => undefined,
): Promise<Walked> {
  const { outcome, invokedAt, returnedAt } = await answered(client, call, sleep);
  if (outcome.kind === 'rejected') {
    throw CaseStopped.broken({
      behaviors: ['B1101', 'B305'],
      rule: 'read',
      aspect: `code ${outcome.code}`,
      expected: ['OK with the machines asked for'],
      observed: `${outcome.code}: ${quoteForeign(outcome.message)}`,
    });
  }
  if (outcome.kind === 'indeterminate') {
    if (outcome.cause === 'MALFORMED') throw malformed(outcome.message);
    throw CaseStopped.inconclusive(`a List was not answered (${outcome.cause})`);
  }
  const { reply } = outcome;
  let count = 0;
  const machines = reply.machines()[Symbol.iterator]();
  for (;;) {
    const next = nextOf(machines);
    if (next.done) break;
    visit(next.value);
    count += 1;
    if (count % AT_ONCE === 0) await sleep(0);
  }
  return { count, revision: reply.revision, latencyMs: returnedAt - invokedAt, bytes: reply.size };
}

/** A List changes nothing, so one whose reply was lost on the way is simply made again. */
async function answered(client: ScaleClient, call: ListCall, sleep: (ms: number) => Promise<void>) {
  for (let attempt = 1; ; attempt++) {
    const exchange = await client.walk(call);
    const { outcome } = exchange;
    const lost = outcome.kind === 'indeterminate' && outcome.cause !== 'MALFORMED';
    if (!lost || attempt === ATTEMPTS) return exchange;
    await sleep(RETRY_MS);
  }
}

function nextOf(machines: Iterator<MachineRecord>): IteratorResult<MachineRecord> {
  try {
    return machines.next();
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error));
  }
}

function malformed(words: string): CaseStopped {
  return CaseStopped.broken({
    behaviors: ['B1101', 'B801'],
    rule: 'record',
    aspect: 'malformed',
    expected: ['a reply that is a valid message of the service'],
    observed: words,
  });
}
