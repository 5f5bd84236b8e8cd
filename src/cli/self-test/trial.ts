/** One trial of the checker: a lane against one provider that is wrong, or unusual, in a known way. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Listing } from '../../../model/call.js';
import { BEHAVIORS, type BehaviorId, type Profile } from '../../../model/registry.js';
import type { CoveredPhase } from '../../../properties/coverage.js';
import { visitsOf } from '../../../properties/coverage.js';
import type { EngineEvent, ReportedViolation } from '../../engine/events.js';
import { Findings } from '../../engine/findings.js';
import type { Cell } from '../../engine/recorder.js';
import { resultsOf, type Status, verdictOf } from '../../engine/status.js';
import type { ConnectedProvider } from '../../engine/world.js';
import { runBlackBoxLane } from '../../lanes/black-box.js';
import { boot } from '../../lanes/boot.js';
import { runDurableLane, runDurableLaneOn } from '../../lanes/durable.js';
import { runFaultLane } from '../../lanes/fault.js';
import { LaneFindings } from '../../lanes/lane.js';
import { runScale, SCALE_DEFAULTS } from '../../lanes/scale.js';
import { type ProviderOptions, startProvider } from '../../provider/index.js';
import { seededRandom } from '../../provider/random.js';
import { timerScheduler } from '../../provider/scheduler.js';
import { awaitReady, ProviderClient } from '../../wire/index.js';
import { DECIDERS } from '../deciders.js';
import { builtIn } from '../supply.js';
import { stretched } from './stretched.js';
import { VirtualProvider } from './virtual-provider.js';
import { VirtualTime } from './virtual-time.js';

/** The lane that a bug shows in. */
export type LaneName = 'black-box' | 'fault' | 'durable' | 'scale';

/** What to try. Plain data: it travels to a worker process. Times in milliseconds. */
export interface Trial {
  readonly lane: LaneName;
  readonly mutant?: string;
  readonly variant?: string;
  readonly seed: number;
  /** Generated sequences; kills in the durable lane. */
  readonly runs: number;
  readonly concurrency: number;
  /** How long the provider's transitions take; its own choice unless given. */
  readonly latency?: { readonly minMs: number; readonly maxMs: number };
  /** Ends at the first violation. */
  readonly firstOnly: boolean;
  /** Violations are run again and shrunk. */
  readonly examine: boolean;
  /**
   * `virtual`: the provider's own code and real bytes in virtual time, without HTTP/2. `grpc`: a server on the loopback
   * address, and in the durable lane a process of its own. The scale lane is always `grpc`.
   */
  readonly transport: 'virtual' | 'grpc';
  /** Phases of the model whose every square is visited beside what the lane runs anyway. */
  readonly visits?: readonly CoveredPhase[];
  /** How many times slower than usual the provider is, and how much more patient the checker. */
  readonly timeScale?: number;
}

/** A violation, as far as the tables need it. */
export type FoundViolation = Pick<
  ReportedViolation,
  | 'behaviors'
  | 'rule'
  | 'aspect'
  | 'expected'
  | 'observed'
  | 'reading'
  | 'property'
  | 'reproduced'
  | 'shrunk'
  | 'program'
>;

/** What came of a trial. */
export interface TrialResult {
  readonly trial: Trial;
  /** Sequences until the first violation was seen, that one included; null where none was. */
  readonly caughtAfter: number | null;
  /** Of those, the generated ones: what `--runs` counts. 0 where a scenario caught it. */
  readonly caughtAfterRuns: number | null;
  /** What the first violation was blamed on before it was shrunk. */
  readonly firstBlamed: BehaviorId | null;
  readonly violations: readonly FoundViolation[];
  readonly statuses: Readonly<Partial<Record<BehaviorId, Status>>>;
  readonly verdicts: { readonly literal: string; readonly reference: string };
  readonly sequences: number;
  readonly calls: number;
  readonly coverage: readonly (Cell & { readonly count: number })[];
  /** Of the whole trial, in milliseconds. */
  readonly tookMs: number;
}

/** Separate connections, as in a check. */
const CONNECTIONS = 4;
const CALL_TIMEOUT_MS = 20_000;
const BOOT_TIMEOUT_MS = 60_000;
/** No transition of a trial's provider takes longer, so that a machine beyond it is stuck. */
const SETTLE_TIMEOUT_MS = 10_000;
/** Shorter than in a check: the bugs that it has to show move at once. */
const STABILITY_WINDOW_MS = 100;
const SEED_COUNT = 256;
const FAULT_SEED_COUNT = 1_024;
const FAULT_CONCURRENCY = 48;
/** Short, so that a trial of the fault lane is mostly work and little waiting. */
const TRANSITION_TIMEOUT_MS = 300;
const DURABLE_SEED_COUNT = 64;
const DURABLE_SETTLE_MS = 10_000;
const CUT_LATENCY = '2..30ms';
const CUT_LATENCY_MS = { minMs: 2, maxMs: 30 };
/** The longest time that a request or a reply is on its way in virtual time. */
const TRANSIT_MS = 0.5;
const SCALE_SEED = 10_000;
const SOAK_MS = 5_000;

