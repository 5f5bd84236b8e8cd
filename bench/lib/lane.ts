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
  readonly rssPeak: number;
  /** Live bytes on the heap after so many generated sequences, where the process can collect on demand. */
  readonly heap: readonly (readonly [sequences: number, bytes: number])[];
}

const clock = (): number => performance.now();
const BOUNDS = { connections: 4, callTimeoutMs: 20_000, clock, sleep: (ms: number) => sleep(ms) };
const READY_MS = 60_000;

/** Watches the events of a run. */
class Watch {
  generatedFrom = 0;
  generatedTo = 0;
  sequences = 0;
  callsBefore = 0;
  readonly heap: [number, number][] = [];
  private part = '';

  constructor(
    private readonly calls: () => number,
    private readonly sampleEvery: number,
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
      if (this.sequences % this.sampleEvery === 0) this.sample();
    }
  };

  private sample(): void {
    if (globalThis.gc === undefined) return;
    globalThis.gc();
    this.heap.push([this.sequences, process.memoryUsage().heapUsed]);
  }
}

/** Runs the lane. `listen` sees every call before it is made. */
export async function runLane(
  job: LaneJob,
  listen: (call: Call) => void = () => undefined,
): Promise<LaneRun> {
  const client = new ListenedClient({ ...BOUNDS, target: job.target }, listen);
  const watch = new Watch(() => client.calls, Math.max(100, Math.floor(job.runs / 20)));
  const [from, cpuFrom] = [clock(), process.cpuUsage()];
  try {
    const listing = await awaitReady(client, { ...BOUNDS, deadlineMs: READY_MS });
    const findings = new Findings();
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
      rssPeak: process.resourceUsage().maxRSS * 1024,
      heap: watch.heap,
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
