/** The fault lane: transitions that fail on command, over the wire (contract section 7). */

import type { Listing } from '../../model/call.js';
import { FAULT_WALKS, TIMEOUT_PROPERTIES } from '../../properties/timeouts.js';
import { arena } from '../engine/arena.js';
import type { Findings } from '../engine/findings.js';
import { Session } from '../engine/session.js';
import type { ConnectedProvider, Limits } from '../engine/world.js';
import type { LiveLaneOptions } from './lane.js';

/** What the lane is told; times in milliseconds. */
export interface FaultLaneOptions extends LiveLaneOptions {
  /** Generated sequences. Each costs machines: a FAILED one does not come back. */
  readonly runs: number;
  /** After how long the provider gives a transition up. */
  readonly transitionTimeoutMs: number;
}

/** A machine may take so much longer than the transition timeout before it counts as stuck, in milliseconds. */
const SLACK_MS = 8_000;
/** A late completion is watched for so many transition timeouts. */
const LATE_FACTOR = 1.25;

/** The waits of the lane, by the provider's transition timeout in milliseconds. */
export function faultLimits(transitionTimeoutMs: number): Limits {
  return {
    settleTimeoutMs: transitionTimeoutMs * 2 + SLACK_MS,
    stabilityWindowMs: transitionTimeoutMs * LATE_FACTOR,
    stuckIsBreach: true,
  };
}

/** Runs every fault scenario, then generated walks through healthy and doomed calls, on a fault-capable provider. */
export async function runFaultLane(
  client: ConnectedProvider,
  listing: Listing,
  findings: Findings,
  options: FaultLaneOptions,
): Promise<void> {
  const { transitionTimeoutMs, listen } = options;
  const stage = await arena(client, listing, {
    ...options,
    connections: client.connections,
    faults: true,
    limits: faultLimits(transitionTimeoutMs),
  });
  const session = new Session(stage, findings, listen, options.save);
  await session.run({
    seed: options.seed,
    runs: options.runs,
    concurrency: options.concurrency,
    lane: 'fault',
    ...(options.enough === undefined ? {} : { enough: options.enough }),
    examine: options.examine ?? true,
    ...(options.part === undefined ? {} : { part: options.part }),
    directed: [
      ...TIMEOUT_PROPERTIES.filter(({ decides }) => decides.some((id) => options.selected.has(id))),
      ...(options.beside ?? []),
    ],
    generative: FAULT_WALKS,
  });
}
