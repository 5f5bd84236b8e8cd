import { defineArea } from './behavior.js';

/** B5xx: shard_metadata is the shard's own memory and comes back byte for byte (contract sections 2 and 3). */
export const METADATA = defineArea({ area: 'metadata', phase: 2, profiles: ['core'], capability: null }, [
  {
    id: 'B501',
    title:
      'A map of 55 keys with NUL, control characters, Unicode and empty values comes back byte for byte from Get and from List(CONFIGURED), the same on every read',
  },
  {
    id: 'B502',
    title:
      'shard_metadata and cluster are both gone when a Drain settles in Idle, and a Configure with a disjoint map afterwards shows no key of the old binding',
  },
  {
    id: 'B503',
    title:
      'A metadata map that is large or has many keys is echoed verbatim or rejected with INVALID_ARGUMENT under a documented cap, never quietly cut or summarized',
  },
  {
    id: 'B504',
    title:
      'Where a CONFIGURING moment is seen, shard_metadata is in it verbatim already; where none is seen, the verbatim map is there once the machine is Configured',
  },
  {
    id: 'B505',
    title:
      'Changing the map after the Configure was acknowledged does not change what the provider stored: a fresh Get returns the bytes that were sent',
  },
]);
