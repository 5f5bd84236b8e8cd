/** Every variant keeps the rules that no freedom of contract section 9 touches. */
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../src/provider/call.js';
import { VARIANTS } from '../../src/provider/index.js';
import { EDGES } from '../../src/provider/machine.js';
import { wireState } from '../../src/provider/record.js';
import { type Observed, observed } from './observe.js';

const ID = 'm-000001';

/** Longer than any variant's transition, in the scheduler's milliseconds. */
const SETTLED_MS = 2_001;

function codeOf(reply: Reply | undefined): string {
  if (reply === undefined) return 'no reply';
  return reply.ok ? 'OK' : reply.code;
}

describe.each(VARIANTS)('$name', (variant) => {
  test('carries a machine along the edges, once for all retries and past the fence only', async () => {
    const seen = observed(variant);
    const operations = new Set<string>();
    let sequence = 0n;
    for (const kind of ['Create', 'Configure', 'Drain', 'Configure'] as const) {
      sequence += 1n;
      const fence = ['s', 1n, sequence] as const;
      const [first, racing] = await seen.race(SETTLED_MS, [kind, ID, { fence }], [kind, ID]);
      const [late] = await seen.race(1, [kind, ID]);
      const [stale] = await seen.race(1, [kind, ID, { fence }]);
      if (!first?.ok || !racing?.ok || !late?.ok) throw new Error(`${kind}: ${codeOf(first)}`);
      operations.add(first.operationId);
      expect([racing.operationId, late.operationId]).toEqual([first.operationId, first.operationId]);
      expect(codeOf(stale)).toBe('FAILED_PRECONDITION');
      expect(seen.get(ID)).toMatchObject({ machine: { state: wireState(EDGES[kind].to), lastError: '' } });
    }
    expect(operations.size).toBe(4);
    for (const kind of ['Create', 'Delete'] as const) {
      const [refused] = await seen.race(1, [kind, ID]);
      expect(['OK', 'FAILED_PRECONDITION']).not.toContain(codeOf(refused));
    }
  });

  test('pages completely, if it has cursors and by its own reading', () => {
    const seen = observed(variant);
    const whole = idsOf(seen.list().machines);
    expect(whole).toHaveLength(120);
    const paged = pages(seen);
    if (seen.list().revision.length === 0 || variant.reading === 'reference') {
      expect(whole).toEqual(expect.arrayContaining(paged));
    } else {
      expect(paged).toEqual(whole);
    }
  });
});

function idsOf(machines: readonly { readonly id: string }[]): string[] {
  return machines.map((machine) => machine.id).toSorted();
}

/** Ids of the pages of 50 until one is empty, or until there are no cursors to go on with. */
function pages(seen: Observed): string[] {
  const ids: string[] = [];
  let since: Uint8Array = new Uint8Array();
  do {
    const { machines, revision } = seen.list({ maxResults: 50, since });
    if (machines.length === 0) break;
    ids.push(...idsOf(machines));
    since = revision;
  } while (since.length > 0 && ids.length <= 120);
  return ids.toSorted();
}
