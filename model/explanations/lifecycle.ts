import type { LIFECYCLE } from '../registry/lifecycle.js';
import type { ExplanationsOf } from './explanation.js';

/** Why the behaviors of this area matter, which rule decides them, and how to keep them. */
export const LIFECYCLE_EXPLANATIONS: ExplanationsOf<typeof LIFECYCLE> = {
  B101: {
    why: 'Machines are reused many times. Whatever one cycle leaves behind is taken for part of the next, so a machine ends up counted for a cluster that gave it back long ago.',
    rule: 'Section 3, record table: an IDLE machine has no cluster, no shard_metadata and no last_error, however often it has been around.',
    fix: 'Clear the three fields in the same write that moves the machine to IDLE. One function that builds the Idle record from nothing is safer than one that edits the old record.',
  },
  B103: {
    why: 'The shard plans by what it sees. A machine that shows CREATING or DRAINING during a Configure is taken for capacity that is coming or going, and is planned for twice.',
    rule: 'Section 3, lifecycle edges: Configure leads from IDLE through CONFIGURING, and through nothing else, to CONFIGURED.',
    fix: 'Give each call its own transitional state in one table and let the handler and the background worker both read it from there.',
  },
  B104: {
    why: 'A drain that shows any other transitional state hides that workloads are being moved off. The shard may send new work to the machine or delete it under the running one.',
    rule: 'Section 3, lifecycle edges: Drain leads from CONFIGURED through DRAINING, and through nothing else, to IDLE.',
    fix: 'Write DRAINING before the ack is sent, and IDLE only when the actuator has finished. Do not pass through DELETING because your substrate destroys and rebuilds the node.',
  },
  B105: {
    why: 'A trace that jumps over a stable state, or takes an edge that does not exist, means that two things happened under one name. The shard cannot say any more what was paid for and who held the machine.',
    rule: 'Section 3, lifecycle edges: there are four legal edges. A transitional state may be too short to be seen, a stable state may not be left out.',
    fix: 'Keep the state behind one function that takes the current and the next state and refuses any pair outside the table.',
  },
  B106: {
    why: 'cluster tells every reader who holds the machine. Empty while Configured, the machine looks free to take; set after the Drain, it looks taken for ever.',
    rule: 'Section 3, binding: cluster is set from the moment Configure is accepted until the Drain has settled.',
    fix: 'Write cluster together with CONFIGURING when the call is accepted, and clear it together with IDLE when the drain ends.',
  },
  B107: {
    why: 'A Speculative machine with a host looks as if it were running and billed; an Idle one without a host cannot be reached. A settled machine that shows a transitional state makes its shard wait for nothing.',
    rule: 'Section 3, record table: no host in SPECULATIVE, a host in IDLE and CONFIGURED, and after settling a stable state.',
    fix: 'Derive host from the state when the record is built: take it from the instance that exists, and leave the message out for a slot that has none.',
  },
  B108: {
    why: 'A machine that wanders off by itself defeats every plan: the shard sees capacity vanish that nobody asked to remove.',
    rule: 'Section 3, lifecycle edges: a stable state is only ever left through a call.',
    fix: 'Let the reconcile loop compare and report, not restart transitions that are complete. Mark a transition done in the same write that settles the machine.',
  },
  B109: {
    why: 'While a machine is being terminated the shard must see that it is going, and afterwards that its slot can be bought again. A wrong state here keeps paying for a dead machine or loses the slot.',
    rule: 'Section 3, lifecycle edges: Delete leads from IDLE through DELETING, and through nothing else, to SPECULATIVE.',
    fix: 'Keep the record when the instance is terminated, and turn it into a Speculative slot once the substrate confirms the end. Do not drop the id.',
  },
};
