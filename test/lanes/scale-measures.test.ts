/** What the scale lane measures with, on clocks of its own: growth, latencies, standstills and digests. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MachineRecord } from '../../model/record.js';
import { Findings } from '../../src/engine/findings.js';
import { LaneFindings } from '../../src/lanes/lane.js';
import { digestOf } from '../../src/lanes/scale/digest.js';
import {
  exponentOf,
  growthSizes,
  isWorseThanLinear,
  measureGrowth,
  median,
} from '../../src/lanes/scale/growth.js';
import { checkGrowth } from '../../src/lanes/scale/growth-verdict.js';
import { Latencies } from '../../src/lanes/scale/latency.js';
import { checkBudgets } from '../../src/lanes/scale/latency-budget.js';
import { LoopWatch } from '../../src/lanes/scale/loop-watch.js';
import type { GrowthPoint, LatencySummary, ScaleClient } from '../../src/lanes/scale/options.js';
import { CaseStopped } from '../../src/lanes/scale/stopped.js';
import { SCALE_DEFAULTS } from '../../src/lanes/scale.js';

const RECORD: MachineRecord = {
  id: 'm-1',
  state: 'IDLE',
  host: { provider: 'test', ref: 'h-1' },
  instanceType: 'large',
  zone: 'z1',
  capacityType: 'ON_DEMAND',
  pricePerHour: 0.25,
  interruptionProbability: 0,
  resources: null,
  allocatable: null,
  labels: new Map(),
  lastError: '',
  cluster: '',
  shardMetadata: new Map(),
};

/** Points of a fleet whose full List costs `cost(machines)` milliseconds on top of what any call costs. */
const points = (cost: (machines: number) => number, fixedMs = 2, noise: (i: number) => number = () => 1) =>
  growthSizes(10_000).map((machines, i): GrowthPoint => {
    const samples = Array.from({ length: 7 }, (_, k) => (fixedMs + cost(machines)) * noise(i * 7 + k));
    return {
      machines,
      samples,
      ms: median(samples),
      fastestMs: Math.min(...samples),
      fixedMs,
      bytes: 0,
    };
  });

describe('growth', () => {
  it('is measured at four sizes up to the largest, and at fewer for a tiny fleet', () => {
    expect(growthSizes(10_000)).toEqual([640, 1_600, 4_000, 10_000]);
    expect(growthSizes(100_000)).toEqual([6_400, 16_000, 40_000, 100_000]);
    expect(growthSizes(3)).toEqual([3]);
  });

  it.each([
    ['linear', 1, false],
    ['with a logarithm', 1.1, false],
    ['quadratic', 2, true],
    ['cubic', 3, true],
  ])('that is %s is seen as what it is, whatever a call costs by itself', (_name, power, worse) => {
    for (const fixedMs of [0, 0.5, 1]) {
      const measured = points((machines) => 0.002 * machines ** power, fixedMs);
      expect(exponentOf(measured)).toBeCloseTo(power, 1);
      expect(isWorseThanLinear(measured)).toBe(worse);
    }
  });

  it('looks no steeper than it is where the fixed part is most of it, or is overestimated', () => {
    const hidden = points((machines) => 0.002 * machines, 50);
    expect(exponentOf(hidden)).toBeLessThan(1);
    const overestimated = points((machines) => 0.002 * machines, 0).map((point) => ({
      ...point,
      fixedMs: 9,
    }));
    expect(exponentOf(overestimated)).toBeLessThan(1.3);
    expect(isWorseThanLinear(overestimated)).toBe(false);
  });

  it('stays linear when all samples of the largest fleet but one are slow', () => {
    const measured = points(
      (machines) => 0.002 * machines,
      1,
      (i) => (i > 21 ? 30 : 1),
    );
    expect(exponentOf(measured)).toBeCloseTo(1, 1);
    expect(isWorseThanLinear(measured)).toBe(false);
  });

  it('of a linear provider is never called worse, whatever one sample in seven does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1, max: 200, noNaN: true }), { minLength: 4, maxLength: 4 }),
        (slow) => {
          const measured = points(
            (machines) => 0.002 * machines,
            2,
            (i) => (i % 7 === 3 ? (slow[Math.floor(i / 7)] ?? 1) : 1),
          );
          expect(isWorseThanLinear(measured)).toBe(false);
        },
      ),
    );
  });

  it('has no exponent at one size', () => {
    expect(exponentOf(points((n) => n).slice(0, 1))).toBeNull();
    expect(isWorseThanLinear(points((n) => n).slice(0, 1))).toBe(false);
  });

  it.each([
    ['quadratic twice over is a breach that says the exponent', 2, 2, 'machines^2.0'],
    ['quadratic at first and linear when measured again is none', 2, 1, null],
  ])('that is %s', async (_name, first, second, said) => {
    const repeated = points((machines) => 1e-6 * machines ** second, 0);
    const judged = checkGrowth(
      points((machines) => 1e-6 * machines ** first, 0),
      3_000,
      async () => ({ smallest: at(repeated, 0), largest: at(repeated, 3) }),
    );
    if (said === null) await expect(judged).resolves.toBeUndefined();
    else await expect(judged).rejects.toThrow(said);
  });

  it('is over its budget by the median of the largest fleet', async () => {
    const never = () => Promise.reject(new Error('there is nothing to measure again'));
    const linear = points((machines) => machines);
    await expect(checkGrowth(linear, 9_000, never)).rejects.toThrow('10002 ms (median of 7)');
    await expect(checkGrowth(linear, 11_000, never)).resolves.toBeUndefined();
  });

  it('is measured without the first, slow calls of a new process', async () => {
    const lists: number[] = [];
    const point = await measureGrowth(
      clientOf(lists, 5),
      () => lists.length,
      async () => undefined,
    );
    expect(point).toMatchObject({ machines: 5, bytes: 50, ms: 10, fixedMs: 1 });
    expect(Math.max(...point.samples)).toBe(10);
    expect(lists.length).toBeGreaterThan(point.samples.length);
  });
});

