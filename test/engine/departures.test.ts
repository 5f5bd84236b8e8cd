/** A provider that departs from a literal reading is checked to the end of the plan all the same. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Findings } from '../../src/engine/findings.js';
import { runBlackBoxLane } from '../../src/lanes/black-box.js';
import { startProvider } from '../../src/provider/index.js';
import { ProviderClient } from '../../src/wire/client.js';
import { awaitReady } from '../../src/wire/ready.js';

const RUNS = 60;
const TEST_DEADLINE_MS = 60_000;

it(
  'departures do not end a property early, whatever they do to its status',
  async () => {
    const clock = () => performance.now();
    const provider = await startProvider({
      addr: '127.0.0.1:0',
      seedCount: 64,
      mutant: 'negative-token-accepted',
    });
    const client = new ProviderClient({
      target: provider.address,
      connections: 2,
      callTimeoutMs: 10_000,
      clock,
    });
    try {
      const listing = await awaitReady(client, { deadlineMs: 10_000, clock, sleep });
      const findings = new Findings();
      await runBlackBoxLane(client, listing, findings, {
        seed: 1,
        runs: RUNS,
        concurrency: 8,
        selected: new Set(['B1205'] as const),
        corpus: 'no-such-folder',
        limits: { settleTimeoutMs: 10_000, stabilityWindowMs: 20, stuckIsBreach: true },
        prefix: 'departures',
        clock,
        sleep: (ms) => sleep(ms),
        listen: () => {},
        save: async () => null,
      });
      const tally = findings.tallies.get('odd-requests');
      expect(tally?.departing).toBeGreaterThan(8);
      expect(tally).toMatchObject({ sequences: RUNS, violating: 0 });
      expect(findings.violations.map(({ reading }) => reading)).toContain('literal');
    } finally {
      client.close();
      await provider.stop();
    }
  },
  TEST_DEADLINE_MS,
);
