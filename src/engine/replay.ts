/** Runs saved counterexamples again. */
import type { BehaviorId } from '../../model/registry.js';
import { type CorpusEntry, CorpusError, readCorpus } from './corpus.js';
import type { CorpusResult } from './events.js';
import type { Investigator } from './investigate.js';
import { TooFewMachines } from './pool.js';
import { type ProgramLane, programLane } from './program-lane.js';
import type { Execution, Violation } from './trace.js';

/** What came of replaying one file, with the execution where there was one. */
export interface Replayed {
  readonly result: CorpusResult;
  readonly entry: CorpusEntry | null;
  readonly execution: Execution | null;
  readonly violation: Violation | null;
}

/** The lane that `file` must be replayed in; a file that is no counterexample is told of in any. */
export async function laneOfFile(file: string): Promise<ProgramLane> {
  try {
    return programLane((await readCorpus(file)).program);
  } catch (error) {
    if (!(error instanceof CorpusError)) throw error;
    return 'black-box';
  }
}

/** A saved counterexample that raced is given this many chances to fail again. */
const CHANCES_FOR_A_RACE = 10;

/** Replays `file`. A file that is no counterexample, or a provider that cannot run it, is an ERROR. */
export async function replayFile(file: string, investigator: Investigator): Promise<Replayed> {
  try {
    const entry = await readCorpus(file);
    return await replay(file, entry, investigator);
  } catch (error) {
    if (!(error instanceof CorpusError || error instanceof TooFewMachines)) throw error;
    return nothing(file, null, error.message.replace(`${file}: `, ''));
  }
}

async function replay(file: string, entry: CorpusEntry, investigator: Investigator): Promise<Replayed> {
  const { behavior, program } = entry;
  const chances = program.branches.length > 0 ? CHANCES_FOR_A_RACE : 1;
  for (let chance = 1; ; chance++) {
    const execution = await investigator.run(program);
    const violation = execution.violations.find(({ breach }) => breach.behaviors.includes(behavior)) ?? null;
    if (violation === null && execution.inconclusive === null && chance < chances) continue;
    if (violation === null && execution.inconclusive !== null)
      return nothing(file, entry, execution.inconclusive);
    const result: CorpusResult = {
      file,
      behavior,
      result: violation ? 'STILL FAILS' : 'FIXED',
      detail: violation ? violation.breach.observed : 'the provider answers as the contract asks',
    };
    return { result, entry, execution, violation };
  }
}

function nothing(file: string, entry: CorpusEntry | null, detail: string): Replayed {
  const behavior: BehaviorId | null = entry?.behavior ?? null;
  return { result: { file, behavior, result: 'ERROR', detail }, entry, execution: null, violation: null };
}
