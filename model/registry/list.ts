import { defineArea } from './behavior.js';

/** B9xx: filters, caps, cursors and paging of List (contract section 5). */
export const LIST = defineArea({ area: 'list', phase: 2, profiles: ['core'], capability: null }, [
  {
    id: 'B901',
    title:
      'List filtered by one state returns only machines in it, and a filter of several states returns exactly their union',
  },
  {
    id: 'B902',
    title: 'List with max_results 1, 2 or 3 never returns more than that, and with max_results 0 has no cap',
  },
  {
    id: 'B903',
    capability: 'SinceRevision',
    title:
      'After a mutation List.revision is a new one, and a delta List since the cursor from before includes the machine that changed',
  },
  {
    id: 'B904',
    capability: 'SinceRevision',
    title: 'A delta List since the current revision, with no mutation in between, returns no machine',
  },
  {
    id: 'B905',
    capability: 'SinceRevision',
    title:
      'Over many sequential mutations each revision differs from the one before, and a delta since any earlier cursor includes every machine changed after it',
  },
  {
    id: 'B906',
    title:
      'A since_revision that is garbage, all zeros or otherwise no cursor counts as none: the full list comes back without an error',
    reading: {
      literal:
        'Bytes that this provider did not issue as a cursor give the full list, however much they resemble one of its own.',
      reference: 'Any part of the fleet without duplicates is accepted, as long as there is no error.',
    },
  },
  {
    id: 'B907',
    capability: 'SinceRevision',
    title:
      'Paging through the fleet with max_results and since_revision yields every machine once: none twice, none skipped',
    reading: {
      literal: 'Paging by cursor loses no machine.',
      reference:
        'Pages may lose machines where every cursor, even that of a capped page, names the head of the log, provided that the delta without a cap is complete.',
    },
  },
  {
    id: 'B908',
    capability: 'SinceRevision',
    title:
      'With no client mutation over a quiet window, reconcile ticks bump no revision: repeated delta Lists stay empty',
  },
  {
    id: 'B909',
    capability: 'SinceRevision',
    title:
      'A cursor fed back in the exact bytes in which a List issued it is accepted, while a copy with altered bytes gives the full list rather than an error',
    reading: {
      literal:
        'An altered copy of a cursor gives the full list, even where the alteration looks like another cursor (one digit changed, a number from the future).',
      reference:
        'Any part of the fleet without duplicates is accepted for the altered copy, as long as there is no error.',
    },
  },
]);
