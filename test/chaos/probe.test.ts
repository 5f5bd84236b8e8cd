import { describe, expect, it } from 'vitest';
import type { Call, Outcome, ReplyOf } from '../../model/call.js';
import { probe } from '../../src/engine/probe.js';
import type { Exchanged, Provider } from '../../src/engine/world.js';

/** A provider that loses the first `lost` calls and answers every other one UNIMPLEMENTED. */
function losing(lost: number): Provider {
  let calls = 0;
  return {
    async call<C extends Call>(): Promise<Exchanged<C>> {
      calls += 1;
      const outcome: Outcome<ReplyOf<C>> =
        calls <= lost
          ? { kind: 'indeterminate', cause: 'UNAVAILABLE', message: 'reset' }
          : { kind: 'rejected', code: 'UNIMPLEMENTED', message: 'bare metal' };
      return { outcome, invokedAt: calls, returnedAt: calls };
    },
  };
}

describe('the probe of capabilities', () => {
  it.each([0, 1, 4])('knows a provider without Delete although %i replies are lost', async (lost) => {
    const listing = { machines: [], revision: new Uint8Array(0) };
    expect(await probe(losing(lost), listing, 'nobody')).toEqual({ delete: false, sinceRevision: false });
  });
});
