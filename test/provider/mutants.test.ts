/** Every mutant differs from the healthy provider somewhere a client can see, and all behaviors have one. */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Alteration } from '../../src/provider/alteration.js';
import { MUTANTS } from '../../src/provider/index.js';
import { observed } from './observe.js';
import { CHAPTERS } from './scenario.js';

/** What a provider answers in every chapter. */
async function* chaptersOf(alteration?: Alteration): AsyncGenerator<readonly unknown[]> {
  const seen = observed(alteration);
  for (const chapter of CHAPTERS) {
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

describe('mutants', () => {
  test('the healthy provider answers the same observation alike', async () => {
    expect(await differs()).toBe(false);
  });

  test.each(MUTANTS)('$name can be seen', async (mutant) => {
    expect(await differs(mutant)).toBe(true);
  });

  test('every black-box behavior has a mutant that breaks it first', () => {
    const broken = new Set<string>(MUTANTS.map((mutant) => mutant.breaks));
    expect(BLACK_BOX.filter((id) => !broken.has(id))).toEqual([]);
  });
});

/** The behaviors that can be seen without faults, restarts or scale. */
const BLACK_BOX = [
  ['B101', 'B103', 'B104', 'B105', 'B106', 'B107', 'B108', 'B109'],
  range(201, 215),
  ['B301', 'B302', 'B303', ...range(305, 312)],
  range(401, 409),
  range(501, 505),
  range(801, 807),
  range(901, 909),
  range(1201, 1205),
].flat();

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, offset) => `B${first + offset}`);
}
