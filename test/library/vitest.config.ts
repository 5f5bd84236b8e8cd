import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the example for vitest as it stands in the docs, on the library as it was built. */
export default defineConfig({
  root,
  resolve: { alias: { bfcheck: `${root}dist/src/library/index.js` } },
  test: { include: ['docs/examples/vitest.ts'] },
});
