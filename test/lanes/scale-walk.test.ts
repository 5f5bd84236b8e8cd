/** The walk over a List: what it retries, what it gives up on, and what it calls broken. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../model/call.js';
import { listing, walkFleet } from '../../src/lanes/scale/fleet-walk.js';
import type { ScaleClient, Walkable } from '../../src/lanes/scale/options.js';

const noSleep = async (): Promise<void> => undefined;
const LOST = { kind: 'indeterminate', cause: 'UNAVAILABLE', message: 'gone' } as const;
const EMPTY: Outcome<Walkable> = {
  kind: 'ok',
  reply: { revision: Uint8Array.from([1]), size: 0, machines: () => [] },
};

/** A client that answers Lists with `outcomes` in turn, and counts them. */
function answering(...outcomes: readonly Outcome<Walkable>[]): ScaleClient & { lists: number } {
  return {
    lists: 0,
    call: () => Promise.resolve({ outcome: LOST, invokedAt: 0, returnedAt: 0 }),
    walk() {
      const outcome = outcomes[this.lists] ?? LOST;
      this.lists += 1;
      return Promise.resolve({ outcome, invokedAt: 10, returnedAt: 17 });
    },
  };
}

describe('the walk over a List', () => {
  it('makes a lost List again, and measures the one that was answered', async () => {
    const client = answering(LOST, LOST, EMPTY);
    expect(await walkFleet(client, listing(), noSleep)).toMatchObject({ count: 0, latencyMs: 7 });
    expect(client.lists).toBe(3);
  });

  it('gives up after a few, concluding nothing', async () => {
    const client = answering();
    await expect(walkFleet(client, listing(), noSleep)).rejects.toMatchObject({ breach: null });
    expect(client.lists).toBe(4);
  });

  it('takes a refusal for a breach at once', async () => {
    const client = answering({ kind: 'rejected', code: 'FAILED_PRECONDITION', message: 'no' }, EMPTY);
    await expect(walkFleet(client, listing(), noSleep)).rejects.toMatchObject({
      breach: { behaviors: ['B1101', 'B305'] },
    });
    expect(client.lists).toBe(1);
  });

  it('takes a reply, or a machine in it, that is no message for a breach at once', async () => {
    const malformed = { kind: 'indeterminate', cause: 'MALFORMED', message: 'cut short' } as const;
    const late: Outcome<Walkable> = {
      kind: 'ok',
      reply: {
        revision: Uint8Array.from([1]),
        size: 9,
        // biome-ignore lint/correctness/useYield: a reply whose first machine cannot be decoded
        *machines() {
          throw new Error('cut short');
        },
      },
    };
    for (const outcome of [malformed, late]) {
      const client = answering(outcome, EMPTY);
      await expect(walkFleet(client, listing(), noSleep)).rejects.toMatchObject({
        breach: { behaviors: ['B1101', 'B801'], observed: 'cut short' },
      });
      expect(client.lists).toBe(1);
    }
  });
});
