/** Every hostile case, and the figures of docs/robustness.md. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostileCase } from './case.js';
import { CASES } from './cases.js';
import { buildCommand } from './command.js';
import { blamed, crashes, type Outcome, problemsOf, RUN_DEADLINE_MS, run, TIME_LIMIT_MS } from './run.js';

const only = process.env.HOSTILE_CASES?.split(',');
const cases = CASES.filter(({ name }) => only === undefined || only.some((word) => name.startsWith(word)));
const done: { hostile: HostileCase; outcome: Outcome; problems: readonly string[] }[] = [];

beforeAll(buildCommand);
afterAll(() => {
  const right = done.filter(({ problems }) => problems.length === 0);
  const longest = Math.max(0, ...done.map(({ outcome }) => outcome.ms));
  const crashed = done.filter(({ outcome }) => outcome.signal === null && crashes(outcome).length > 0);
  const hung = done.filter(({ outcome }) => outcome.signal !== null);
  process.stdout.write(
    `\ncases tried: ${done.length}\nclassification right: ${right.length}\nlongest run over its time limit of ${TIME_LIMIT_MS / 1000} s: ${Math.max(0, longest - TIME_LIMIT_MS).toFixed(0)} ms\ncrashes: ${crashed.length}\nhangs: ${hung.length}\n`,
  );
});

describe.concurrent('the check, against a hostile provider', { timeout: 2 * RUN_DEADLINE_MS }, () => {
  it.each(cases.map((hostile) => [hostile.name, hostile] as const))('%s', async (_name, hostile) => {
    const outcome = await run(hostile);
    const problems = problemsOf(hostile, outcome);
    done.push({ hostile, outcome, problems });
    process.stdout.write(row(hostile, outcome, problems));
    expect(problems).toEqual([]);
  });
});

function row({ level, name, expected }: HostileCase, outcome: Outcome, problems: readonly string[]): string {
  const seconds = (outcome.ms / 1000).toFixed(1).padStart(5);
  const found = blamed(outcome).join(' ') || expected.kind;
  const wrong = problems.length > 0 ? `  WRONG: ${problems.join('; ')}` : '';
  return `${level.padEnd(9)}${name.padEnd(28)}exit ${outcome.code}  ${seconds} s  ${found}${wrong}\n`;
}
