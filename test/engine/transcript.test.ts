import { expect, it } from 'vitest';
import { listCall } from '../../src/engine/requests.js';
import { Transcript } from '../../src/engine/transcript.js';
import type { Provider } from '../../src/engine/world.js';
import { record } from '../report/runs.js';

it('of a List it keeps the number of machines, and hands the whole reply on', async () => {
  const outcome = {
    kind: 'ok',
    reply: { machines: [record(), record()], revision: new Uint8Array(0) },
  } as const;
  const provider = {
    call: async () => ({ outcome, invokedAt: 0, returnedAt: 1 }),
  } as unknown as Provider;
  const transcript = new Transcript(provider, (breach) => breach);
  const exchange = await transcript.exchange(listCall());
  expect(exchange.outcome).toBe(outcome);
  expect(transcript.trace.map((entry) => entry.outcome)).toEqual([{ kind: 'ok', reply: { listed: 2 } }]);
});
