/**
 * A whole black-box check in virtual time over a network that loses requests, loses replies, and delivers requests long
 * after it has told the caller that they are lost. It costs a second, and the same seed always goes the same way.
 */
import { BEHAVIORS } from '../../model/registry.js';
import { DECIDERS } from '../../src/cli/deciders.js';
import { VirtualProvider } from '../../src/cli/self-test/virtual-provider.js';
import { VirtualTime } from '../../src/cli/self-test/virtual-time.js';
import { Findings } from '../../src/engine/findings.js';
import { type BehaviorResult, resultsOf } from '../../src/engine/status.js';
import type { ConnectedProvider, Exchanged } from '../../src/engine/world.js';
import { runBlackBoxLane } from '../../src/lanes/black-box.js';
import { seededRandom } from '../../src/provider/random.js';

export interface LateCheck {
  readonly seed: number;
  readonly runs: number;
  /** The chance of a call to be lost in one way or another. */
  readonly loss: number;
  /** A bug of the provider. */
  readonly mutant?: string;
}

export interface LateResult {
  readonly findings: Findings;
  readonly results: readonly BehaviorResult[];
  readonly calls: number;
  readonly lost: number;
}

/** How long a lost caller waits at most, and how much later a request may arrive; virtual milliseconds. */
const CALL_TIMEOUT_MS = 1_000;
const LATEST_MS = 10_000;
/** Of the calls that are lost, the shares that never arrive, and that are carried out but not heard of. */
const NEVER = 0.3;
const UNHEARD = 0.35;

class LossyNetwork implements ConnectedProvider {
  readonly connections: number;
  calls = 0;
  lost = 0;
  private readonly random;
  private readonly loss: number;

  constructor(
    private readonly provider: VirtualProvider,
    private readonly time: VirtualTime,
    { seed, loss }: LateCheck,
  ) {
    this.connections = provider.connections;
    this.random = seededRandom(seed);
    this.loss = loss;
  }

  async call(...[call, where]: Parameters<VirtualProvider['call']>): Promise<Exchanged<never>> {
    this.calls += 1;
    if (this.random.next() >= this.loss) return this.provider.call(call, where) as never;
    this.lost += 1;
    const invokedAt = this.time.clock();
    const fate = this.random.next();
    if (fate >= NEVER + UNHEARD) {
      this.time.after(this.random.next() * LATEST_MS, () => void this.provider.call(call, where));
    }
    const told = this.time.sleep(this.random.next() < 0.5 ? 1 : CALL_TIMEOUT_MS);
    if (fate >= NEVER && fate < NEVER + UNHEARD) await Promise.race([this.provider.call(call, where), told]);
    else await told;
    const outcome = { kind: 'indeterminate', cause: 'UNAVAILABLE', message: 'lost' } as const;
    return { outcome, invokedAt, returnedAt: this.time.clock() };
  }
}

/** Runs the check on the reference provider, or on one with a bug. */
export async function checkLate(options: LateCheck): Promise<LateResult> {
  const { seed, runs, mutant } = options;
  const time = new VirtualTime();
  const provider = new VirtualProvider(time, {
    provider: { randomSeed: seed, seedCount: 256, ...(mutant === undefined ? {} : { mutant }) },
    connections: 4,
    seed,
    transitMs: 2,
    timeScale: 1,
  });
  const network = new LossyNetwork(provider, time, options);
  const findings = new Findings();
  const selected = new Set(BEHAVIORS.map(({ id }) => id));
  const lane = async (): Promise<void> => {
    const { listing } = await provider.start();
    await runBlackBoxLane(network, listing, findings, {
      seed,
      runs,
      concurrency: 16,
      selected,
      corpus: null,
      limits: { settleTimeoutMs: 5_000, stabilityWindowMs: 50, stuckIsBreach: true },
      examine: false,
      prefix: `late-${seed}`,
      clock: time.clock,
      sleep: time.sleep,
      listen: () => undefined,
      save: async () => null,
    });
  };
  await time.run(lane());
  const results = resultsOf(findings, {
    profiles: ['core', 'cloud', 'spot'],
    reading: 'literal',
    selected,
    knownFailing: new Set(),
    knownFlaky: new Set(),
    deciders: DECIDERS,
  });
  return { findings, results, calls: network.calls, lost: network.lost };
}

/** The behaviors of this status. */
export function idsOf({ results }: LateResult, status: BehaviorResult['status']): readonly string[] {
  return results.filter((result) => result.status === status).map(({ behavior }) => behavior.id);
}
