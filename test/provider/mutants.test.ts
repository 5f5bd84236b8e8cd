/** Every mutant differs from the healthy provider somewhere a client can see, and all behaviors have one. */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Alteration } from '../../src/provider/alteration.js';
import { MUTANTS } from '../../src/provider/index.js';
import { type Observed, observed, type Setting } from './observe.js';
import { CHAPTERS } from './scenario.js';
import { DURABLE_CHAPTERS, FAULT_CHAPTERS, SCALE_CHAPTERS } from './scenario-lanes.js';
import { sharedStore } from './shared-store.js';

/** A way to look at a provider, and the behaviors that show in it. */
interface Lane {
  readonly lane: string;
  readonly behaviors: readonly string[];
  readonly chapters: readonly ((seen: Observed) => Promise<void>)[];
  /** The setting of one observation. */
  readonly setting: () => Setting;
}

const LANES: readonly Lane[] = [
  {
    lane: 'black box',
    behaviors: [
      ['B101', 'B103', 'B104', 'B105', 'B106', 'B107', 'B108', 'B109'],
      range(201, 215),
      ['B301', 'B302', 'B303', ...range(305, 312)],
      range(401, 409),
      range(501, 505),
      range(801, 807),
      range(901, 909),
      range(1201, 1205),
    ].flat(),
    chapters: CHAPTERS,
    setting: () => ({}),
  },
  {
    lane: 'fault',
    behaviors: range(701, 708),
    chapters: FAULT_CHAPTERS,
    setting: () => ({ faults: true }),
  },
  {
    lane: 'durable',
    behaviors: range(1001, 1007),
    chapters: DURABLE_CHAPTERS,
    setting: () => ({ store: sharedStore() }),
  },
  {
    lane: 'scale',
    behaviors: range(1101, 1109),
    chapters: SCALE_CHAPTERS,
    setting: () => ({ seedCount: 5_000 }),
  },
];

describe.each(LANES)('$lane', ({ behaviors, chapters, setting }) => {
  /** What a provider answers in every chapter. */
  async function* chaptersOf(alteration?: Alteration): AsyncGenerator<readonly unknown[]> {
    const seen = observed(alteration, setting());
    for (const chapter of chapters) {
      await chapter(seen);
      yield seen.trace.splice(0);
    }
  }

  /** Whether a provider answers some chapter unlike the healthy one; the rest is not read. */
  async function differs(alteration?: Alteration): Promise<boolean> {
    const wanted = healthyChapters.values();
    for await (const chapter of chaptersOf(alteration)) {
      if (!isDeepStrictEqual(chapter, wanted.next().value)) return true;
    }
    return false;
  }

  const healthyChapters: (readonly unknown[])[] = [];
  beforeAll(async () => {
    for await (const chapter of chaptersOf()) healthyChapters.push(chapter);
  });

  test('the healthy provider answers the same observation alike', async () => {
    expect(await differs()).toBe(false);
  });

  test.each(MUTANTS.filter((mutant) => behaviors.includes(mutant.breaks)))(
    '$name can be seen',
    async (mutant) => {
      expect(await differs(mutant)).toBe(true);
    },
  );

  test('every behavior has a mutant that breaks it first', () => {
    const broken = new Set<string>(MUTANTS.map((mutant) => mutant.breaks));
    expect(behaviors.filter((id) => !broken.has(id))).toEqual([]);
  });
});

/** The operation ids of the same two mutations on one machine, in two processes one after the other. */
async function operationsOfTwoProcesses(alteration?: Alteration): Promise<string[]> {
  const seen = observed(alteration, { store: sharedStore() });
  await seen.race(8, ['Create', 'm-000001']);
  const ids: string[] = [];
  for (const process of [1, 2]) {
    if (process > 1) seen.restart();
    for (const kind of ['Configure', 'Drain'] as const) {
      for (const reply of await seen.race(8, [kind, 'm-000001']))
        ids.push(reply.ok ? reply.operationId : reply.code);
    }
  }
  return ids;
}

test.each(MUTANTS.filter(({ name }) => name.startsWith('operation-ids-start-again')))(
  '$name repeats an operation id of the process before, which the healthy provider does not',
  async (mutant) => {
    const ids = await operationsOfTwoProcesses(mutant);
    expect(new Set(ids).size).toBeLessThan(ids.length);
    expect(new Set(await operationsOfTwoProcesses()).size).toBe(4);
  },
);

test('every mutant breaks a behavior of some lane', () => {
  const behaviors = new Set(LANES.flatMap((lane) => lane.behaviors));
  expect(MUTANTS.filter((mutant) => !behaviors.has(mutant.breaks))).toEqual([]);
});

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, offset) => `B${first + offset}`);
}
