/** How a trial's lane meets its provider: in virtual time, or over gRPC, in this process or in one of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Listing } from '../../../model/call.js';
import { BEHAVIORS } from '../../../model/registry.js';
import { visitsOf } from '../../../properties/coverage.js';
import type { Listener } from '../../engine/events.js';
import type { Findings } from '../../engine/findings.js';
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
import { builtIn } from '../supply.js';
import { stretched } from './stretched.js';
import type { LaneName, Trial } from './trial.js';
import { VirtualProvider } from './virtual-provider.js';
import { VirtualTime } from './virtual-time.js';

/** Separate connections, as in a check. */
const CONNECTIONS = 4;
const CALL_TIMEOUT_MS = 20_000;
const BOOT_TIMEOUT_MS = 60_000;
/** No transition of a trial's provider takes longer, so that a machine beyond it is stuck. */
const SETTLE_TIMEOUT_MS = 10_000;
/** Shorter than in a check: the bugs that it has to show move at once. */
const STABILITY_WINDOW_MS = 100;
const SEED_COUNT = 256;
/** Visits need a machine each, and without Delete none comes back. */
const VISITED_SEED_COUNT = 1_024;
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
const SOAK_MS = 10_000;

const clock = (): number => performance.now();
const bounds = {
  connections: CONNECTIONS,
  callTimeoutMs: CALL_TIMEOUT_MS,
  bootTimeoutMs: BOOT_TIMEOUT_MS,
  clock,
  sleep: (ms: number) => sleep(ms),
};

export type Runner = (trial: Trial, findings: Findings, listen: Listener) => Promise<number>;

const shared = ({ seed, concurrency, firstOnly, examine, visits }: Trial, listen: Listener) => ({
  seed,
  concurrency,
  selected: new Set(BEHAVIORS.map(({ id }) => id)),
  prefix: 'self-test',
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

export const RUNNERS: Readonly<Record<LaneName, Runner>> = {
  'black-box': (trial, findings, listen) =>
    withProvider(
      trial,
      { seedCount: trial.visits ? VISITED_SEED_COUNT : SEED_COUNT },
      async (provider, listing, time) => {
        const scale = trial.timeScale ?? 1;
        await runBlackBoxLane(provider, listing, findings, {
          ...shared(trial, listen),
          ...time,
          runs: trial.runs,
          corpus: null,
          limits: {
            settleTimeoutMs: SETTLE_TIMEOUT_MS * scale,
            stabilityWindowMs: STABILITY_WINDOW_MS * scale,
            stuckIsBreach: true,
          },
        });
      },
    ),
  fault: (trial, findings, listen) =>
    withProvider(
      trial,
      { seedCount: FAULT_SEED_COUNT, fault: true, transitionTimeoutMs: TRANSITION_TIMEOUT_MS },
      async (provider, listing, time) => {
        await runFaultLane(provider, listing, findings, {
          ...shared(trial, listen),
          ...time,
          concurrency: FAULT_CONCURRENCY,
          runs: trial.runs,
          transitionTimeoutMs: TRANSITION_TIMEOUT_MS * (trial.timeScale ?? 1),
        });
      },
    ),
  durable: async (trial, findings, listen) => {
    const options = {
      ...shared(trial, listen),
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
  // What this lane measures are times: they are never scaled.
  scale: async (trial, findings, listen) => {
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