const clock = (): number => performance.now();
const bounds = {
  connections: CONNECTIONS,
  callTimeoutMs: CALL_TIMEOUT_MS,
  bootTimeoutMs: BOOT_TIMEOUT_MS,
  clock,
  sleep: (ms: number) => sleep(ms),
};

/** Runs a trial. Whatever it starts has ended when it resolves. */
export async function runTrial(trial: Trial): Promise<TrialResult> {
  const from = clock();
  const findings = new Findings();
  const watcher = new Watcher();
  const calls = await RUNNERS[trial.lane](trial, findings, watcher);
  const selected = new Set(BEHAVIORS.map(({ id }) => id));
  const question = {
    profiles: PROFILES_OF[trial.lane],
    selected,
    knownFailing: new Set<BehaviorId>(),
    knownFlaky: new Set<BehaviorId>(),
    deciders: DECIDERS,
  };
  const results = resultsOf(findings, { ...question, reading: 'literal' });
  const relevant = results.filter(({ status }) => status !== 'skipped' && status !== 'passed');
  return {
    trial,
    caughtAfter: watcher.caughtAfter,
    caughtAfterRuns: watcher.caughtAfterRuns,
    firstBlamed: watcher.firstBlamed,
    violations: findings.violations.map(slim),
    statuses: Object.fromEntries(relevant.map(({ behavior, status }) => [behavior.id, status])),
    verdicts: {
      literal: verdictOf(results),
      reference: verdictOf(resultsOf(findings, { ...question, reading: 'reference' })),
    },
    sequences: [...findings.tallies.values()].reduce((sum, { sequences }) => sum + sequences, 0),
    calls,
    coverage: findings.recorder.coverage(),
    tookMs: clock() - from,
  };
}

function slim(violation: ReportedViolation): FoundViolation {
  const { behaviors, rule, aspect, expected, observed, reading, property, reproduced, shrunk, program } =
    violation;
  return { behaviors, rule, aspect, expected, observed, reading, property, reproduced, shrunk, program };
}

/** Listens for the first violation and counts what came before. */
class Watcher {
  private done = 0;
  /** How many sequences were done when the first generated one began. */
  private scenarios: number | null = null;
  caughtAfter: number | null = null;
  caughtAfterRuns: number | null = null;
  firstBlamed: BehaviorId | null = null;

  readonly listen = (event: EngineEvent): void => {
    if (event.type === 'sequence-done') this.done += 1;
    if (event.type === 'lane-started' && event.lane.endsWith('generated')) this.scenarios = this.done;
    const behavior =
      event.type === 'violation-seen'
        ? event.behavior
        : event.type === 'violation'
          ? event.violation.behaviors[0]
          : undefined;
    if (behavior === undefined || this.caughtAfter !== null) return;
    this.caughtAfter = this.done + 1;
    this.caughtAfterRuns = this.scenarios === null ? 0 : this.done + 1 - this.scenarios;
    this.firstBlamed = behavior;
  };
}

type Runner = (trial: Trial, findings: Findings, watcher: Watcher) => Promise<number>;

const PROFILES_OF: Readonly<Record<LaneName, readonly Profile[]>> = {
  'black-box': ['core', 'cloud', 'spot'],
  fault: ['fault'],
  durable: ['durable'],
  scale: ['scale'],
};

const shared = ({ seed, concurrency, firstOnly, examine, visits }: Trial, { listen }: Watcher) => ({
  seed,
  concurrency,
  selected: new Set(BEHAVIORS.map(({ id }) => id)),
  prefix: `self-${randomBytes(4).toString('hex')}`,
  clock,
  sleep: bounds.sleep,
  listen,
  save: async () => null,
  examine,
  beside: visits === undefined ? [] : [visitsOf(visits)],
  ...(firstOnly ? { enough: 1 } : {}),
});

/** The provider of the trial. */
function optionsOf({ mutant, variant, latency, seed }: Trial) {
  return {
    randomSeed: seed,
    ...(mutant === undefined ? {} : { mutant }),
    ...(variant === undefined ? {} : { variant }),
    ...(latency === undefined ? {} : { latency }),
  };
}

type Body = (
  provider: ConnectedProvider,
  listing: Listing,
  time: { readonly clock: () => number; readonly sleep: (ms: number) => Promise<void> },
) => Promise<void>;

/** Starts a provider of the trial, and stops it whatever comes. Returns how many calls it took. */
function withProvider(
  trial: Trial,
  options: Omit<ProviderOptions, 'addr' | 'scheduler'>,
  body: Body,
): Promise<number> {
  return trial.transport === 'grpc' ? overGrpc(trial, options, body) : inVirtualTime(trial, options, body);
}

