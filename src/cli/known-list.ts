/** Lists of behaviors that are known to fail, or to be flaky: `--known-failing FILE`, `--known-flaky FILE`. */
import { readFile } from 'node:fs/promises';
import { type BehaviorId, matchBehaviors } from '../../model/registry.js';
import { UsageError } from './failure.js';

/**
 * The behaviors that a list names: an id or a pattern a line, comments from `#` on.
 * @throws UsageError where the file cannot be read or a pattern matches nothing
 */
export async function knownList(file: string | undefined): Promise<ReadonlySet<BehaviorId>> {
  if (file === undefined) return new Set();
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${file}: cannot be read (${error.message})`);
  });
  const ids = new Set<BehaviorId>();
  for (const [index, line] of text.split('\n').entries()) {
    const pattern = line.replace(/#.*/, '').trim();
    if (pattern === '') continue;
    try {
      for (const { id } of matchBehaviors(pattern)) ids.add(id);
    } catch (error) {
      throw new UsageError(`${file}:${index + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return ids;
}
