/** Bugs in reading cursors (contract section 5). */
import type { Mutant } from '../alteration.js';
import { type Query, reject } from '../call.js';
import type { Provider } from '../provider.js';
import type { Alter } from './support.js';

/** Cursor bugs. */
export const CURSORS: readonly Mutant[] = [
  {
    name: 'garbage-cursor-errors',
    breaks: 'B906',
    says: 'Bytes that are no cursor are refused.',
    alter: refusingWhen((query, provider) => query.since.length > 0 && unreadable(query, provider)),
  },
  {
    name: 'garbage-cursor-gives-nothing',
    breaks: 'B906',
    says: 'After bytes that are no cursor, nothing has changed.',
    reading: 'literal',
    alter: () => ({
      since: (cursor, provider) =>
        cursor.length === 0 ? 0 : (provider.policies.unseal(cursor, provider) ?? provider.fleet.head),
    }),
  },
  {
    name: 'number-from-the-future-is-a-cursor',
    breaks: 'B906',
    says: 'A decimal number is a cursor too, however large, and nothing has changed after it.',
    reading: 'literal',
    alter: (base) => ({
      since: (cursor, provider) =>
        /^[1-9]\d*$/.test(Buffer.from(cursor).toString('latin1'))
          ? provider.fleet.head
          : base.since(cursor, provider),
    }),
  },
  {
    name: 'zero-cursor-errors',
    breaks: 'B906',
    says: 'A cursor of nothing but zero bytes is refused.',
    alter: refusingWhen(
      ({ since }) => since.length > 0 && since.every((byte) => byte === 0 || byte === '0'.charCodeAt(0)),
    ),
  },
  {
    name: 'corrupted-cursor-errors',
    breaks: 'B909',
    says: 'Bytes as long as a cursor that are none are refused.',
    alter: refusingWhen((query, provider) => {
      const length = provider.policies.seal(provider.fleet.head, provider).length;
      return query.since.length === length && unreadable(query, provider);
    }),
  },
  {
    name: 'corrupted-cursor-trusted',
    breaks: 'B909',
    says: 'The seal of a cursor is not looked at, so a corrupted one names another revision.',
    reading: 'literal',
    alter: (base) => ({
      unseal(cursor, provider) {
        const sealed = base.seal(0, provider);
        if (cursor.length !== sealed.length) return undefined;
        const revision = Buffer.from(cursor.subarray(0, 8)).readBigUInt64BE();
        return Number(revision);
      },
    }),
  },
  {
    name: 'cursor-refused-twice',
    breaks: 'B909',
    says: 'A cursor can be used once; the second time it is refused.',
    alter(base) {
      const used = new Set<string>();
      return {
        list(query, provider) {
          const key = Buffer.from(query.since).toString('hex');
          if (used.has(key)) return reject('OUT_OF_RANGE', 'the cursor is spent');
          if (!unreadable(query, provider)) used.add(key);
          return base.list(query, provider);
        },
      };
    },
  },
];

/** Refuses some Lists for their cursor. */
function refusingWhen(refuses: (query: Query, provider: Provider) => boolean): Alter {
  return (base) => ({
    list: (query, provider) =>
      refuses(query, provider) ? reject('INVALID_ARGUMENT', 'not a cursor') : base.list(query, provider),
  });
}

function unreadable(query: Query, provider: Provider): boolean {
  return provider.policies.unseal(query.since, provider) === undefined;
}
