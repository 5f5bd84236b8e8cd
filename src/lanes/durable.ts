/**
 * The durable lane: bfcheck owns the process, kills it with SIGKILL, and boots it again on the same state. A SIGKILL
 * proves what survives the crash of a process; it does not prove what survives a power loss.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Call, Listing } from '../../model/call.js';
import { CRASH_WALKS, CRASHES_PER_WALK, DURABILITY_PROPERTIES } from '../../properties/durability.js';
import type { DirectedProperty } from '../../properties/program.js';
import { type Arena, type ArenaOptions, arena } from '../engine/arena.js';
import type { Findings } from '../engine/findings.js';
import { Session } from '../engine/session.js';
import type { Exchanged, Provider } from '../engine/world.js';
import { type BootedProvider, type BootOptions, boot, type Launcher } from './boot.js';
import type { ProgramLaneOptions } from './lane.js';

export interface DurableLaneOptions extends ProgramLaneOptions {
  /** Kills in all, at least; scenarios have theirs, generated walks make up the rest. */
  readonly crashes: number;
  readonly seedCount: number;
  /** How long a machine may take to come to rest, after a kill as well, in milliseconds. */
  readonly settleTimeoutMs: number;
  readonly boot: BootOptions;
}

/** Processes that are killed side by side, each with a state of its own. */
const SIDE_BY_SIDE = 2;

/** Runs the lane on processes that `launch` starts. Returns the last lines of the providers' logs. */
export function runDurableLane(
  launch: Launcher,
  findings: Findings,
  options: DurableLaneOptions,
): Promise<readonly string[]> {
  const { seedCount, boot: bounds } = options;
  return runDurableLaneOn(() => mortalProcess(launch, seedCount, bounds), findings, options);
}

/** Runs the lane on providers of `make`, one for each of the sides. Returns the last lines of their logs. */
export async function runDurableLaneOn(
  make: () => MortalProvider,
  findings: Findings,
  options: Omit<DurableLaneOptions, 'boot' | 'seedCount'> & {
    readonly boot: Pick<BootOptions, 'clock' | 'sleep'>;
  },
): Promise<readonly string[]> {
  const { listen, selected } = options;
  const chosen = DURABILITY_PROPERTIES.filter(({ decides }) => decides.some((id) => selected.has(id)));
  const walks = Math.ceil(Math.max(0, options.crashes - scriptedCrashes(chosen)) / CRASHES_PER_WALK);
  const scenarios = chosen.reduce((sum, property) => sum + property.scenarios.length, 0);
  listen({
    type: 'lane-started',
    lane: 'durable',
    planned: Math.ceil((scenarios + walks) / (options.part?.of ?? 1)),
  });
  const logs = await Promise.all(
    Array.from({ length: SIDE_BY_SIDE }, (_, side) => {
      const directed = share(chosen, side);
      const runs = Math.floor(walks / SIDE_BY_SIDE) + (side < walks % SIDE_BY_SIDE ? 1 : 0);
      return runSide(
        make(),
        findings,
        { ...options, seed: options.seed + side, prefix: `${options.prefix}-${side}` },
        directed,
        runs,
      );
    }),
  );
  listen({ type: 'lane-finished', lane: 'durable' });
  return logs.flat();
}

function scriptedCrashes(properties: readonly DirectedProperty[]): number {
  return properties
    .flatMap(({ scenarios }) => scenarios.flatMap(({ program }) => program.steps))
    .filter(({ call }) => call === 'Crash').length;
}

/** Every other scenario. */
function share(properties: readonly DirectedProperty[], side: number): DirectedProperty[] {
  let count = side;
  return properties.map((property) => ({
    ...property,
    scenarios: property.scenarios.filter(() => count++ % SIDE_BY_SIDE === 0),
  }));
}

/**
 * Starts `mortal` for its first life; programs may then kill it as they please.
 * @throws EnvironmentError where it does not come up
 */
export async function mortalArena(
  mortal: MortalProvider,
  options: Pick<ArenaOptions, 'prefix' | 'clock' | 'sleep'> & { readonly settleTimeoutMs: number },
): Promise<Arena> {
  const { prefix, clock, sleep, settleTimeoutMs } = options;
  const { listing, connections } = await mortal.start();
  return arena(mortal, listing, {
    prefix,
    clock,
    sleep,
    connections,
    faults: false,
    limits: { settleTimeoutMs, stabilityWindowMs: 0, stuckIsBreach: true },
    crash: () => mortal.crash(),
  });
}

/** A process of our own that can be killed and comes back on the state it left. */
export function mortalProcess(launch: Launcher, seedCount: number, options: BootOptions): MortalProvider {
  return new MortalProcess(launch, seedCount, options);
}

async function runSide(
  mortal: MortalProvider,
  findings: Findings,
  options: Parameters<typeof runDurableLaneOn>[2],
  directed: readonly DirectedProperty[],
  runs: number,
): Promise<readonly string[]> {
  try {
    const stage = await mortalArena(mortal, { ...options, ...options.boot });
    const session = new Session(stage, findings, options.listen, options.save);
    mortal.onLost = () => session.stop('the provider did not come back after a kill');
    await session.run({
      seed: options.seed,
      runs,
      concurrency: 1,
      lane: null,
      ...(options.enough === undefined ? {} : { enough: options.enough }),
      examine: options.examine ?? true,
      ...(options.part === undefined ? {} : { part: options.part }),
      directed,
      generative: CRASH_WALKS,
    });
    return mortal.log;
  } finally {
    await mortal.end();
  }
}

/** A provider that dies and comes back on the same state; the engine calls it as if it were one. */
export interface MortalProvider extends Provider {
  /** Called when it does not come back. */
  onLost: () => void;
  /** The last lines that it wrote. */
  readonly log: readonly string[];
  /** Its first life. */
  start(): Promise<{ readonly listing: Listing; readonly connections: number }>;
  /** Kills it and brings it back; rejects where it does not come. */
  crash(): Promise<void>;
  /** Ends it for good, with what it left behind. */
  end(): Promise<void>;
}

class MortalProcess implements MortalProvider {
  private booted: BootedProvider | null = null;
  private folder: string | null = null;
  onLost: () => void = () => {};
  log: readonly string[] = [];

  constructor(
    private readonly launch: Launcher,
    private readonly seedCount: number,
    private readonly options: BootOptions,
  ) {}

  async start(): Promise<{ listing: Listing; connections: number }> {
    this.folder ??= await mkdtemp(join(tmpdir(), 'bfcheck-durable-'));
    const values = { seedCount: this.seedCount, state: join(this.folder, 'state'), provider: 'bfcheck' };
    this.booted = await boot(this.launch, values, this.options);
    return { listing: this.booted.listing, connections: this.booted.client.connections };
  }

  async crash(): Promise<void> {
    await this.stop();
    try {
      await this.start();
    } catch (error) {
      this.onLost();
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.stop();
    if (this.folder !== null) await rm(this.folder, { recursive: true, force: true });
  }

  private async stop(): Promise<void> {
    const dying = this.booted;
    this.booted = null;
    if (dying === null) return;
    await dying.stop();
    this.log = [...dying.process.log];
  }

  async call<C extends Call>(call: C, where: { readonly connection?: number } = {}): Promise<Exchanged<C>> {
    if (this.booted !== null) return this.booted.client.call(call, where);
    const now = this.options.clock();
    const outcome = { kind: 'indeterminate', cause: 'UNAVAILABLE', message: 'the provider is down' } as const;
    return { outcome, invokedAt: now, returnedAt: now };
  }
}
