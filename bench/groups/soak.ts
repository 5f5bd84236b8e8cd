/** Group 5, the long part: memory over half an hour. */
import type { MemorySample } from '../lib/lane.js';
import { laneProcess } from '../lib/lane-process.js';
import type { Plot } from '../lib/plot.js';
import { withServer } from '../lib/processes.js';
import { atMost, median, row } from '../lib/row.js';
import type { Figures, Settings } from '../lib/settings.js';
import { MIB } from './growth/part.js';

/** Memory in the last third of a run, of what it was in the third before. */
const FLAT = 1.1;
const RUNS = 10_000;
/** More than half an hour can hold. */
const FULL_RUNS = 600_000;
const FULL_MINUTES = 30;

export async function soak({ full, concurrency }: Settings): Promise<Figures> {
  const length = full ? { runs: FULL_RUNS, minutes: FULL_MINUTES } : { runs: RUNS };
  const { memory, generatedSequences } = await withServer([], (target) =>
    laneProcess({ target, concurrency, ...length }, ['--expose-gc']),
  );
  const where = `${generatedSequences} sequences${full ? ` in ${FULL_MINUTES} minutes` : ''}`;
  const third = Math.floor(memory.length / 3);
  const part = (what: string, of: (sample: MemorySample) => number) =>
    row(
      `${what} in the last third, of the third before`,
      'times',
      [median(memory.slice(2 * third).map(of)) / median(memory.slice(third, 2 * third).map(of))],
      atMost(FLAT),
    );
  const plot = (name: string, title: string, of: (sample: MemorySample) => number): Plot => ({
    name: `soak-${name}`,
    title,
    x: 'sequences',
    y: 'MiB',
    scale: 'linear',
    points: memory.map((sample) => [sample.sequences, of(sample) / MIB]),
  });
  return {
    title: `memory over ${where}`,
    rows: [part('live heap', ({ heap }) => heap), part('resident memory', ({ rss }) => rss)],
    notes: [],
    plots: [
      plot('heap', 'Live heap over a long run', ({ heap }) => heap),
      plot('rss', 'Resident memory over a long run', ({ rss }) => rss),
    ],
  };
}