async function overGrpc(
  trial: Trial,
  options: Omit<ProviderOptions, 'addr' | 'scheduler'>,
  body: Body,
): Promise<number> {
  const scheduler = stretched(timerScheduler(), trial.timeScale ?? 1);
  const provider = await startProvider({ addr: '127.0.0.1:0', scheduler, ...optionsOf(trial), ...options });
  const client = new ProviderClient({ ...bounds, target: provider.address });
  try {
    const listing = await awaitReady(client, { ...bounds, deadlineMs: BOOT_TIMEOUT_MS });
    await body(client, listing, bounds);
    return client.calls;
  } finally {
    client.close();
    await provider.stop();
  }
}

async function inVirtualTime(
  trial: Trial,
  options: Omit<ProviderOptions, 'addr' | 'scheduler'>,
  body: Body,
): Promise<number> {
  const time = new VirtualTime();
  const provider = virtualProvider(trial, options, time);
  const work = async (): Promise<void> => {
    const { listing } = await provider.start();
    await body(provider, listing, time);
  };
  await time.run(work());
  return provider.calls;
}

function virtualProvider(
  trial: Trial,
  options: Omit<ProviderOptions, 'addr' | 'scheduler'>,
  time: VirtualTime,
): VirtualProvider {
  const timeScale = trial.timeScale ?? 1;
  return new VirtualProvider(time, {
    provider: { ...optionsOf(trial), ...options },
    connections: CONNECTIONS,
    seed: trial.seed,
    transitMs: TRANSIT_MS * timeScale,
    timeScale,
  });
}

const RUNNERS: Readonly<Record<LaneName, Runner>> = {
  'black-box': (trial, findings, watcher) =>
    withProvider(trial, { seedCount: SEED_COUNT }, async (provider, listing, time) => {
      const scale = trial.timeScale ?? 1;
      await runBlackBoxLane(provider, listing, findings, {
        ...shared(trial, watcher),
        ...time,
        runs: trial.runs,
        corpus: null,
        limits: {
          settleTimeoutMs: SETTLE_TIMEOUT_MS * scale,
          stabilityWindowMs: STABILITY_WINDOW_MS * scale,
          stuckIsBreach: true,
        },
      });
    }),
  fault: (trial, findings, watcher) =>
    withProvider(
      trial,
      { seedCount: FAULT_SEED_COUNT, fault: true, transitionTimeoutMs: TRANSITION_TIMEOUT_MS },
      async (provider, listing, time) => {
        await runFaultLane(provider, listing, findings, {
          ...shared(trial, watcher),
          ...time,
          concurrency: FAULT_CONCURRENCY,
          runs: trial.runs,
          transitionTimeoutMs: TRANSITION_TIMEOUT_MS * (trial.timeScale ?? 1),
        });
      },
    ),
  durable: async (trial, findings, watcher) => {
    const options = {
      ...shared(trial, watcher),
      crashes: trial.runs,
      seedCount: DURABLE_SEED_COUNT,
      settleTimeoutMs: DURABLE_SETTLE_MS * (trial.timeScale ?? 1),
    };
    if (trial.transport === 'grpc') {
      const launcher = builtIn([`--latency=${CUT_LATENCY}`, ...mutantArgs(trial)]);
      await runDurableLane(launcher, findings, { ...options, boot: bounds });
      return 0;
    }
    const time = new VirtualTime();
    const make = () =>
      virtualProvider({ latency: CUT_LATENCY_MS, ...trial }, { seedCount: DURABLE_SEED_COUNT }, time);
    await time.run(runDurableLaneOn(make, findings, { ...options, boot: time }));
    return 0;
  },
  scale: async (trial, findings, { listen }) => {
    const random = seededRandom(trial.seed);
    await runScale(
      { ...SCALE_DEFAULTS, scaleSeed: SCALE_SEED, soakMs: SOAK_MS },
      {
        boot: (seedCount) =>
          boot(builtIn(mutantArgs(trial)), { seedCount, state: '', provider: 'bfcheck' }, bounds),
        lane: new LaneFindings(findings, listen),
        recorder: findings.recorder,
        listen,
        clock,
        sleep: bounds.sleep,
        random: () => random.next(),
        rss: () => process.memoryUsage.rss(),
      },
    );
    return 0;
  },
};

function mutantArgs({ mutant }: Trial): string[] {
  return mutant === undefined ? [] : [`--mutant=${mutant}`];
}

/** The lane whose behaviors `id` is one of. */
export function laneOf(id: string): LaneName {
  if (id.startsWith('B7')) return 'fault';
  if (/^B10\d\d$/.test(id)) return 'durable';
  return /^B11\d\d$/.test(id) ? 'scale' : 'black-box';
}
