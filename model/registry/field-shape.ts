import { defineArea } from './behavior.js';

/** B8xx: what a machine record must hold in each state (contract section 3). */
export const FIELD_SHAPE = defineArea(
  { area: 'field-shape', phase: 2, profiles: ['core'], capability: null },
  [
    {
      id: 'B801',
      title:
        'Every machine has a state other than UNSPECIFIED and a non-empty instance_type, and no instance-type, zone or capacity-type key hides in its labels',
    },
    {
      id: 'B802',
      profiles: ['core', 'spot'],
      title:
        'Every price_per_hour is finite and not negative, every interruption_probability lies in [0,1], and it is above 0 for SPOT machines',
    },
    {
      id: 'B803',
      title:
        'host is nil for Speculative and set for Idle and Configured; cluster is empty for Speculative and Idle and set for Configured',
    },
    {
      id: 'B804',
      title:
        'Where a machine fills both allocatable and resources, both are non-empty maps from which the density floor(allocatable/resources) can be computed',
    },
    {
      id: 'B805',
      title:
        'HostRef.provider of a machine is the same in every Get and List from Idle through Configured back to Idle',
    },
    {
      id: 'B806',
      title:
        'A stable machine is consistent across fields: capacity_type is not UNSPECIFIED, and one with a host has a zone',
    },
    {
      id: 'B807',
      profiles: ['core', 'cloud'],
      capability: 'Delete',
      title:
        'A Delete that takes an Idle machine back to Speculative clears host, cluster and shard_metadata',
    },
  ],
);
