import { defineArea } from './behavior.js';

/** B10xx: what must survive SIGKILL and a restart on the same state (contract section 7, durable lane). */
export const DURABILITY = defineArea(
  { area: 'durability', phase: 4, profiles: ['durable'], capability: 'Durable' },
  [
    {
      id: 'B1001',
      title:
        'After kill and restart on the same state, a token that is not strictly newer is still FAILED_PRECONDITION: the marks survived',
    },
    {
      id: 'B1002',
      title:
        'After restart, an idempotent retry of a mutation from before it returns the operation_id of that time: the idempotency record survived',
    },
    {
      id: 'B1003',
      title:
        'After restart, a machine that was Configured still shows its cluster and its shard_metadata verbatim over Get and List',
    },
    {
      id: 'B1004',
      title:
        'After restart, the inventory has the same machine ids in the same states, none lost and none doubled',
    },
    {
      id: 'B1005',
      title:
        'After restart, a delta cursor and a newly issued operation_id are well-formed, and the operation_id is none of those issued before (fresh, not necessarily counting up)',
    },
    {
      id: 'B1006',
      title:
        'A transition cut short by the kill comes back as FAILED with last_error or in a clean stable state, never stuck in a transitional one',
    },
    {
      id: 'B1007',
      title:
        'After restart, the first low token of a brand-new shard is accepted: the marks came back per (shard_id, machine_id), not folded into one',
    },
  ],
);
