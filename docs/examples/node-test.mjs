// As conformance.test.mjs of your project: node --test conformance.test.mjs
import { test } from 'node:test';
import { conformanceCases } from 'bfcheck';

// The address of the provider under test; a function is called when the first case runs.
const target = process.env.TARGET ?? 'localhost:9000';

for (const { name, run } of conformanceCases({ target, runs: 20 })) {
  test(name, async (t) => {
    const result = await run();
    if (result.status === 'skipped') t.skip(result.reason);
  });
}
