/** Group 6: what the command line costs before it does anything. */
import { CLI, node } from '../lib/processes.js';
import { atMost, row } from '../lib/row.js';
import type { Figures } from '../lib/settings.js';

const ROUNDS = 15;
const VERSION_FACTOR = 2;
const LIST_FACTOR = 4;

export async function startup(): Promise<Figures> {
  const [empty, version, list]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    empty.push((await node(['-e', '0'])).wallMs);
    version.push((await node([CLI, '--version'])).wallMs);
    list.push((await node([CLI, 'list'])).wallMs);
  }
  // Of the empty Node just before it, so that both meet the same mood of the machine.
  const times = (all: readonly number[]): number[] =>
    all.map((ms, round) => ms / (empty[round] ?? Number.NaN));
  return {
    title: 'as a multiple of an empty Node',
    rows: [
      row('bfcheck --version', 'times', times(version), atMost(VERSION_FACTOR)),
      row('bfcheck list', 'times', times(list), atMost(LIST_FACTOR)),
      row('node -e 0', 'ms', empty),
    ],
    plots: [],
    notes: [],
  };
}
