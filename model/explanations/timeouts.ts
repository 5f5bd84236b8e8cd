import type { TIMEOUTS } from '../registry/timeouts.js';
import type { ExplanationsOf } from './explanation.js';

/** Why the behaviors of this area matter, which rule decides them, and how to keep them. */
export const TIMEOUTS_EXPLANATIONS: ExplanationsOf<typeof TIMEOUTS> = {
  B701: {
    why: 'A machine that stays CONFIGURING after its configuration failed is paid for and serves nobody, and no alarm says so.',
    rule: 'Section 3, edge to FAILED: an actuator error in a transitional state leads to FAILED with a non-empty last_error.',
    fix: 'Handle the error of the actuator in the worker by writing FAILED and the error text in one write. Do not just log it.',
  },
  B702: {
    why: 'If a failed Create leaves no trace the shard waits for capacity that never comes instead of trying another slot or zone.',
    rule: 'Section 3, edge to FAILED: the same holds for CREATING as for every other transitional state.',
    fix: 'Write FAILED with the error of the substrate. Do not fall back to SPECULATIVE, which looks as if nothing had been tried.',
  },
  B703: {
    why: 'A transition without an end blocks the slot for ever, and one that quietly reverts is tried again and again. Who reads last_error needs to know that time ran out and not that something broke.',
    rule: 'Section 3, edge to FAILED, and section 7 (fault lane): running into the timeout is FAILED, with a last_error that says so.',
    fix: 'Run the actuator under a context with a deadline and, when it expires, write FAILED with words such as "timed out after 2s" or "deadline exceeded".',
  },
  B704: {
    why: 'The shard has long replaced the failed machine. If it comes back to life, there is one too many, with a binding that nobody watches.',
    rule: 'Section 3 (FAILED is terminal) and section 7 (fault lane): a completion that comes too late has no effect.',
    fix: 'Give each transition a generation or its operation_id, and let the worker write its result only if the machine is still in that very transition.',
  },
  B705: {
    why: 'Nobody knows in what condition a failed machine is. Taken into service again it may run two bootstraps, and with last_error overwritten the cause is lost.',
    rule: 'Section 3 (FAILED is terminal): no call moves the machine or touches its last_error any more, each is rejected. Fencing still comes first.',
    fix: 'Treat FAILED as a source state without edges and reject with INTERNAL. Clean up by a path of your own, outside these calls.',
  },
  B706: {
    why: 'A grace period of zero is used in emergencies. A machine stuck in DRAINING at that moment holds up the evacuation of a cluster.',
    rule: 'Section 3, edges of DRAINING: the Drain ends in IDLE, or in FAILED with last_error, and nowhere else.',
    fix: 'Let grace zero mean no waiting, not no timeout. Bound the drain by the transition timeout in any case, and write FAILED when the actuator errors.',
  },
  B707: {
    why: 'A failed machine that disappears from the lists cannot be cleaned up, and one whose error text changes cannot be diagnosed.',
    rule: 'Section 3, record table and FAILED is terminal: the record stays readable, in Get and in List, and last_error does not change.',
    fix: 'Keep failed machines in the inventory and store last_error once, with FAILED. Do not make it up anew on each read.',
  },
  B708: {
    why: 'A machine that is reported CONFIGURED before its node joined gets work scheduled to it that never starts, and the shard believes that its demand is met.',
    rule: 'Section 7 (fault lane), readiness: CONFIGURING until the node has been seen Ready; without it FAILED at the timeout, never CONFIGURED.',
    fix: 'Let the worker wait for the node to become Ready after the bootstrap has run, under the same deadline. A finished boot script is not a joined node.',
  },
};
