/** Replies that a slow provider leaves unanswered: what is not known to have happened is held against nobody. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Call } from '../../model/call.js';
import type { Exchanged } from '../../src/engine/world.js';
import type { ScaleClient } from '../../src/lanes/scale.js';
import { type Boot, booting, runLane, SMALL } from './scale-provider.js';

const TEST_MS = 120_000;
/** Creates that are carried out only after bfcheck has given up on them. */
const LATE = 25;
const LATE_MS = 700;

/** Carries out the first Creates on the largest fleet long after their deadline has passed. */
function tardy(): Boot {
  const boot = booting();
  return async (size) => {
    const provider = await boot(size);
    let late = size === SMALL.scaleSeed ? LATE : 0;
    const client: ScaleClient = {
      walk: (call) => provider.client.walk(call),
      call<C extends Call>(call: C): Promise<Exchanged<C>> {
        if (call.kind !== 'Create' || late === 0) return provider.client.call(call);
        late -= 1;
        void sleep(LATE_MS).then(() => provider.client.call(call));
        const now = performance.now();
        const outcome = { kind: 'indeterminate', cause: 'DEADLINE_EXCEEDED', message: 'too late' } as const;
        return Promise.resolve({ outcome, invokedAt: now, returnedAt: now });
      },
    };
    return { ...provider, client };
  };
}

it(
  'Creates that were not answered are neither missed in a delta nor in the pages that follow',
  async () => {
    const { findings, statuses, results } = await runLane(tardy());
    expect(findings.violations).toEqual([]);
    expect(statuses).toMatchObject({ B1102: 'passed', B1103: 'inconclusive', B1108: 'inconclusive' });
    const reason = (id: string) => results.find(({ behavior }) => behavior.id === id)?.reason;
    expect(reason('B1108')).toContain('Create was not answered');
    expect(reason('B1103')).toContain('come to rest');
  },
  TEST_MS,
);
