import { defineConfig } from 'vitest/config';

/** The long form of the hostile runs; `npm test` runs the quick one. */
export default defineConfig({
  test: {
    include: ['test/hostile/all.ts'],
    testTimeout: 120_000,
    maxConcurrency: 3,
    disableConsoleIntercept: true,
  },
});
