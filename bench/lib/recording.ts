/** The calls of a run, as bytes in a file: what the bare client sends again. */
import { readFile, writeFile } from 'node:fs/promises';
import type { CallKind } from '../../model/call.js';
import { encodeCall } from '../../src/wire/index.js';
import { runLane } from './lane.js';
import { withServer } from './processes.js';

/** One call as it travels. */
export interface RecordedCall {
  readonly kind: CallKind;
  readonly request: Buffer;
}

/** Runs the lane on a fresh provider and writes all its calls, in the order in which they were sent. */
export async function record(file: string, runs: number, concurrency: number): Promise<number> {
  const lines: string[] = [];
  await withServer(['--provider=bfcheck'], (target) =>
    runLane({ target, runs, concurrency }, (call) => {
      lines.push(`${call.kind} ${Buffer.from(encodeCall(call)).toString('base64')}`);
    }),
  );
  await writeFile(file, lines.join('\n'));
  return lines.length;
}

export async function recorded(file: string): Promise<readonly RecordedCall[]> {
  const text = await readFile(file, 'utf8');
  return text.split('\n').map((line) => {
    const [kind = '', request = ''] = line.split(' ');
    return { kind: kind as CallKind, request: Buffer.from(request, 'base64') };
  });
}
