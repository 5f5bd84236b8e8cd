import type { PROPERTY } from '../registry/property.js';
import type { ExplanationsOf } from './explanation.js';

/** Why the behaviors of this area matter, which rule decides them, and how to keep them. */
export const PROPERTY_EXPLANATIONS: ExplanationsOf<typeof PROPERTY> = {
  B1201: {
    why: 'One wrong comparison in a fence is enough to let a replaced shard act. Random tokens around the border find what chosen examples miss.',
    rule: 'Section 4, step 2 (fence): accepted exactly when lexicographically greater than every token accepted before.',
    fix: 'Replay the seed, look at the first token judged otherwise and compare it with the mark by hand: equal pairs, low sequence in a higher epoch, and very large numbers are the usual places.',
  },
  B1202: {
    why: 'Some map out there will hold the one character your store does not like, and the shard that sent it loses its notes.',
    rule: 'Section 2 (traps) and section 3 (binding): any valid UTF-8 comes back byte for byte.',
    fix: 'Store the encoded message or raw bytes. Do not normalize Unicode, trim space, drop empty values or go through a format with reserved keys.',
  },
  B1203: {
    why: 'Real shards retry, race and restart, so calls arrive in every order. A provider that was only tried along the happy path leaves machines in states nobody can leave.',
    rule: 'Sections 3 and 4: the four edges, idempotent repeats, and rejections that change nothing and are not FAILED_PRECONDITION.',
    fix: 'Decide each call by one table of (state, call) before doing anything, and make every entry of the table a test.',
  },
  B1204: {
    why: 'FAILED_PRECONDITION pages a human, because it means that a shard was replaced. Used for anything else it either cries wolf or teaches people to ignore it.',
    rule: 'Section 4: FAILED_PRECONDITION is reserved for step 2, the fence.',
    fix: 'Return that code from the fence function only. In Go, search for codes.FailedPrecondition: there should be one place.',
  },
  B1205: {
    why: 'Callers decide by the code whether to retry, to give up or to page someone. A wrong code turns a bug in a client into an incident, or a lasting error into endless retries.',
    rule: 'Section 4, steps 1 and 3, and section 9, A5 to A8: a defect of shape is INVALID_ARGUMENT, an unknown id is NOT_FOUND, a missing Delete is UNIMPLEMENTED.',
    fix: 'Validate first, in one function for all requests, and map internal errors to codes in one place. An error that reaches gRPC without a code becomes UNKNOWN.',
  },
};
