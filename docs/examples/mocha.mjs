// As conformance.mjs of your project: npx mocha conformance.mjs
import { conformanceCases } from 'bfcheck';

const target = process.env.TARGET ?? 'localhost:9000';

describe('the provider keeps the contract', () => {
  for (const { name, run } of conformanceCases({ target, runs: 20 })) {
    it(name, async function () {
      this.timeout(120_000);
      const result = await run();
      if (result.status === 'skipped') this.skip();
    });
  }
});
