/** A whole black-box check through a broken network, in this process. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BehaviorId } from '../../model/registry.js';
import { DIRECTED_PROPERTIES, GENERATIVE_PROPERTIES } from '../../properties/index.js';
import type { Property } from '../../properties/program.js';
import { type ChaosStats, parseChaos, startChaosProxy } from '../../src/chaos/index.js';
import { arena } from '../../src/engine/arena.js';
import { Findings } from '../../src/engine/findings.js';
import { Session } from '../../src/engine/session.js';
import { type ProviderOptions, startProvider } from '../../src/provider/index.js';
import { seededRandom } from '../../src/provider/random.js';
import { ProviderClient } from '../../src/wire/client.js';
import { awaitReady } from '../../src/wire/ready.js';

/** A network on which about one call in twenty is lost. */
export const BROKEN = 'latency=0..3,jitter=3,reset=0.004,stall=0.001/1500ms,partition=300ms/4s';
/** Losses end soon, so that many of them fit into a run. */
const CALL_TIMEOUT_MS = 1_000;
const READY_DEADLINE_MS = 10_000;
const SETTLE_TIMEOUT_MS = 5_000;

export interface BrokenCheck {
  readonly seed: number;
  readonly runs: number;
  readonly chaos?: string;
  readonly provider?: Partial<ProviderOptions>;
  /** Behaviors that are decided; all unless given. */
  readonly selected?: (id: BehaviorId) => boolean;
}

export interface BrokenResult {
  readonly findings: Findings;
  readonly stats: ChaosStats;
  /** Calls made, and how many of them came to nothing. */
  readonly calls: number;
  readonly lost: number;
  /** Programs that ran to their end, and those that could not be concluded. */
  readonly completed: number;
  readonly inconclusive: number;
}

/** Counts what is lost on its way. */
class CountingClient extends ProviderClient {
  lost = 0;

  override async call<C extends Parameters<ProviderClient['call']>[0]>(
    ...args: Parameters<typeof ProviderClient.prototype.call<C>>
  ) {
    const exchange = await super.call<C>(...args);
    if (exchange.outcome.kind === 'indeterminate') this.lost += 1;
    return exchange;
  }
}

/** Runs the check on a reference provider behind a broken network. */
export async function checkThrough(options: BrokenCheck): Promise<BrokenResult> {
  const { seed, runs, chaos = BROKEN, selected = () => true } = options;
  const clock = () => performance.now();
  const provider = await startProvider({ addr: '127.0.0.1:0', seedCount: 256, ...options.provider });
  const random = seededRandom(seed);
  const proxy = await startChaosProxy({ target: provider.address, chaos: parseChaos(chaos), random });
  const client = new CountingClient({
    target: proxy.address,
    connections: 4,
    callTimeoutMs: CALL_TIMEOUT_MS,
    clock,
  });
  try {
    const listing = await awaitReady(client, { deadlineMs: READY_DEADLINE_MS, clock, sleep });
    const findings = new Findings();
    const limits = { settleTimeoutMs: SETTLE_TIMEOUT_MS, stabilityWindowMs: 50, stuckIsBreach: false };
    const stage = await arena(client, listing, {
      connections: client.connections,
      limits,
      faults: false,
      prefix: `chaos-${seed}`,
      clock,
      sleep: (ms) => sleep(ms),
    });
    const session = new Session(
      stage,
      findings,
      // What was found is what counts here, not the smallest program that shows it.
      ({ type }) => type === 'violation-seen' && session.stop('a violation was found'),
      async () => null,
    );
    const chosen = ({ decides }: Property): boolean => decides.some(selected);
    await session.run({
      lane: 'black-box',
      seed,
      runs,
      concurrency: 16,
      directed: DIRECTED_PROPERTIES.filter(chosen),
      generative: GENERATIVE_PROPERTIES.filter(chosen),
    });
    const tallies = [...findings.tallies.values()];
    return {
      findings,
      stats: { ...proxy.stats },
      calls: client.calls,
      lost: client.lost,
      completed: tallies.reduce((sum, { sequences }) => sum + sequences, 0),
      inconclusive: tallies.reduce(
        (sum, { inconclusive }) => sum + [...inconclusive.values()].reduce((a, b) => a + b, 0),
        0,
      ),
    };
  } finally {
    client.close();
    await proxy.stop();
    await provider.stop();
  }
}

/** Every violation in one line. */
export function accusations({ findings }: Pick<BrokenResult, 'findings'>): readonly string[] {
  return findings.violations.map(
    ({ behaviors, property, expected, observed }) =>
      `${behaviors.join(' ')} in ${property}: expected ${expected.join(' or ')}; observed ${observed}`,
  );
}
