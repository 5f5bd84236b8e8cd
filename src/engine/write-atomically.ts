/** Files that are either whole or not there. */
import { rename, rm, writeFile } from 'node:fs/promises';

/** A file by its path, and what is to be in it. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/**
 * Writes to a temporary name beside `file`, then renames: nobody ever sees half a file, and a disk that fills up
 * leaves the old file as it was and nothing else behind. Throws what the file system says.
 */
export async function writeAtomically(file: string, text: string): Promise<void> {
  await writeTogether([{ file, text }], (_file, action) => action());
}

/**
 * Writes several files that belong together: all of them stand whole under temporary names before the first one takes
 * the place of an old one, so that a disk that fills up leaves the old ones, all of one run.
 * @param during runs a step that concerns `file`; what it throws ends the writing
 */
export async function writeTogether(
  files: readonly TextFile[],
  during: (file: string, action: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const temporary = (file: string): string => `${file}.${process.pid}.tmp`;
  try {
    for (const { file, text } of files) await during(file, () => writeFile(temporary(file), text));
    for (const { file } of files) await during(file, () => rename(temporary(file), file));
  } catch (error) {
    for (const { file } of files) await rm(temporary(file), { force: true });
    throw error;
  }
}
