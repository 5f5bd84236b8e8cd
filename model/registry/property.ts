import { defineArea } from './behavior.js';

/** B12xx: the contract under seeded random input, replayable from the seed (contract section 4). */
export const PROPERTY = defineArea({ area: 'property', phase: 2, profiles: ['core'], capability: null }, [
  {
    id: 'B1201',
    title:
      'For a seeded random stream of (epoch, sequence) tokens of one shard, every step is accepted exactly when it is lexicographically above the running maximum, and the seed replays it',
  },
  {
    id: 'B1202',
    title:
      'Seeded random metadata maps of valid UTF-8 each come back byte for byte in the Get after their Configure, over many generated cases',
  },
  {
    id: 'B1203',
    title:
      'Over seeded random sequences of legal and illegal calls the provider keeps to the four edges: legal ones succeed, illegal ones are rejected without FAILED_PRECONDITION, none takes partial effect',
  },
  {
    id: 'B1204',
    title:
      'Over random interleavings of fenced mutations by several shards on shared machines, FAILED_PRECONDITION comes only from the fence, never for a wrong position or an unknown machine',
  },
  {
    id: 'B1205',
    title:
      'For seeded random request shapes (empty or unknown id, negative grace, oversized metadata or blob, malformed token) the code is the one of the discipline: INVALID_ARGUMENT, NOT_FOUND or UNIMPLEMENTED, never FAILED_PRECONDITION',
  },
]);
