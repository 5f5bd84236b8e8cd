/** The quick form of the hostile runs: a few cases of every kind. `npm run test:hostile` runs all. */
import { beforeAll, describe, expect, it } from 'vitest';
import { CASES } from './cases.js';
import { buildCommand } from './command.js';
import { problemsOf, RUN_DEADLINE_MS, run } from './run.js';

const QUICK = [
  'nothing-listens',
  'http-1',
  'list-garbage',
  'ack-nil-machine',
  'price-nan',
  'error-with-escapes',
  'escapes-everywhere',
  'metadata-proto',
  'utf8-invalid',
  'truncated',
  'unknown-fields',
  'status-99',
  'reset-cancel',
  'falls-silent',
];

describe('the cases', () => {
  it('are many, and each has a name of its own', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
    expect(QUICK.filter((name) => !CASES.some((hostile) => hostile.name === name))).toEqual([]);
  });
});

describe('the check, against a hostile provider', { timeout: 2 * RUN_DEADLINE_MS }, () => {
  beforeAll(buildCommand, RUN_DEADLINE_MS);

  it.each(
    CASES.filter(({ name }) => QUICK.includes(name)).map((hostile) => [hostile.name, hostile] as const),
  )('%s', async (_name, hostile) => {
    expect(problemsOf(hostile, await run(hostile))).toEqual([]);
  });
});
