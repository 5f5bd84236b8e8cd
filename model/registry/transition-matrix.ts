import { defineArea } from './behavior.js';

/** B2xx: which call is legal where, and with which code the others are turned away (contract section 4). */
export const TRANSITION_MATRIX = defineArea(
  { area: 'transition-matrix', phase: 2, profiles: ['core'], capability: null },
  [
    {
      id: 'B201',
      title:
        'Create on a Configured machine is rejected with a code other than FAILED_PRECONDITION, and the machine stays Configured with no partial transition',
    },
    {
      id: 'B202',
      title:
        'Configure on a Speculative machine is rejected with a code other than FAILED_PRECONDITION, and the machine stays Speculative',
    },
    {
      id: 'B203',
      title:
        'Drain on an Idle machine never answers FAILED_PRECONDITION and leaves it Idle: a rejection, or a no-op where a Drain once ran on the machine',
    },
    {
      id: 'B204',
      profiles: ['core', 'cloud'],
      title:
        'Delete on a Speculative or Configured machine never answers FAILED_PRECONDITION and never moves it: a rejection, UNIMPLEMENTED, or (Speculative only) a no-op',
    },
    {
      id: 'B205',
      title:
        'Configure repeated on a Configured machine and Create repeated on an Idle one succeed as no-ops and leave the state as it is',
    },
    {
      id: 'B206',
      title:
        'A repeated call whose target is already reached answers with the same non-empty operation_id as the transition that reached it',
    },
    {
      id: 'B207',
      title:
        'Create, Configure and Drain on an unknown machine_id answer NOT_FOUND: never FAILED_PRECONDITION, and no machine comes into being',
    },
    {
      id: 'B208',
      title: 'Get, Create, Configure and Drain with an empty machine_id answer INVALID_ARGUMENT',
    },
    {
      id: 'B209',
      title:
        'A Configure with more shard_metadata than the provider takes is echoed verbatim or rejected with INVALID_ARGUMENT, never FAILED_PRECONDITION, with no partial transition',
    },
    {
      id: 'B210',
      title:
        'A Drain with a negative grace_period_seconds is rejected with INVALID_ARGUMENT and the machine stays Configured',
      reading: {
        literal: 'A negative grace period is INVALID_ARGUMENT and the machine stays CONFIGURED.',
        reference: 'OK is accepted too, if the Drain then completes cleanly.',
      },
    },
    {
      id: 'B211',
      title:
        'A mutation with a non-empty shard_id and a negative shard_epoch or sequence_number is rejected with INVALID_ARGUMENT, not FAILED_PRECONDITION',
      reading: {
        literal: 'A negative epoch or sequence beside a shard id is INVALID_ARGUMENT.',
        reference: 'OK is accepted too, where it is the first contact of that shard with the machine.',
      },
    },
    {
      id: 'B212',
      title:
        'A Configure from a fresh shard with shard_epoch and sequence_number at the int64 maximum is accepted and sets the high-water mark to exactly that, without overflow',
    },
    {
      id: 'B213',
      title:
        'A Configure with an oversized bootstrap_blob is accepted or rejected with INVALID_ARGUMENT, never FAILED_PRECONDITION, with no partial transition',
    },
    {
      id: 'B214',
      title:
        'Each new transition of a machine into a target state carries an operation_id different from all earlier ones',
    },
    {
      id: 'B215',
      profiles: ['core', 'cloud'],
      title: 'On an unknown machine_id, Get answers NOT_FOUND and Delete answers NOT_FOUND or UNIMPLEMENTED',
    },
  ],
);
