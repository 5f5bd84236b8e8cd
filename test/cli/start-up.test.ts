/** What is loaded before a command runs: commands that only print must start at once. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Static imports and re-exports of values; types vanish in the build. */
const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^;'"]*?\bfrom\s*)?['"]([^'"]+)['"]/g;

/** Packages that a module loads as soon as it is loaded itself, directly or through others. */
function packagesOf(entry: string): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const queue = [join(ROOT, entry)];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, module = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (module.startsWith('node:')) continue;
      if (!module.startsWith('.')) packages.add(module);
      else queue.push(join(dirname(file), module.replace(/\.js$/, '.ts')));
    }
  }
  expect([...seen].every((file) => existsSync(file))).toBe(true);
  return packages;
}

describe('starting up', () => {
  it('needs nothing but the parser of the command line, and for the version not even that', () => {
    expect([...packagesOf('src/cli/main.ts')]).toEqual([]);
    expect([...packagesOf('src/cli/program.ts')].sort()).toEqual(['commander', 'ms']);
  });

  it('and to list behaviors, nothing more', () => {
    expect([...packagesOf('src/report/list-text.ts')]).toEqual([]);
  });

  it('is where the heavy packages would be seen', () => {
    expect([...packagesOf('src/cli/run-check.ts')]).toEqual(
      expect.arrayContaining(['fast-check', '@grpc/grpc-js']),
    );
  });
});
