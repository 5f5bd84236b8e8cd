/** Random mutations with Lists in between: saved cursors, deltas since any of them, filters, caps, altered cursors. */
import fc from 'fast-check';
import { LIFECYCLE_STATES } from '../model/machine.js';
import { PLAIN_METADATA, walk } from './arbitraries.js';
import { ALTERATIONS, type GenerativeProperty, type ListStep, type Program, type Step } from './program.js';
import { bytes, list, mark, since } from './steps.js';

const NAMES = ['a', 'b', 'c'];
const name = fc.constantFrom(...NAMES);
/** States that few machines are in: a list of the Speculative ones is nearly the whole fleet. */
const USED = LIFECYCLE_STATES.filter((state) => state !== 'SPECULATIVE');

const delta: fc.Arbitrary<ListStep> = fc
  .tuple(name, fc.option(name, { freq: 2 }), fc.constantFrom(0, 0, 0, 1, 2))
  .map(([from, save, max]) => ({ ...list(), since: { from: 'saved', name: from }, save, max }));
const filtered: fc.Arbitrary<ListStep> = fc
  .tuple(fc.subarray(USED, { minLength: 1 }), fc.option(name), fc.constantFrom(0, 0, 0, 1, 3))
  .map(([states, save, max]) => ({ ...list(...states), save, max }));
const altered: fc.Arbitrary<ListStep> = fc
  .tuple(name, fc.constantFrom(...ALTERATIONS))
  .map(([from, how]) => since({ from: 'altered', name: from, how }));
/** Not so short that it could be a small number, which somebody may have been given as a cursor. */
const garbage: fc.Arbitrary<ListStep> = fc
  .uint8Array({ minLength: 6, maxLength: 24 })
  .map((made) => since(bytes(made)));

const listing: fc.Arbitrary<ListStep> = fc.oneof(
  { weight: 12, arbitrary: delta },
  { weight: 6, arbitrary: name.map(mark) },
  { weight: 6, arbitrary: filtered },
  { weight: 1, arbitrary: altered },
  { weight: 1, arbitrary: garbage },
);

/** Every cursor exists from the start, so that no delta turns into a list of the whole fleet. */
function mixed([program, lists]: readonly [Program, readonly (readonly [number, ListStep])[]]): Program {
  const steps: Step[] = [...program.steps];
  for (const [at, step] of lists) steps.splice(at % (steps.length + 1), 0, step);
  return { ...program, steps: [...NAMES.map(mark), ...steps] };
}

export const LIST_WALK: GenerativeProperty = {
  kind: 'generative',
  area: 'list',
  name: 'list-walk',
  decides: ['B901', 'B903', 'B904', 'B905', 'B909'],
  umbrella: [],
  completionIsEvidence: false,
  share: 8,
  programs: fc
    .tuple(
      walk({
        minSteps: 4,
        maxSteps: 12,
        machines: 3,
        shards: 1,
        tokens: [
          [4, 'none'],
          [4, 'fresh'],
          [1, 'replay'],
        ],
        strangers: 0,
        metadata: PLAIN_METADATA,
        hurried: 30,
      }),
      fc.array(fc.tuple(fc.nat({ max: 1000 }), listing), { minLength: 4, maxLength: 12, size: 'max' }),
    )
    .map(mixed),
};
