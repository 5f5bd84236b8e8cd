/** Where saved counterexamples are run again: each on a provider as its own lane would have it. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Arena, type ArenaOptions, arena } from '../engine/arena.js';
import type { ProgramLane } from '../engine/program-lane.js';
import { mortalArena, mortalProcess } from '../lanes/durable.js';
import { faultLimits } from '../lanes/fault.js';
import type { CheckOptions } from './check-options.js';
import { UsageError } from './failure.js';
import type { Subject, Supply } from './supply.js';

/** A provider to replay on, until it is let go. */
export interface ReplayStage {
  readonly arena: Arena;
  readonly end: () => Promise<void>;
}

/**
 * Opens the provider for counterexamples of `lane`.
 * @throws UsageError where the lane needs a process to kill and only an address was given
 * @throws EnvironmentError where the provider cannot be reached or does not come up
 */
export async function replayStage(
  lane: ProgramLane,
  supply: Supply,
  options: CheckOptions,
): Promise<ReplayStage> {
  const outside = {
    prefix: `bfcheck-${randomBytes(5).toString('hex')}`,
    clock: () => performance.now(),
    sleep: (ms: number) => sleep(ms),
  };
  if (lane === 'durable') return durableStage(supply, options, outside);
  const faults = lane === 'fault';
  const subject = faults ? await supply.faultAgain() : await supply.blackBox();
  subject.client.giveUpAfter({ limitMs: options.silenceLimit, tell: () => undefined });
  const limits = {
    settleTimeoutMs: options.settleTimeout,
    stabilityWindowMs: options.stabilityWindow,
    stuckIsBreach: false,
  };
  return opened(subject, {
    ...outside,
    faults,
    limits: faults ? faultLimits(options.transitionTimeout) : limits,
  });
}

async function opened(
  { client, listing, stop }: Subject,
  options: Omit<ArenaOptions, 'connections'>,
): Promise<ReplayStage> {
  try {
    return {
      arena: await arena(client, listing, { ...options, connections: client.connections }),
      end: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function durableStage(
  supply: Supply,
  { durableSeedCount, durableSettle }: CheckOptions,
  outside: Pick<ArenaOptions, 'prefix' | 'clock' | 'sleep'>,
): Promise<ReplayStage> {
  const launch = supply.launch('durable');
  if (launch === null)
    throw new UsageError('a counterexample with kills needs a process of its own: use --boot');
  const mortal = mortalProcess(launch, durableSeedCount, supply.bounds);
  try {
    const stage = await mortalArena(mortal, { ...outside, settleTimeoutMs: durableSettle });
    return { arena: stage, end: () => mortal.end() };
  } catch (error) {
    await mortal.end();
    throw error;
  }
}
