/** `bfcheck replay`: runs saved counterexamples again, against any provider. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { arena } from '../engine/arena.js';
import { corpusFiles } from '../engine/corpus.js';
import { Investigator } from '../engine/investigate.js';
import { type Replayed, replayFile } from '../engine/replay.js';
import { visible } from '../report/escape.js';
import { storyLines } from '../report/story.js';
import { counterexampleOf } from '../report/tell-violation.js';
import type { CheckOptions } from './check-options.js';
import { EXIT, UsageError } from './failure.js';
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
  const subject = await supply.blackBox();
  try {
    const stage = await arena(subject.client, subject.listing, {
      connections: subject.client.connections,
      limits: {
        settleTimeoutMs: options.settleTimeout,
        stabilityWindowMs: options.stabilityWindow,
        stuckIsBreach: false,
      },
      faults: false,
      prefix: `bfcheck-${randomBytes(5).toString('hex')}`,
      clock: () => performance.now(),
      sleep: (ms) => sleep(ms),
    });
    const investigator = new Investigator(stage, { maxExecutions: 0, maxMs: 0 });
    let code: number = EXIT.certified;
    for (const file of chosen) {
      const replayed = await replayFile(file, investigator);
      print(lineOf(replayed));
      if (options.verbose) for (const line of storyOf(replayed, investigator, supply.replayWith)) print(line);
      if (replayed.result.result === 'STILL FAILS') code = EXIT.failed;
      else if (replayed.result.result === 'ERROR' && code === EXIT.certified) code = EXIT.environment;
    }
    return code;
  } finally {
    await subject.stop();
  }
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
