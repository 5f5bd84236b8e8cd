import fc from 'fast-check';
import type { Call, Token } from '../../model/call.js';
import { LIFECYCLE_STATES } from '../../model/machine.js';

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Keys that object maps lose, and strings that sloppy codecs mangle. */
export const AWKWARD = [
  '',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '\0',
  '\uFEFFbom',
  '🦊',
  '\u001b[2J',
  '\u2028',
];

/** Any string that has UTF-8. */
export const utf8 = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom(...AWKWARD));
export const int64 = fc.oneof(
  fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
  fc.constantFrom(INT64_MIN, INT64_MAX, -1n, 0n, 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 32n, 2n ** 31n),
);
export const stringMap = fc.array(fc.tuple(utf8, utf8), { maxLength: 8 }).map((entries) => new Map(entries));
export const bytes = fc.uint8Array({ maxLength: 40 });
const token: fc.Arbitrary<Token> = fc.record({ shard: utf8, epoch: int64, sequence: int64 });
const mutation = { machineId: utf8, token };

export const anyCall: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ kind: fc.constant('Create' as const), ...mutation }),
  fc.record({
    kind: fc.constant('Configure' as const),
    ...mutation,
    cluster: utf8,
    metadata: stringMap,
    blob: bytes,
  }),
  fc.record({ kind: fc.constant('Drain' as const), ...mutation, grace: int64 }),
  fc.record({ kind: fc.constant('Delete' as const), ...mutation }),
  fc.record({ kind: fc.constant('Get' as const), machineId: utf8 }),
  fc.record({
    kind: fc.constant('List' as const),
    states: fc.array(fc.constantFrom(...LIFECYCLE_STATES), { maxLength: 8 }),
    maxResults: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    sinceRevision: bytes,
  }),
);
