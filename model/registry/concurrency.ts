import { defineArea } from './behavior.js';

/** B4xx: what racing calls on a machine may add up to (contract section 6). */
export const CONCURRENCY = defineArea(
  { area: 'concurrency', phase: 2, profiles: ['core'], capability: null },
  [
    {
      id: 'B401',
      title:
        'N identical Creates racing on one Speculative machine share one non-empty operation_id, and the machine reaches Idle exactly once',
    },
    {
      id: 'B402',
      title:
        'N identical Configures (same cluster, same metadata) racing on one Idle machine share one operation_id, and the machine reaches Configured exactly once',
    },
    {
      id: 'B403',
      title:
        'N identical Drains racing on one Configured machine share one operation_id, and the machine reaches Idle exactly once with cluster and metadata gone',
    },
    {
      id: 'B404',
      title:
        'Of two conflicting mutations racing on one machine, such as Configure against Drain, at most one succeeds, and the machine lands in one well-defined stable state',
    },
    {
      id: 'B405',
      title:
        'With tokens of an old and a new epoch interleaved on one machine, the live, higher epoch always wins and the zombie is always FAILED_PRECONDITION',
    },
    {
      id: 'B406',
      title:
        'Racing retries toward the same target of a machine collapse to one operation_id even when sent over separate connections',
    },
    {
      id: 'B407',
      title:
        'K machines driven to Idle at once each return an operation_id of their own and each reach Idle, with no effect leaking from one to another',
    },
    {
      id: 'B408',
      title:
        'In a burst of identical retries every successful ack carries a machine snapshot in the same target-bound transitional or settled state, never a torn one',
    },
    {
      id: 'B409',
      profiles: ['core', 'cloud'],
      capability: 'Delete',
      title:
        'N identical Deletes racing on one Idle machine share one operation_id, and the machine reaches Speculative exactly once',
    },
  ],
);
