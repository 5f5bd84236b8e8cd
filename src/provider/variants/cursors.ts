/** Providers whose lists and cursors look unlike the usual ones (contract section 5). */
import type { Variant } from './variant.js';

/** Variants in lists and cursors. */
export const CURSORS: readonly Variant[] = [
  {
    name: 'random-list-order',
    says: 'Every List has its machines in another order.',
    alter: (base) => ({
      list(query, provider) {
        const listed = base.list(query, provider);
        if (!listed.ok) return listed;
        const drawn = listed.machines.map((machine) => ({ machine, lot: provider.random.next() }));
        drawn.sort((one, other) => one.lot - other.lot);
        return { ...listed, machines: drawn.map(({ machine }) => machine) };
      },
    }),
  },
  {
    name: 'base64-cursors',
    says: 'Cursors are text.',
    alter: (base) => ({
      seal: (revision, provider) =>
        Buffer.from(Buffer.from(base.seal(revision, provider)).toString('base64')),
      unseal(cursor, provider) {
        const text = Buffer.from(cursor).toString('latin1');
        const bytes = Buffer.from(text, 'base64');
        // A lenient decoder reads several texts as the same bytes; only one of them was issued.
        return bytes.toString('base64') === text ? base.unseal(bytes, provider) : undefined;
      },
    }),
  },
  {
    name: 'no-cursors',
    says: 'Revisions are empty: there are no deltas and no pages but the first.',
    alter: () => ({ seal: () => new Uint8Array(), unseal: () => undefined }),
  },
  {
    name: 'head-cursor',
    says: 'The cursor of a cut page names the head, so the rest of the pages is lost.',
    reading: 'reference',
    alter: () => ({ nextRevision: (_page, _cut, _after, provider) => provider.fleet.head }),
  },
];
