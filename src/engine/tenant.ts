/** A machine as one program holds it. */
import type { Token } from '../../model/call.js';
import type { Belief } from '../../model/contract.js';
import type { Mark } from '../../model/fencing.js';
import { isTransitional } from '../../model/machine.js';
import type { Past } from './past.js';

/** A leased machine and what the model believes of it. */
export interface Tenant {
  readonly id: string;
  belief: Belief;
  /** What earlier programs did to it, as far as it is known. */
  past?: Past;
}

/** Whether every state of the belief is one in which the machine rests. */
export function isResting({ belief }: Tenant): boolean {
  return belief.every(({ phase }) => phase === 'ABSENT' || !isTransitional(phase));
}

/** Whether the machine was last seen in a transitional state. */
export function isMoving({ belief }: Tenant): boolean {
  return belief.length > 0 && belief.every(({ phase }) => phase !== 'ABSENT' && isTransitional(phase));
}

/** The mark of `shard`, where the belief is of one mind about it. */
export function markOf({ belief }: Tenant, shard: string): Mark | undefined {
  return belief[0]?.marks.get(shard);
}

/** Whether the shard of `token` has an equal or higher mark on any of `others`. */
export function outranks(others: readonly Tenant[], token: Token): boolean {
  return others.some((tenant) => {
    const mark = markOf(tenant, token.shard);
    if (mark === undefined) return false;
    return mark.epoch > token.epoch || (mark.epoch === token.epoch && mark.sequence >= token.sequence);
  });
}
