/** One run of the black-box lane in this process, with its parts timed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../model/call.js';
import { BEHAVIORS } from '../../model/registry.js';
import type { EngineEvent } from '../../src/engine/events.js';
import { Findings } from '../../src/engine/findings.js';
import { runBlackBoxLane } from '../../src/lanes/black-box.js';
import { awaitReady, ProviderClient } from '../../src/wire/index.js';

/** What to run; the provider is there already. */
export interface LaneJob {
  readonly target: string;
  readonly runs: number;
  readonly concurrency: number;
  /** The run is cut short after so many minutes; without it all runs are made. */
  readonly minutes?: number;
}

/** What the process holds after so many generated sequences; sizes in bytes. */
export interface MemorySample {
  readonly sequences: number;
  /** Since the generated part began, in milliseconds. */
  readonly at: number;
  /** Live bytes on the heap, after a collection. */
  readonly heap: number;
  /** Resident set of the whole process, before that collection. */
  readonly rss: number;
}

/** How it went; times in milliseconds, memory in bytes. */
export interface LaneRun {
  readonly wallMs: number;
  /** The generated part alone. */
  readonly generatedMs: number;
  readonly generatedCalls: number;
  readonly generatedSequences: number;
  readonly cpuMs: number;
  readonly calls: number;
  readonly digest: string;
  readonly violations: number;
  /** Why sequences were not run or not concluded, with how many. */
  readonly inconclusive: readonly (readonly [reason: string, count: number])[];
  readonly rssPeak: number;
  /** Empty where the process cannot collect on demand. */
  readonly memory: readonly MemorySample[];
}

const clock = (): number => performance.now();
const BOUNDS = { connections: 4, callTimeoutMs: 20_000, clock, sleep: (ms: number) => sleep(ms) };
const READY_MS = 60_000;
const MS_A_MINUTE = 60_000;
/** Samples of memory that a run takes. */
const SAMPLES = 60;

/** Watches the events of a run. */
class Watch {
  generatedFrom = 0;
  generatedTo = 0;
  sequences = 0;
  callsBefore = 0;
  readonly memory: MemorySample[] = [];
  private part = '';

  /** @param isDue whether it is time for a sample of memory, given how far the generated part is */
  constructor(
    private readonly calls: () => number,
    private readonly isDue: (sequences: number, elapsedMs: number, samples: number) => boolean,
  ) {}

  readonly take = (event: EngineEvent): void => {
    if (event.type === 'lane-started') {
      this.part = event.lane;
      if (!event.lane.endsWith('generated')) return;
      this.generatedFrom = clock();
      this.callsBefore = this.calls();
      this.sample();
    } else if (event.type === 'sequence-done' && this.part.endsWith('generated')) {
      this.sequences += 1;
      this.generatedTo = clock();
      if (this.isDue(this.sequences, this.elapsed, this.memory.length)) this.sample();
    }
  };

  private get elapsed(): number {
    return clock() - this.generatedFrom;
  }

  private sample(): void {
    if (globalThis.gc === undefined) return;
    const rss = process.memoryUsage.rss();
    globalThis.gc();
    const heap = process.memoryUsage().heapUsed;
    this.memory.push({ sequences: this.sequences, at: this.elapsed, heap, rss });
  }
}

/** Spreads the samples evenly over the time of a run that has a limit, over the sequences of one that has none. */
function dueIn({ runs, minutes }: LaneJob) {
  return (sequences: number, elapsedMs: number, samples: number): boolean =>
    minutes === undefined
      ? sequences >= (samples * runs) / SAMPLES
      : elapsedMs >= (samples * minutes * MS_A_MINUTE) / SAMPLES;
}

/** Runs the lane. `listen` sees every call before it is made. */
export async function runLane(
  job: LaneJob,
  listen: (call: Call) => void = () => undefined,
): Promise<LaneRun> {
  const client = new ListenedClient({ ...BOUNDS, target: job.target }, listen);
  const watch = new Watch(() => client.calls, dueIn(job));
  const [from, cpuFrom] = [clock(), process.cpuUsage()];
  try {
    const listing = await awaitReady(client, { ...BOUNDS, deadlineMs: READY_MS });
    const findings = new Findings();
    const limit =
      job.minutes === undefined
        ? null
        : setTimeout(() => findings.stop('time is up'), job.minutes * MS_A_MINUTE);
    const { digest } = await runBlackBoxLane(client, listing, findings, {
      ...BOUNDS,
      seed: 42,
      runs: job.runs,
      concurrency: job.concurrency,
      selected: new Set(BEHAVIORS.map(({ id }) => id)),
      corpus: null,
      limits: { settleTimeoutMs: 60_000, stabilityWindowMs: 300, stuckIsBreach: false },
      prefix: `bench-${process.pid}`,
      listen: watch.take,
      save: async () => null,
    });
    if (limit !== null) clearTimeout(limit);
    const cpu = process.cpuUsage(cpuFrom);
    return {
      wallMs: clock() - from,
      generatedMs: watch.generatedTo - watch.generatedFrom,
      generatedCalls: client.calls - watch.callsBefore,
      generatedSequences: watch.sequences,
      cpuMs: (cpu.user + cpu.system) / 1000,
      calls: client.calls,
      digest,
      violations: findings.violations.length,
      inconclusive: [...findings.tallies.values()].flatMap(({ inconclusive }) => [...inconclusive]),
      rssPeak: process.resourceUsage().maxRSS * 1024,
      memory: watch.memory,
    };
  } finally {
    client.close();
  }
}

class ListenedClient extends ProviderClient {
  constructor(
    options: ConstructorParameters<typeof ProviderClient>[0],
    private readonly listen: (call: Call) => void,
  ) {
    super(options);
  }

  override call<C extends Call>(call: C, options?: { connection?: number }) {
    this.listen(call);
    return super.call(call, options);
  }
}
