import { defineConfig } from 'vitest/config';

// A deadline that only a test that hangs can miss: tests share a busy machine with the processes that they start.
const PATIENCE_MS = 120_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
  },
});
