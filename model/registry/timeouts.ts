import { defineArea } from './behavior.js';

/** B7xx: what failure looks like, decided by the fault lane (contract section 7). */
export const TIMEOUTS = defineArea({ area: 'timeouts', phase: 4, profiles: ['fault'], capability: 'Fault' }, [
  {
    id: 'B701',
    title:
      'A Configure whose actuator errors takes the machine to FAILED with a non-empty last_error, and CONFIGURING does not linger',
  },
  {
    id: 'B702',
    title: 'A Create whose actuator errors takes the machine to FAILED with a non-empty last_error',
  },
  {
    id: 'B703',
    title:
      'A transition that outlives its timeout takes the machine to FAILED with a non-empty last_error that reads like a timeout, and never reverts in silence',
    reading: {
      literal: 'The last_error of a timed-out transition says that it was a timeout.',
      reference: 'Any non-empty last_error is accepted.',
    },
  },
  {
    id: 'B704',
    title:
      'A completion that arrives after its transition has already failed is dropped: the machine stays FAILED and never flips to the state of success',
  },
  {
    id: 'B705',
    title:
      'A FAILED machine rejects every further mutation with a code other than FAILED_PRECONDITION and stays FAILED with last_error verbatim: recovery takes another slot, never this one',
  },
  {
    id: 'B706',
    title:
      'A Drain with grace_period_seconds 0 on a failing actuator ends in Idle or in FAILED with last_error, never stuck in DRAINING and never reverted in silence',
  },
  {
    id: 'B707',
    title:
      'A FAILED machine still appears in Get and List, as FAILED and with the same last_error on every read',
  },
  {
    id: 'B708',
    title:
      'A machine is CONFIGURED only once its node was seen Ready: until then it stays CONFIGURING, and without readiness in the Configure timeout it goes FAILED with a non-empty last_error',
  },
]);
