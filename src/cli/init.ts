/** `bfcheck init`: a config file and a workflow to start from. What exists is left as it is. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CONFIG_FILE } from './config.js';
import { UsageErrors } from './failure.js';
import { configTemplate, workflowTemplate } from './init-templates.js';
import { version } from './version.js';

/** The files that `init` writes, by their paths in the folder. */
export const INIT_FILES = { config: CONFIG_FILE, workflow: '.github/workflows/bfcheck.yml' } as const;

/**
 * Writes what is not there yet. Returns what to tell the user, line by line.
 * @throws UsageErrors where a file cannot be written
 */
export async function init(folder: string): Promise<readonly string[]> {
  const files = [
    [INIT_FILES.config, configTemplate()],
    [INIT_FILES.workflow, workflowTemplate(await version())],
  ] as const;
  const lines: string[] = [];
  for (const [name, text] of files) {
    const file = join(folder, name);
    lines.push((await writeNew(file, text)) ? `wrote ${file}` : `${file} exists and was left as it is`);
  }
  return [
    ...lines,
    '',
    'Next: say in bfcheck.config.json how your provider is started, then run: npx bfcheck',
  ];
}

/** Whether the file was written; false where there is one already. */
async function writeNew(file: string, text: string): Promise<boolean> {
  const fail = (error: Error): never => {
    throw new UsageErrors([`cannot write ${file}: ${error.message}`]);
  };
  await mkdir(dirname(file), { recursive: true }).catch(fail);
  return writeFile(file, text, { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? false : fail(error)),
  );
}
