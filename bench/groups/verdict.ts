/** Group 4: how soon there is a verdict, and how soon the first violation. */
import { OwnedProcess } from '../../src/lanes/owned-process.js';
import { MUTANTS } from '../../src/provider/index.js';
import { CLI, checkRun, inFolder } from '../lib/processes.js';
import { atMost, row } from '../lib/row.js';
import type { Figures, Settings } from '../lib/settings.js';

const RUNS = 300;
const VERDICT_S = 15;
const FIRST_VIOLATION_S = 2;
const SAMPLE = 20;
/** A mutant that shows nothing by then counts as this long. */
const PATIENCE_MS = 60_000;
/** Behaviors of the other lanes: faults, durability, scale. */
const OTHER_LANES = /^B(7|10|11)\d\d$/;

export async function verdict({ full }: Settings): Promise<Figures> {
  const whole: number[] = [];
  for (let round = 0; round < 3; round++) whole.push((await checkRun([`--runs=${RUNS}`])).wallMs / 1000);
  const mutants = MUTANTS.filter(({ breaks }) => !OTHER_LANES.test(breaks));
  const every = full ? 1 : Math.max(1, Math.floor(mutants.length / SAMPLE));
  const sample = mutants.filter((_, index) => index % every === 0);
  const first: number[] = [];
  const slow: string[] = [];
  for (const { name } of sample) {
    const seconds = (await untilFirst(name)) / 1000;
    first.push(seconds);
    if (seconds > FIRST_VIOLATION_S) slow.push(`${name} ${seconds.toFixed(1)} s`);
  }
  return {
    title: `--profile core,cloud,spot --runs ${RUNS}, and the first violation of ${sample.length} mutants`,
    rows: [
      row('verdict', 's', whole, atMost(VERDICT_S)),
      row('first violation, start-up included', 's', first, atMost(FIRST_VIOLATION_S)),
    ],
    plots: [],
    notes: slow.length === 0 ? [] : [`later than the target: ${slow.join(', ')}`],
  };
}

/** From the start of `bfcheck` to the line with which it tells of the first violation, in milliseconds. */
function untilFirst(mutant: string): Promise<number> {
  return inFolder(async (folder) => {
    const from = performance.now();
    const args = [CLI, `--mutant=${mutant}`, `--out=${folder}`, `--corpus=${folder}`, `--runs=${RUNS}`];
    let tell: (at: number) => void = () => undefined;
    const told = new Promise<number>((resolve) => {
      tell = resolve;
    });
    const process_ = OwnedProcess.run(process.execPath, [...args, '--profile=core,cloud,spot'], {
      onLine: (line) => {
        if (line.startsWith('violation of ')) tell(performance.now() - from);
      },
    });
    const timer = setTimeout(() => tell(PATIENCE_MS), PATIENCE_MS);
    const ended = process_.ended.then(() => PATIENCE_MS);
    const ms = await Promise.race([told, ended]);
    clearTimeout(timer);
    await process_.kill();
    return ms;
  });
}
