/** How long a plan must take on a provider of a given latency: every program alone, in virtual time. */
import { DIRECTED_PROPERTIES, GENERATIVE_PROPERTIES } from '../../properties/index.js';
import type { Program } from '../../properties/program.js';
import { VirtualProvider } from '../../src/cli/self-test/virtual-provider.js';
import { VirtualTime } from '../../src/cli/self-test/virtual-time.js';
import { arena } from '../../src/engine/arena.js';
import { execute } from '../../src/engine/execute.js';
import { Recorder } from '../../src/engine/recorder.js';
import { batchesOf, programsOf } from '../../src/engine/session.js';

/** Chains of transitions, in milliseconds. */
export interface Chains {
  /** Of the scenarios that nothing else may run beside. */
  readonly alone: readonly number[];
  /** Of everything else. */
  readonly together: readonly number[];
}

const SEED = 42;
/** So often a machine on its way is looked at: what a program takes beyond its transitions is next to nothing. */
const POLL_MS = 1;

/** The chain of every scenario and generated program of a run, on transitions of `latencyMs`. */
export async function chainsOf(runs: number, latencyMs: number): Promise<Chains> {
  const time = new VirtualTime();
  const provider = new VirtualProvider(time, {
    provider: { seedCount: 256, latency: { minMs: latencyMs, maxMs: latencyMs }, randomSeed: SEED },
    connections: 4,
    seed: SEED,
    transitMs: 0,
    timeScale: 1,
  });
  return time.run(measure(time, provider, runs));
}

async function measure(time: VirtualTime, provider: VirtualProvider, runs: number): Promise<Chains> {
  const { listing, connections } = await provider.start();
  const stage = await arena(provider, listing, {
    connections,
    faults: false,
    limits: { settleTimeoutMs: 60_000, stabilityWindowMs: 300, stuckIsBreach: false },
    prefix: 'chains',
    clock: time.clock,
    sleep: () => time.sleep(POLL_MS),
  });
  const lengthOf = async (program: Program): Promise<number> => {
    const tenants = await stage.pool.lease(program.machines, true);
    const from = time.clock();
    await execute(program, tenants, stage.names(), stage.world, new Recorder());
    const length = time.clock() - from;
    await stage.pool.release(tenants);
    return length;
  };
  const [alone, together]: [number[], number[]] = [[], []];
  for (const { scenarios } of DIRECTED_PROPERTIES) {
    for (const { program, needs } of scenarios)
      (needs.alone ? alone : together).push(await lengthOf(program));
  }
  const generative = GENERATIVE_PROPERTIES;
  const plan = { seed: SEED, runs, generative, directed: [], concurrency: 1, lane: null };
  for (const batch of batchesOf(plan))
    for (const program of programsOf(batch)) together.push(await lengthOf(program));
  return { alone, together };
}

/** The least time in which so many workers can have gone through all chains, in milliseconds. */
export function boundOf({ alone, together }: Chains, concurrency: number): number {
  const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0);
  return sum(alone) + Math.max(...together, sum(together) / concurrency);
}
