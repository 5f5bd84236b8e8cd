/** Files that are either whole or not there. */
import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes to a temporary name beside `file`, then renames: nobody ever sees half a file, and a disk that fills up
 * leaves the old file as it was and nothing else behind. Throws what the file system says.
 */
export async function writeAtomically(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