function at(measured: readonly GrowthPoint[], index: number): GrowthPoint {
  const point = measured[index];
  if (point === undefined) throw new RangeError(`no size ${index}`);
  return point;
}

/** A client whose first Lists take a hundred times as long as the later ones. */
function clientOf(lists: number[], machines: number): ScaleClient {
  const records = Array.from({ length: machines }, (_, i) => ({ ...RECORD, id: `m-${i}` }));
  return {
    call: () => Promise.resolve({ outcome: lost, invokedAt: 0, returnedAt: 1 }),
    walk: () => {
      lists.push(1);
      const reply = { revision: new Uint8Array(0), size: 10 * machines, machines: () => records };
      const ms = lists.length <= 4 ? 1_000 : 10;
      return Promise.resolve({ outcome: { kind: 'ok', reply }, invokedAt: 0, returnedAt: ms });
    },
  };
}
const lost = { kind: 'indeterminate', cause: 'CANCELLED', message: '' } as const;

/** A clock that only sleeping moves; `late` says by how much each sleep is late. */
function fakeTime(late: readonly number[]) {
  const sleeps = late.values();
  let now = 0;
  return {
    clock: () => now,
    sleep: async (ms: number) => {
      now += ms + (sleeps.next().value ?? 0);
    },
  };
}

describe("bfcheck's own standstills", () => {
  it('are what lies between when a look was due and when it came', async () => {
    const { clock, sleep } = fakeTime([0, 100, 0, 3]);
    let looks = 0;
    const watch = new LoopWatch(clock, sleep, () => {
      looks += 1;
      if (looks === 4) watch.stop();
    });
    await watch.run();
    // Looks were due at 5 and 10; the second came at 110.
    expect(watch.stalledBetween(0, 10)).toBe(0);
    expect(watch.stalledBetween(0, 60)).toBe(50);
    expect(watch.stalledBetween(50, 200)).toBe(60);
    expect(watch.stalledBetween(110, 200)).toBe(0);
    expect(watch.share).toBeCloseTo(100 / 123);
  });
});

