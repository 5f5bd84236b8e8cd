/** Calls whose reply was lost and that may still arrive, and how to make sure that they change nothing any more. */
import type { MutationCall, Token } from '../../model/call.js';
import { changed } from '../../model/state.js';
import { Stop } from './stop.js';
import type { Tenant } from './tenant.js';
import { INT64_MAX } from './tokens.js';

/** Calls on `tenant` that may still take effect, as far as its belief knows. */
export function openCalls({ belief }: Tenant): readonly MutationCall[] {
  return [...new Set(belief.flatMap(({ pending }) => pending))];
}

/**
 * Calls that may be open on one machine at once. What may have become of them multiplies: with six the model looks at
 * some hundred states and with twelve at so many that it would not come back for a minute.
 */
const MOST_OPEN = 6;

/**
 * Ends a program before the open calls of a machine, `more` of them yet to be added, are too many to reckon with.
 * @throws Stop
 */
export function limitOpen(tenant: Tenant, more = 0): void {
  if (openCalls(tenant).length + more <= MOST_OPEN) return;
  throw Stop.inconclusive(
    `more than ${MOST_OPEN} replies to calls on one machine were lost, so that nearly anything may be so`,
  );
}

/** Keeps a call open that was never held against the belief. */
export function keepOpen(tenant: Tenant, call: MutationCall): void {
  tenant.belief = tenant.belief.map((state) => changed(state, { pending: [...state.pending, call] }));
}

/**
 * Calls that, once answered, leave every open call on `tenant` with a stale token; on a machine at rest they do nothing
 * else. Null where an open call has no token that could become stale.
 */
export function fencesAgainst(tenant: Tenant): MutationCall[] | null {
  const epochs = new Map<string, bigint>();
  for (const { token } of openCalls(tenant)) {
    if (token.shard === '') return null;
    epochs.set(token.shard, highest(tenant, token, epochs.get(token.shard)));
  }
  const tokens = [...epochs].map(([shard, epoch]): Token => ({ shard, epoch: epoch + 1n, sequence: 0n }));
  if (tokens.some(({ epoch }) => epoch > INT64_MAX)) return null;
  return tokens.map((token) => ({ kind: 'Drain', machineId: tenant.id, token, grace: 0n }));
}

/** The highest epoch that the token's shard may have had accepted on the machine, once its open calls arrived. */
function highest({ belief }: Tenant, { shard, epoch }: Token, known = 0n): bigint {
  const marks = belief.map(({ marks }) => marks.get(shard)?.epoch ?? 0n);
  return [epoch, ...marks].reduce((most, one) => (one > most ? one : most), known);
}
