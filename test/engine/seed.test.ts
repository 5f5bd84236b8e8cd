import { describe, expect, it } from 'vitest';
import { GENERATIVE_PROPERTIES } from '../../properties/index.js';
import { digestOf, digestOfDigests } from '../../src/engine/seed.js';
import { BATCH_SIZE, batchesOf, programsOf } from '../../src/engine/session.js';

const plan = (seed: number, runs: number) => ({
  seed,
  runs,
  concurrency: 1,
  directed: [],
  generative: GENERATIVE_PROPERTIES,
  lane: null,
});
const digest = (seed: number, runs: number): string =>
  digestOfDigests(batchesOf(plan(seed, runs)).map((batch) => digestOf(programsOf(batch))));

describe('what a seed generates', () => {
  it('is the same every time, batch by batch and in any order', () => {
    const batches = batchesOf(plan(7, 300));
    const forwards = batches.map((batch) => JSON.stringify(programsOf(batch)));
    const backwards = [...batches].reverse().map((batch) => JSON.stringify(programsOf(batch)));
    expect(backwards.reverse()).toEqual(forwards);
    expect(digest(7, 300)).toBe(digest(7, 300));
  });

  it('differs from what another seed generates', () => {
    expect(digest(7, 300)).not.toBe(digest(8, 300));
  });

  it.each([0, 1, 3, 10, 299, 500, 5000])('is %i programs when so many are asked for', (runs) => {
    const sizes = batchesOf(plan(1, runs)).map(({ size }) => size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(runs);
    expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(BATCH_SIZE);
  });

  it('gives every property a part of a run that is large enough', () => {
    const named = new Set(batchesOf(plan(1, 200)).map(({ property }) => property.name));
    expect([...named].sort()).toEqual(GENERATIVE_PROPERTIES.map(({ name }) => name).sort());
  });

  it('keeps what a batch is when more runs are asked for', () => {
    const [first] = batchesOf(plan(3, 200));
    const [same] = batchesOf(plan(3, 2000));
    if (!first || !same) throw new Error('a plan has batches');
    expect(programsOf(same)).toEqual(programsOf(first));
  });
});
