/** Longer histories than brute force can judge, linearizable because of how they were made. */
import { expect, test } from 'vitest';
import { check } from '../../src/engine/linearize.js';
import { honestHistory, spoiled } from './honest.js';
import { lifecycle } from './lifecycle.js';

const SHAPES = [
  { machines: 1, callsPerMachine: 64, inFlight: 8, lost: 0 },
  { machines: 1, callsPerMachine: 64, inFlight: 8, lost: 0.15 },
  { machines: 5, callsPerMachine: 40, inFlight: 3, lost: 0.1 },
];

test.each(SHAPES)('%o: explained as made, and not after an impossible read', (shape) => {
  for (let seed = 1; seed <= 10; seed++) {
    const history = honestHistory({ ...shape, seed });
    expect(history).toHaveLength(shape.machines * shape.callsPerMachine);
    expect(check(lifecycle, history).kind).toBe('explained');
    expect(check(lifecycle, spoiled(history, 'machine-0'))).toMatchObject({
      kind: 'violation',
      partition: 'machine-0',
      stuck: history.length,
    });
  }
});
