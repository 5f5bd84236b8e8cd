// As test/conformance.test.ts of your project: npx vitest run test/conformance.test.ts
import { conformanceCases } from 'bfcheck';
import { describe, it } from 'vitest';

// The address of the provider under test; a function is called when the first case runs.
const target = process.env.TARGET ?? 'localhost:9000';

describe('the provider keeps the contract', () => {
  for (const { name, run } of conformanceCases({ target, runs: 20 })) {
    it(name, async ({ skip }) => {
      const result = await run();
      skip(result.status === 'skipped');
    }, 120_000);
  }
});
