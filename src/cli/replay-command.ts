/** `bfcheck replay`: runs saved counterexamples again, against any provider. */
import { corpusFiles } from '../engine/corpus.js';
import { Investigator } from '../engine/investigate.js';
import type { ProgramLane } from '../engine/program-lane.js';
import { laneOfFile, type Replayed, replayFile } from '../engine/replay.js';
import { visible } from '../report/escape.js';
import { storyLines } from '../report/story.js';
import { counterexampleOf } from '../report/tell-violation.js';
import type { CheckOptions } from './check-options.js';
import { EXIT, UsageError } from './failure.js';
import { replayStage } from './replay-stages.js';
import { Supply } from './supply.js';

/**
 * Replays `files`, or the whole corpus folder. Returns the exit code: 1 where one still fails, else 3 where one could
 * not be run, else 0.
 */
export async function replay(
  files: readonly string[],
  options: CheckOptions,
  print: (line: string) => void,
): Promise<number> {
  const chosen = files.length > 0 ? files : await corpusFiles(options.corpus);
  if (chosen.length === 0)
    throw new UsageError(
      `no counterexamples in ${options.corpus}: name a file, or another folder with --corpus`,
    );
  const supply = new Supply(options);
  const lanes = new Map<ProgramLane, string[]>();
  for (const file of chosen) {
    const lane = await laneOfFile(file);
    lanes.set(lane, [...(lanes.get(lane) ?? []), file]);
  }
  let code: number = EXIT.certified;
  for (const [lane, group] of lanes) {
    const stage = await replayStage(lane, supply, options);
    try {
      const investigator = new Investigator(stage.arena, { maxExecutions: 0, maxMs: 0 });
      for (const file of group) {
        const replayed = await replayFile(file, investigator);
        print(lineOf(replayed));
        if (options.verbose)
          for (const line of storyOf(replayed, investigator, supply.replayWith(lane))) print(line);
        if (replayed.result.result === 'STILL FAILS') code = EXIT.failed;
        else if (replayed.result.result === 'ERROR' && code === EXIT.certified) code = EXIT.environment;
      }
    } finally {
      await stage.end();
    }
  }
  return code;
}

function lineOf({ result: { file, behavior, result, detail } }: Replayed): string {
  return `${result.padEnd(12)} ${behavior ?? '-'}  ${visible(file)}  ${visible(detail)}`;
}

function storyOf(
  { execution, violation, entry }: Replayed,
  investigator: Investigator,
  replayWith: string,
): string[] {
  if (execution === null || violation === null || entry === null) return [];
  const reported = investigator.unexamined(execution, violation, entry.property);
  return storyLines(counterexampleOf(reported, 1, replayWith)).map((line) => `  ${line}`);
}
