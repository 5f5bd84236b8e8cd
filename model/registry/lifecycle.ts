import { defineArea } from './behavior.js';

/** B1xx: what a machine looks like on its way around the four edges (contract section 3). */
export const LIFECYCLE = defineArea({ area: 'lifecycle', phase: 2, profiles: ['core'], capability: null }, [
  {
    id: 'B101',
    title:
      'Over four round trips from Speculative through Idle and Configured back to Idle, every return to Idle shows an empty cluster, shard_metadata and last_error',
  },
  {
    id: 'B103',
    title:
      'While a Configure is in flight the only transitional state ever seen is CONFIGURING, and the machine settles in Configured',
  },
  {
    id: 'B104',
    title:
      'While a Drain is in flight the only transitional state ever seen is DRAINING, and the machine settles back in Idle',
  },
  {
    id: 'B105',
    title:
      'The states seen during Create, Configure and Drain, in order and without repeats, follow the four legal edges and never leave out a stable state',
  },
  {
    id: 'B106',
    title:
      'cluster is set while the machine rests in Configured and empty once a Drain has settled in Idle; where a CONFIGURING moment is seen, cluster is set in it already',
  },
  {
    id: 'B107',
    title:
      'At rest, host is nil for Speculative and set for Idle and Configured, and Get never presents a transitional state as the settled result',
  },
  {
    id: 'B108',
    title:
      'Once a mutation has settled, polling over a stability window never sees the machine slip back into a transitional state by itself',
  },
  {
    id: 'B109',
    profiles: ['core', 'cloud'],
    capability: 'Delete',
    title:
      'While a Delete is in flight the only transitional state ever seen is DELETING, and the machine settles back in Speculative',
  },
]);
