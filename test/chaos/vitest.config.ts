import { defineConfig } from 'vitest/config';

/** The long form of the runs through a broken network; `npm test` runs the quick one. */
export default defineConfig({ test: { include: ['test/chaos/all.ts'], disableConsoleIntercept: true } });
