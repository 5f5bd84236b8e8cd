/** The steps of the model that a real run makes, recorded so that they can be timed without the wire. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ack, MutationCall, Outcome } from '../../model/call.js';
import type { Belief } from '../../model/contract.js';
import type { ModelConfig } from '../../model/possibilities.js';
import type { MachineRecord } from '../../model/record.js';
import { BEHAVIORS } from '../../model/registry.js';
import { Findings } from '../../src/engine/findings.js';
import { Judge } from '../../src/engine/judge.js';
import { runBlackBoxLane } from '../../src/lanes/black-box.js';
import { startProvider } from '../../src/provider/index.js';
import { awaitReady, ProviderClient } from '../../src/wire/index.js';

/** One step: what was believed, what was asked, what came of it. */
export type ModelStep =
  | { readonly belief: Belief; readonly call: MutationCall; readonly outcome: Outcome<Ack> }
  | {
      readonly belief: Belief;
      readonly call: null;
      readonly id: string;
      readonly outcome: Outcome<MachineRecord>;
    };

export interface RecordedSteps {
  readonly steps: readonly ModelStep[];
  readonly model: ModelConfig;
}

const clock = (): number => performance.now();
const BOUNDS = { connections: 4, callTimeoutMs: 20_000, clock, sleep: (ms: number) => sleep(ms) };

/** Runs the black-box lane on a provider in this process and keeps every step that its sequential parts make. */
export async function recordSteps(runs: number): Promise<RecordedSteps> {
  const provider = await startProvider({ addr: '127.0.0.1:0', seedCount: 256 });
  const client = new ProviderClient({ ...BOUNDS, target: provider.address });
  const steps: ModelStep[] = [];
  const restore = tap(steps);
  try {
    const listing = await awaitReady(client, { ...BOUNDS, deadlineMs: 60_000 });
    const { capabilities } = await runBlackBoxLane(client, listing, new Findings(), {
      ...BOUNDS,
      seed: 42,
      runs,
      concurrency: 16,
      selected: new Set(BEHAVIORS.map(({ id }) => id)),
      corpus: null,
      limits: { settleTimeoutMs: 60_000, stabilityWindowMs: 50, stuckIsBreach: false },
      prefix: 'bench',
      listen: () => undefined,
      save: async () => null,
    });
    return { steps, model: { capabilities, faults: false } };
  } finally {
    restore();
    client.close();
    await provider.stop();
  }
}

/** Listens in on every judgement. Returns what ends it. */
function tap(steps: ModelStep[]): () => void {
  const { mutation, read } = Judge.prototype;
  Judge.prototype.mutation = function (tenant, call, outcome, others) {
    steps.push({ belief: tenant.belief, call, outcome });
    return mutation.call(this, tenant, call, outcome, others);
  };
  Judge.prototype.read = function (tenant, outcome) {
    steps.push({ belief: tenant.belief, call: null, id: tenant.id, outcome });
    return read.call(this, tenant, outcome);
  };
  return () => {
    Judge.prototype.mutation = mutation;
    Judge.prototype.read = read;
  };
}