describe('latencies', () => {
  async function booked(late: readonly number[], calls: (latencies: Latencies) => void) {
    const { clock, sleep } = fakeTime(late);
    let looks = 0;
    const latencies = new Latencies(clock, sleep, () => {
      looks += 1;
      if (looks === late.length) latencies.stop();
    });
    calls(latencies);
    await latencies.run();
    return latencies.summaries(SCALE_DEFAULTS.budgets);
  }

  it('are counted by RPC, with percentiles within the precision of the histogram', async () => {
    const summaries = await booked([0], (latencies) => {
      for (let ms = 1; ms <= 1_000; ms++) latencies.take(['Get'], 0, ms / 1_000);
      latencies.take(['List', 'List (full)'], 0, 4);
    });
    const [get, list, full] = summaries;
    expect(summaries.map(({ rpc }) => rpc)).toEqual(['Get', 'List', 'List (full)']);
    expect(get).toMatchObject({ count: 1_000, adjusted: 0, budgetMs: 250 });
    expect(get?.p50).toBeCloseTo(0.5, 2);
    expect(get?.p99).toBeCloseTo(0.99, 2);
    expect(get?.max).toBeCloseTo(1, 2);
    expect(list).toMatchObject({ count: 1, budgetMs: 2_000 });
    expect(full).toMatchObject({ count: 1, budgetMs: null });
  });

  it('lose what bfcheck itself stood still for, and keep the raw p99 beside', async () => {
    // The loop was due at 5 and looked again at 305.
    const [get] = await booked([300, 0], (latencies) => latencies.take(['Get'], 0, 400));
    expect(get).toMatchObject({ count: 1, adjusted: 1 });
    expect(get?.p99).toBeCloseTo(100, 0);
    expect(get?.rawP99).toBeCloseTo(400, 0);
  });

  it('of a burst are kept apart', async () => {
    const { clock, sleep } = fakeTime([]);
    const latencies = new Latencies(clock, sleep, () => latencies.stop());
    await latencies.apart(async () => latencies.take(['Create'], 0, 900));
    latencies.take(['Create'], 0, 1);
    await latencies.run();
    const found = latencies.summaries(SCALE_DEFAULTS.budgets);
    expect(found.map(({ rpc, budgetMs }) => [rpc, budgetMs])).toEqual([
      ['Create', 250],
      ['Create (burst)', null],
    ]);
  });

  it('fall into buckets that hold every sample once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0.001, max: 100_000, noNaN: true }), { minLength: 1, maxLength: 60 }),
        async (samples) => {
          const [get] = await booked([0], (latencies) => {
            for (const ms of samples) latencies.take(['Get'], 0, ms);
          });
          expect(get?.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(samples.length);
          for (const { fromMs, toMs, count } of get?.buckets ?? []) {
            // A histogram of three digits may put a sample that is close to an edge on its other side.
            const within = (slack: number) =>
              samples.filter((ms) => ms > fromMs * (1 + slack) && ms <= toMs * (1 - slack)).length;
            expect(count).toBeGreaterThanOrEqual(within(0.002));
            expect(count).toBeLessThanOrEqual(within(-0.002));
          }
          expect(get?.p99).toBeLessThanOrEqual(get?.max ?? 0);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a budget', () => {
  const latency = (p99: number, rawP99: number): LatencySummary => ({
    rpc: 'Get',
    count: 1_000,
    adjusted: 500,
    p50: 1,
    p90: 2,
    p99,
    max: 2 * p99,
    rawP99,
    budgetMs: 250,
    percentiles: [],
    buckets: [],
  });
  const within = [
    { ...latency(1, 1), rpc: 'Create' },
    { ...latency(1, 1), rpc: 'List' },
  ];

  function judged(get: LatencySummary, standstill: number): string {
    const findings = new Findings();
    const lane = new LaneFindings(findings, () => undefined);
    try {
      checkBudgets([get, ...within], standstill, { lane });
    } catch (error) {
      if (!(error instanceof CaseStopped)) throw error;
      return 'inconclusive';
    }
    return findings.violations.length > 0 ? 'failed' : 'passed';
  }

  it.each([
    ['within it as it was measured, however busy this machine', latency(10, 240), 0.99, 'passed'],
    ['within it once own standstills are taken off', latency(100, 400), 0.5, 'passed'],
    ['beyond it even so', latency(260, 900), 0.9, 'failed'],
    ['too little left to tell', latency(100, 1_000), 0.8, 'inconclusive'],
  ])('with a p99 %s', (_name, get, standstill, expected) => {
    expect(judged(get, standstill)).toBe(expected);
  });

  it('is not known to be kept when an RPC was never answered', () => {
    const lane = new LaneFindings(new Findings(), () => undefined);
    expect(() => checkBudgets(within, 0, { lane })).toThrow('no Get was answered');
  });
});

describe('a digest', () => {
  it('does not depend on the order of map entries', () => {
    const labels: [string, string][] = [
      ['a', '1'],
      ['b', '2'],
    ];
    const turned = { ...RECORD, labels: new Map(labels.toReversed()) };
    expect(digestOf(turned)).toEqual(digestOf({ ...RECORD, labels: new Map(labels) }));
  });

  it.each<[string, Partial<MachineRecord>]>([
    ['state', { state: 'FAILED' }],
    ['host', { host: null }],
    ['cluster', { cluster: 'c' }],
    ['metadata', { shardMetadata: new Map([['__proto__', '']]) }],
    ['error', { lastError: 'x' }],
  ])('has another core for another %s', (_name, change) => {
    const [one, other] = [digestOf(RECORD), digestOf({ ...RECORD, ...change })];
    expect(other.core).not.toBe(one.core);
    expect(other.full).not.toBe(one.full);
  });

  it.each<[string, Partial<MachineRecord>]>([
    ['price', { pricePerHour: 0.26 }],
    ['price that is not a number', { pricePerHour: Number.NaN }],
    ['label', { labels: new Map([['a', '']]) }],
    ['resource', { resources: new Map() }],
  ])('has the same core and another rest for another %s', (_name, change) => {
    const [one, other] = [digestOf(RECORD), digestOf({ ...RECORD, ...change })];
    expect(other.core).toBe(one.core);
    expect(other.full).not.toBe(one.full);
  });
});
