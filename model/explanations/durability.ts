import type { DURABILITY } from '../registry/durability.js';
import type { ExplanationsOf } from './explanation.js';

/** Why the behaviors of this area matter, which rule decides them, and how to keep them. */
export const DURABILITY_EXPLANATIONS: ExplanationsOf<typeof DURABILITY> = {
  B1001: {
    why: 'A provider that forgets its marks opens the door to every zombie for as long as the rightful shard has not called again.',
    rule: 'Section 7 (durable lane): fence marks survive a kill.',
    fix: 'Write the mark to the durable store before the reply goes out, also for calls that a later step rejects.',
  },
  B1002: {
    why: 'The shard whose reply was lost in the crash asks again. Without the old answer the same work is done twice.',
    rule: 'Section 7 (durable lane): operation ids survive a kill, so section 4, step 4 holds across it.',
    fix: 'Store the operation_id in the record of the machine, in the same write as the transition.',
  },
  B1003: {
    why: 'Workloads keep running while the provider is down. If it comes back without the bindings, machines in use look free.',
    rule: 'Section 7 (durable lane) and section 3 (binding): cluster and map survive, byte for byte.',
    fix: 'Persist cluster and map when Configure is accepted. A JSON file needs care with bytes that are not plain text; protobuf does not.',
  },
  B1004: {
    why: 'A machine that is lost in a restart is billed for ever without an owner, and one that is doubled is sold twice.',
    rule: 'Section 7 (durable lane): the inventory survives, with ids and states.',
    fix: 'On boot load the store first and seed only what it has never held. Write files by rename so that a kill never leaves half of one.',
  },
  B1005: {
    why: 'A counter that starts again after a crash gives out operation ids a second time, and a shard takes new work for work that is done.',
    rule: 'Section 4, step 6 (accept), and section 7 (durable lane): operation ids are fresh across restarts, and cursors are still usable.',
    fix: 'Use random UUIDs, or persist the counter ahead of its use. Freshness is what counts, not order.',
  },
  B1006: {
    why: 'The worker of the transition died with the process. If nobody picks it up the machine is stuck for ever, paid for and unusable.',
    rule: 'Section 3, edge to FAILED, and section 7 (durable lane): an interrupted transition ends in FAILED with last_error, or in one of the stable states with nothing left over.',
    fix: 'On boot go through all transitional records and either resume the work or write FAILED with "interrupted by restart".',
  },
  B1007: {
    why: 'If the marks come back as a single number, new shards cannot start work until their counters have caught up, which may be never.',
    rule: 'Section 4, step 2 (fence), and section 7 (durable lane): marks are per (shard_id, machine_id) after a restart as before it.',
    fix: 'Persist the marks under their full key. Do not rebuild one from the highest token found in the log.',
  },
};
