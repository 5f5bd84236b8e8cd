/** Sets the stage on a provider that was just met: what it can do, which machines may be used, under which names. */
import type { Listing } from '../../model/call.js';
import type { Names } from './execute.js';
import { OperationLedger } from './ledger.js';
import { MachinePool } from './pool.js';
import { probe } from './probe.js';
import type { Limits, Provider, World } from './world.js';

/** Machines that the largest ordinary program needs. */
const FEWEST_MACHINES = 3;

/** The provider has too few machines to check anything; the message says how many are needed. */
export class SmallInventory extends Error {}

export interface ArenaOptions {
  /** How many separate connections the provider is called on. */
  readonly connections: number;
  readonly limits: Limits;
  /** Whether the fault selectors mean something to this provider (contract section 7). */
  readonly faults: boolean;
  /** What every shard id and unknown machine id starts with; new for every run, so that no mark is left from before. */
  readonly prefix: string;
  /** See {@link World.crash}. */
  readonly crash?: () => Promise<void>;
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Where programs run. */
export interface Arena {
  readonly world: World;
  readonly pool: MachinePool;
  /** Names that no program of this run has used. */
  readonly names: () => Names;
}

/**
 * @param listing the provider's first List
 * @throws SmallInventory
 */
export async function arena(provider: Provider, listing: Listing, options: ArenaOptions): Promise<Arena> {
  const { prefix, faults, limits, connections, clock, sleep } = options;
  const capabilities = await probe(provider, listing, `${prefix}-no-machine`);
  const world: World = {
    provider,
    connections,
    model: { capabilities, faults },
    limits,
    ledger: new OperationLedger(),
    touched: new Set(),
    inventory: listing.machines.map(({ id }) => id),
    ...(options.crash ? { crash: options.crash } : {}),
    clock,
    sleep,
  };
  const pool = new MachinePool(listing.machines, world);
  if (pool.size < FEWEST_MACHINES) {
    throw new SmallInventory(
      `at least ${FEWEST_MACHINES} machines that are Speculative or Idle are needed and the provider lists ${pool.size}: boot it with a larger inventory`,
    );
  }
  let programs = 0;
  const names = (): Names => {
    programs += 1;
    return { shards: `${prefix}-${programs}`, unknownMachine: `${prefix}-no-machine-${programs}` };
  };
  return { world, pool, names };
}
