/** The built command that the hostile runs start. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Beside the dependencies, so that they are found, and apart from `dist`, which others build at the same time. */
const BUILD = `${ROOT}node_modules/.cache/hostile`;

export const COMMAND = process.env.BFCHECK_HOSTILE_COMMAND ?? `${BUILD}/src/cli/main.js`;

/** Builds the command as the sources are now. */
export function buildCommand(): void {
  if (process.env.BFCHECK_HOSTILE_COMMAND !== undefined) return;
  mkdirSync(BUILD, { recursive: true });
  writeFileSync(`${BUILD}/package.json`, '{ "name": "bfcheck", "type": "module" }\n');
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json', '--outDir', BUILD], { cwd: ROOT });
}
