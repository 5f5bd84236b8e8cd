/** What the search for an order costs, against the histories it is given. */
import { check } from '../../../src/engine/linearize.js';
import { honestHistory, type Shape } from '../../../test/linearize/honest.js';
import { lifecycle } from '../../../test/linearize/lifecycle.js';
import type { Plot } from '../../lib/plot.js';
import { atMost, growthExponent, median, row } from '../../lib/row.js';
import type { Settings } from '../../lib/settings.js';
import { LINEAR, type Part } from './part.js';

const CALLS_A_MACHINE = 100;
const FEW_MACHINES = 10;
/** Calls of one race. */
const RACE = 64;
const LOST = [0, 0.05, 0.1, 0.15, 0.2, 0.25];

/**
 * Histories of more machines are the ones that grow in a run, and they must grow linearly. Those of one machine stay
 * short (a race has at most 32 calls); how longer ones fare is for the docs.
 */
export function overHistory({ full }: Settings): Part {
  const sizes = full ? [1_000, 3_000, 10_000, 30_000, 100_000] : [1_000, 3_000, 10_000, 30_000];
  const timed = (what: string, shapeOf: (calls: number) => Partial<Shape>): Plot => ({
    name: `history-${what}`,
    title: `Time of the order search against calls, ${what === 'wide' ? `${CALLS_A_MACHINE} a machine` : `on ${FEW_MACHINES} machines`}`,
    x: 'calls',
    y: 'ms',
    scale: 'log',
    points: sizes.map((calls) => [calls, checkMs(shapeOf(calls))]),
  });
  const wide = timed('wide', (calls) => ({
    machines: calls / CALLS_A_MACHINE,
    callsPerMachine: CALLS_A_MACHINE,
  }));
  const deep = timed('deep', (calls) => ({ machines: FEW_MACHINES, callsPerMachine: calls / FEW_MACHINES }));
  return {
    rows: [
      row(
        'time of the order search against calls',
        'exponent',
        [growthExponent(wide.points)],
        atMost(LINEAR),
      ),
      row('the same on ten machines however long', 'exponent', [growthExponent(deep.points)]),
    ],
    plots: [wide, deep],
  };
}

/** Every lost call may have taken effect at any later time: no bound is promised, the figures are for the docs. */
export function overPending(): Part {
  const points = LOST.map((lost) => {
    const shape = { machines: 1, callsPerMachine: RACE, inFlight: 8, lost };
    return [100 * lost, checkMs(shape)] as const;
  });
  const title = `Time of the order search against pending calls, of ${RACE} with 8 in flight`;
  return {
    rows: [],
    plots: [{ name: 'history-pending', title, x: '% lost', y: 'ms', scale: 'linear', points }],
  };
}

function checkMs(shape: Partial<Shape>): number {
  const history = honestHistory({
    machines: 1,
    callsPerMachine: CALLS_A_MACHINE,
    inFlight: 3,
    lost: 0,
    seed: 42,
    ...shape,
  });
  const samples = Array.from({ length: 5 }, () => {
    const from = performance.now();
    check(lifecycle, history);
    return performance.now() - from;
  });
  return median(samples);
}
