import type { TRANSITION_MATRIX } from '../registry/transition-matrix.js';
import type { ExplanationsOf } from './explanation.js';

/** Why the behaviors of this area matter, which rule decides them, and how to keep them. */
export const TRANSITION_MATRIX_EXPLANATIONS: ExplanationsOf<typeof TRANSITION_MATRIX> = {
  B201: {
    why: 'A late Create that is let through on a Configured machine can rebuild it under running workloads. Answered with FAILED_PRECONDITION it wakes a human for a zombie shard that is not there.',
    rule: 'Section 4, step 5 (position): a call that does not start on its edge is rejected with any code but FAILED_PRECONDITION and changes nothing.',
    fix: 'Look at the state under the machine lock before touching anything, and answer INTERNAL with the state in the message.',
  },
  B202: {
    why: 'There is no host to configure yet. A provider that accepts this either fails later without saying so or buys a machine that nobody ordered.',
    rule: 'Section 4, step 5 (position): Configure starts in IDLE only.',
    fix: 'Reject in the handler; do not queue the call until the machine is Idle and do not create it on the way.',
  },
  B203: {
    why: 'Shards repeat a Drain whose reply they lost. If the repeat looks like a fencing error a human is paged, and if it starts something the machine is drained a second time under its next owner.',
    rule: 'Section 4, steps 4 and 5: Drain on IDLE is either the answer to a Drain that ran before or a rejection that is not FAILED_PRECONDITION; section 9, A1 and A2 say which is allowed when.',
    fix: 'Remember the last operation of each kind for a machine. With a Drain on record return its operation_id, without one reject with INTERNAL.',
  },
  B204: {
    why: 'A Delete that takes a Configured machine kills the workloads on it. This is the most expensive mistake a provider can make.',
    rule: 'Section 4, step 5 (position): Delete starts in IDLE only. Without Delete every such call is UNIMPLEMENTED; on SPECULATIVE a no-op is allowed as well (section 9, A3).',
    fix: 'Check for IDLE under the same lock that starts the termination. On a free pool answer UNIMPLEMENTED before anything else.',
  },
  B205: {
    why: 'A shard that lost a reply asks again. If the second answer is an error the shard believes that its machine failed and orders another.',
    rule: 'Section 4, step 4 (idempotency): a call whose kind already brought the machine where it is answers OK and does nothing.',
    fix: 'Before checking the position, compare the state with the target of the call and look for a recorded operation of that kind.',
  },
  B206: {
    why: 'The operation_id ties a retry to its first attempt. With a new one for each retry the shard counts two operations where there was one.',
    rule: 'Section 4, step 4 (idempotency): the answer to a retry carries the operation_id of the transition that led to the target.',
    fix: 'Store the operation_id with the machine, by kind of call, when the transition is accepted, and return the stored one.',
  },
  B207: {
    why: 'A machine that comes into being by a mistyped id is paid for and belongs to no inventory. FAILED_PRECONDITION would make the shard believe that it has been replaced.',
    rule: 'Section 4, step 3 (existence): an unknown id is NOT_FOUND and nothing is created; the fence has been asked before.',
    fix: 'Look the id up in the inventory and never insert on lookup. In Go, beware of maps filled through a get-or-create helper.',
  },
  B208: {
    why: 'An empty id is a bug in the caller. Any other code sends its author looking for a missing machine or a network fault.',
    rule: 'Section 4, step 1 (shape), and the rule on Get: an empty machine_id is INVALID_ARGUMENT.',
    fix: 'Validate requests in one function in front of all handlers, before locks and lookups.',
  },
  B209: {
    why: 'The shard keeps its own bookkeeping in shard_metadata. A map that was cut loses it, and a machine left half configured is lost to everyone.',
    rule: 'Section 9, A8 (sizes): the map is either accepted and echoed verbatim or refused with INVALID_ARGUMENT, RESOURCE_EXHAUSTED where the frame limit is hit, with nothing applied.',
    fix: 'If the store has a limit, check the whole map against it in the shape step, before the machine is touched.',
  },
  B210: {
    why: 'A negative grace period is a sign error upstream. Taken for zero it kills workloads at once; taken as unsigned it waits for centuries.',
    rule: 'Section 4, step 1 (shape): a negative grace_period_seconds on Drain is INVALID_ARGUMENT and no state changes.',
    fix: 'Reject it in the shape step; do not clamp it to zero.',
  },
  B211: {
    why: 'A negative number in a token is a broken client or an overflow. If it sets a mark, or pages a human as a fencing event, the true cause stays hidden.',
    rule: 'Section 4, step 1 (shape): with a shard_id, a negative epoch or sequence is INVALID_ARGUMENT, before the fence is asked.',
    fix: 'Test both fields for being below zero before the fence; do not let the comparison with an absent mark accept them.',
  },
  B212: {
    why: 'A mark that wraps or is rounded at the top of int64 opens the gate to every zombie, or closes it for the rightful shard for good.',
    rule: 'Section 4, step 2 (fence), and section 2 (int64 is exact): the largest token is a token like any other.',
    fix: 'Keep epoch and sequence as int64, never as float, and never compute mark plus one. Beware of JSON stores, which turn large numbers into doubles.',
  },
  B213: {
    why: 'A blob that is too large must be refused as a whole. A machine booted with half a script joins no cluster, but is billed.',
    rule: 'Section 9, A8 (sizes): accepted or INVALID_ARGUMENT (RESOURCE_EXHAUSTED where the frame limit is hit), with nothing applied.',
    fix: 'Compare the size with the limit of your substrate (for example the user-data limit of the cloud) in the shape step.',
  },
  B214: {
    why: 'An operation_id that comes back in a later cycle makes a new drain look like the old one that is already done, and the shard goes on while workloads still run.',
    rule: 'Section 4, step 6 (accept): every accepted transition carries an operation_id never seen before on this provider.',
    fix: 'Use a random UUID for each accepted transition. An id built from machine and state repeats in the second cycle.',
  },
  B215: {
    why: 'A shard that asks for a machine which is gone must learn that it is gone. An error of another kind makes it retry for ever.',
    rule: 'Section 4, step 3 (existence), and the rule on Get: unknown is NOT_FOUND; Delete may be UNIMPLEMENTED instead.',
    fix: 'Return a typed not-found error from the inventory and map it to NOT_FOUND in one place for all calls.',
  },
};
