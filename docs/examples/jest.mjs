// As conformance.test.mjs of your project: NODE_OPTIONS=--experimental-vm-modules npx jest --testMatch '**/conformance.test.mjs'
import { conformanceCases } from 'bfcheck';

const target = process.env.TARGET ?? 'localhost:9000';

describe('the provider keeps the contract', () => {
  for (const { name, run } of conformanceCases({ target, runs: 20 })) {
    // jest has no way to skip a test that is running: what does not apply passes.
    test(name, () => run(), 120_000);
  }
});
