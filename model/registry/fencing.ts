import { defineArea } from './behavior.js';

/** B3xx: the high-water mark per (shard, machine) that keeps zombies out (contract section 4, step 2). */
export const FENCING = defineArea({ area: 'fencing', phase: 2, profiles: ['core'], capability: null }, [
  {
    id: 'B301',
    title:
      'A stale token on a machine that does not exist is rejected with FAILED_PRECONDITION: the fence is asked before existence is',
  },
  {
    id: 'B302',
    title:
      'Marks are kept per (shard_id, machine_id): a high mark fences neither another shard nor a lower token of the same shard on another machine, while each pair still rejects its own stale token',
  },
  {
    id: 'B303',
    title:
      'For one shard and machine every token not strictly newer is FAILED_PRECONDITION and every newer one moves the mark, compared lexicographically: a higher epoch wins with any sequence and starts it afresh',
  },
  {
    id: 'B305',
    title:
      'Get and List keep succeeding between mutations that are fenced out: reads carry no token and are never fenced',
  },
  {
    id: 'B306',
    title:
      'A Configure already applied, sent again with a stale token, is FAILED_PRECONDITION: the fence comes before the idempotent answer',
  },
  {
    id: 'B307',
    title:
      'A Drain already applied, sent again with a stale token, is FAILED_PRECONDITION: the fence comes before the idempotent answer',
  },
  {
    id: 'B308',
    title:
      'Two Creates in a row without a token (empty shard_id, epoch 0, sequence 0) are both accepted: no token, no fence',
  },
  {
    id: 'B309',
    title:
      'A shard session whose tokens count upwards is accepted in order through Create, Configure and Drain on one machine',
  },
  {
    id: 'B310',
    title:
      'After a shard raises its epoch and restarts its sequence, a token from before the restart is FAILED_PRECONDITION and one of the new epoch is accepted',
  },
  {
    id: 'B311',
    title:
      'A token that passes the fence but whose call then fails because the machine is out of position still moves the mark, so that the same token sent again is fenced',
  },
  {
    id: 'B312',
    title:
      'For a random stream of (epoch, sequence) tokens of one shard, a token is accepted exactly when it is lexicographically greater than every one accepted before',
  },
]);
