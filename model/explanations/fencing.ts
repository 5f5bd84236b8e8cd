import type { FENCING } from '../registry/fencing.js';
import type { ExplanationsOf } from './explanation.js';

/** Why the behaviors of this area matter, which rule decides them, and how to keep them. */
export const FENCING_EXPLANATIONS: ExplanationsOf<typeof FENCING> = {
  B301: {
    why: 'A zombie shard that is told NOT_FOUND concludes that its machine has gone and orders another. Told FAILED_PRECONDITION it knows that it has been replaced, and stops.',
    rule: 'Section 4, steps 2 and 3: the fence is asked before existence, and a mark exists even for an id that does not.',
    fix: 'Key the table of marks by (shard_id, machine_id) apart from the inventory, and ask it before the lookup.',
  },
  B302: {
    why: 'A live shard works on many machines at once and its numbers reach them out of order. With one mark for a whole shard it fences itself; with one for all shards it locks out the others.',
    rule: 'Section 4, step 2 (fence): one mark per (shard_id, machine_id), and no other mark matters.',
    fix: 'Use both ids as the key of the map of marks. In Go, a struct key with two string fields cannot be confused the way a joined string can.',
  },
  B303: {
    why: 'If an old token passes once, a shard that was replaced can drain machines of its successor. If a new one does not, the successor can do nothing.',
    rule: 'Section 4, step 2 (fence): accepted when there is no mark or (epoch, sequence) is strictly greater, the epoch first.',
    fix: 'Compare the epochs, and only if they are equal the sequences, both strictly. Do not demand that both grow, and do not accept an equal pair.',
  },
  B305: {
    why: 'A shard that was fenced out must still see the fleet, or the operator looking for the cause sees nothing.',
    rule: 'Section 4, last paragraph: Get and List carry no token and are never fenced.',
    fix: 'Put the fence into the path of the four mutations, not into an interceptor for the whole service, and do not let it hold a lock that reads need.',
  },
  B306: {
    why: 'A zombie that replays its Configure and hears OK believes that it still owns the machine and goes on acting on it.',
    rule: 'Section 4, steps 2 and 4: the fence comes before the idempotent answer, and no stored operation_id leaks past it.',
    fix: 'Order the handler as shape, fence, existence, idempotency, position. An idempotency cache in an interceptor in front of the fence breaks this.',
  },
  B307: {
    why: 'A zombie whose replayed Drain is answered OK takes the machine for its own free one and may delete it, while the new shard is about to use it.',
    rule: 'Section 4, steps 2 and 4: the fence comes before the idempotent answer for Drain as for every other mutation.',
    fix: 'Share one fence step among all four handlers rather than repeating it in each; Drain is the one that is forgotten.',
  },
  B308: {
    why: 'Tools and older clients send no token. If the second such call is fenced against the first, nobody can work on the machine by hand.',
    rule: 'Section 4, step 2 (fence): all three fields zero or empty is no token, so no fence applies and no mark is set.',
    fix: 'Skip the fence if, and only if, all three are zero or empty. A shard id with epoch 0 and sequence 0 is a real token.',
  },
  B309: {
    why: 'This is how a healthy shard works all day. A provider that fences one of the steps makes every machine of that shard unusable.',
    rule: 'Section 4, step 2 (fence): each strictly greater token is accepted, whatever kind of call carries it.',
    fix: 'Keep one mark for all kinds of call, and read the token from each request type; check that all four handlers fill it in.',
  },
  B310: {
    why: 'A shard that restarts raises its epoch and counts from the start. If its low numbers are refused it is locked out; if the old ones pass, its former self still works beside it.',
    rule: 'Section 4, step 2 (fence): a higher epoch opens a new sequence space and closes all earlier ones.',
    fix: 'Store the mark as a pair and replace the whole pair when a token is accepted; do not keep the largest epoch and the largest sequence apart.',
  },
  B311: {
    why: 'If the mark moves only on success, a zombie can try the same token again until the machine happens to be in the right state, and then it is let through.',
    rule: 'Section 4, step 2 (fence): an accepted token moves the mark even if a later step rejects the call.',
    fix: 'Save the mark in the fence step itself, before existence and position are looked at, and do not roll it back with the rest of the transaction.',
  },
  B312: {
    why: 'Fences that work for neat numbers often fail for odd ones: equal epochs, gaps, jumps back, huge values. Each such hole lets a zombie through once in a while.',
    rule: 'Section 4, step 2 (fence): acceptance depends on nothing but whether the token is lexicographically greater than the mark.',
    fix: 'Keep the comparison a pure function of two pairs and test it with a table of boundary cases. Let no timer, cache or age limit have a say.',
  },
};
