/** Where all randomness of a run comes from: one seed, and a digest that proves that two runs did the same. */
import { createHash } from 'node:crypto';
import type { Program } from '../../properties/program.js';

/** The seed of one batch: the same for the same run seed, property and batch, whatever runs beside it. */
export function batchSeed(seed: number, property: string, batch: number): number {
  return createHash('sha256').update(`${seed}/${property}/${batch}`).digest().readInt32BE(0);
}

/** sha256 over programs in their order, in hex. */
export function digestOf(programs: readonly Program[]): string {
  const hash = createHash('sha256');
  for (const program of programs) hash.update(JSON.stringify(program)).update('\n');
  return hash.digest('hex');
}

/** sha256 over the digests of batches, in the order of the plan. */
export function digestOfDigests(digests: readonly string[]): string {
  return createHash('sha256').update(digests.join('\n')).digest('hex');
}

/**
 * The digest of the batches that were run, by their places in the plan: in which order they ran does not matter.
 * Empty where there were none, so that nothing is taken for the proof of anything.
 */
export function digestOfBatches(digests: ReadonlyMap<number, string>): string {
  if (digests.size === 0) return '';
  return digestOfDigests([...digests].sort(([a], [b]) => a - b).map(([, digest]) => digest));
}
