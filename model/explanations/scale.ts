import type { SCALE } from '../registry/scale.js';
import type { ExplanationsOf } from './explanation.js';

/** Why the behaviors of this area matter, which rule decides them, and how to keep them. */
export const SCALE_EXPLANATIONS: ExplanationsOf<typeof SCALE> = {
  B1101: {
    why: 'A large fleet must be listed whole. A List that is cut or fails above some size takes the entire provider away from its shards.',
    rule: 'Section 5 (List) and section 3 (record table), at the sizes of section 7 (scale lane).',
    fix: 'Raise the send limit of the gRPC server, build replies without a hidden page size, and make records at scale by the same code as single ones.',
  },
  B1102: {
    why: 'Deltas are what makes a large fleet affordable. One that misses a machine hides a change, and one that is too wide is a full List in disguise.',
    rule: 'Section 5 (cursors), at scale: the delta is exactly what changed.',
    fix: 'Keep an index by revision rather than a bounded ring of recent changes, or fall back to the full list when the ring no longer reaches far enough.',
  },
  B1103: {
    why: 'The larger the fleet, the more pages, and the more machines are lost or doubled at their borders.',
    rule: 'Section 5 (paging), at scale: the pages add up to the whole set.',
    fix: 'Make the cursor name the last record of the page in a total order. Where many records share a revision, as after seeding, add the id to the order.',
  },
  B1104: {
    why: 'A residue that stays once in some hundred cycles is found by no small test, but in a fleet it happens every hour.',
    rule: 'Section 3, record table and binding: they hold in every cycle.',
    fix: 'Run your own churn test under the race detector. A worker that writes after its machine has moved on is the usual cause.',
  },
  B1105: {
    why: 'Machines that vanish from the list are still billed, and machines that appear from nowhere are sold without existing.',
    rule: 'Section 3 (lifecycle) and section 5 (an unordered set): machines only come and go by Create and Delete.',
    fix: 'Change the inventory in place under its lock. Replacing the whole map from a snapshot loses what was written meanwhile.',
  },
  B1106: {
    why: 'Shards work with deadlines. Calls that become slow as the fleet grows turn into lost replies and retries, which make them slower still.',
    rule: 'Section 7 (scale lane): p99 of Get, Create and List stays within the declared, adjustable budget.',
    fix: 'Index by id, hold locks per machine and never across a call to the substrate, and acknowledge before the work is done.',
  },
  B1107: {
    why: 'A List whose cost grows with the square of the fleet works in the trial and fails in the year after.',
    rule: 'Section 7 (scale lane): full List latency grows about in line with the inventory and stays within budget.',
    fix: 'Go over the inventory once. Look for a sort in a loop, a linear search per machine, or a copy of the whole map for each record.',
  },
  B1108: {
    why: 'When a zone fails a shard orders thousands of machines at once. A provider that works them off one by one, or mixes up their ids, is no help then.',
    rule: 'Section 4, step 6 (accept), and section 7 (scale lane): parallel mutations all get through, each with an operation_id of its own.',
    fix: 'Do not hold one lock for the whole fleet while the substrate works, and draw operation ids from random UUIDs instead of the time of day.',
  },
  B1109: {
    why: 'Under load a reconcile loop may take a slow answer for a missing machine and fail or restart machines that are fine.',
    rule: 'Section 3, lifecycle edges: a stable state is left only through a call, under load as well.',
    fix: 'Let background loops change a machine only on proof, not on a timeout of their own query.',
  },
};
