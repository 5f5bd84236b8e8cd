import type { LIST } from '../registry/list.js';
import type { ExplanationsOf } from './explanation.js';

/** Why the behaviors of this area matter, which rule decides them, and how to keep them. */
export const LIST_EXPLANATIONS: ExplanationsOf<typeof LIST> = {
  B901: {
    why: 'The shard asks for Idle machines when it needs some. One that is missing is bought anew, and one too many is configured although it is in use.',
    rule: 'Section 5 (filter): states is a union, empty means all.',
    fix: 'Turn the filter into a set and test membership, treating the empty set as no filter. A switch on the first entry fails for two.',
  },
  B902: {
    why: 'A page above the cap can exceed the message limit of the caller, and a cap nobody asked for hides machines.',
    rule: 'Section 5 (cap): max_results above 0 caps the reply, 0 does not.',
    fix: 'Cut the result after filtering when max_results is positive. Do not replace 0 by a default page size.',
  },
  B903: {
    why: 'Shards follow the fleet by deltas. A change that is in no delta stays unseen until the next restart of the shard.',
    rule: 'Section 5 (cursors): the revision changes with every effect of a mutation, and the delta since an older revision holds the machine.',
    fix: 'Count a revision up in the same transaction as each change of a record, settling included, and store it with the record.',
  },
  B904: {
    why: 'Deltas that are never empty make every poll cost as much as a full List, for every shard, all day.',
    rule: 'Section 5 (cursors): the delta holds no machine that did not change since the cursor was issued.',
    fix: 'Return records whose revision is strictly greater than the cursor, and issue as cursor the revision the reply was read at.',
  },
  B905: {
    why: 'A revision that repeats or goes back makes a shard skip everything that happened in between.',
    rule: 'Section 5 (cursors): each mutation gives a new revision, and every earlier cursor still yields all that came after.',
    fix: 'Use one counter for the whole provider, kept with the data. Wall-clock time repeats within a tick and jumps back.',
  },
  B906: {
    why: 'After a provider was replaced its shards still hold the old cursors. An error stops them; an empty answer makes them believe that the fleet is gone or unchanged.',
    rule: 'Section 5 (cursors): bytes this provider never issued count as no cursor, so the full list comes back without an error.',
    fix: 'Give the cursor a checksum or a random instance id, and answer the full list whenever it does not verify.',
  },
  B907: {
    why: 'A shard that reads the fleet in pages and loses a machine will never use it, and one that reads it twice counts capacity that is not there.',
    rule: 'Section 5 (paging): pages by max_results and the revision of the page before add up to the whole set, nothing twice, nothing lost.',
    fix: 'Order by revision and let the cursor of a capped page name the last machine on it, not the head of the log.',
  },
  B908: {
    why: 'If every reconcile tick looks like a change, each shard rereads the fleet several times a minute for nothing.',
    rule: 'Section 5 (cursors): nothing but the effects of mutations changes the revision; background ticks do not show.',
    fix: 'In the reconcile loop compare the new record with the stored one and write only when they differ.',
  },
  B909: {
    why: 'The cursor is all that a shard remembers between polls. Refused when it is right, no delta works; trusted when it was damaged, changes are lost in silence.',
    rule: 'Section 5 (cursors): a cursor is opaque bytes; the exact bytes work, and bytes never issued mean no cursor.',
    fix: 'Treat it as bytes all the way, without trimming or re-encoding, and verify a checksum over it before use.',
  },
};
