/** Runs the command against a hostile server, in a process of its own, and tells what came of it. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BEHAVIORS, type BehaviorId } from '../../model/registry.js';
import type { Report } from '../../src/report/report.js';
import { asidesIn } from '../../src/report/told.js';
import type { HostileCase } from './case.js';
import { COMMAND } from './command.js';
import { startUpstream } from './upstream.js';

/** What came of one run. */
export interface Outcome {
  /** Exit code, or null for a process that had to be killed. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly ms: number;
  /** Everything it wrote, standard error included. */
  readonly output: string;
  /** Texts of all files that it wrote, by name. */
  readonly files: ReadonlyMap<string, string>;
  /** Null where it wrote none. */
  readonly report: Report | null;
  /** How often the server did something wrong. */
  readonly strikes: number;
}

/** What the run is told to keep to with --time-limit, in milliseconds. */
export const TIME_LIMIT_MS = 60_000;
/** How much later it may end: its start, the last words of a run cut short (15 s), and a machine with other work. */
const OVERTIME_MS = 25_000;
/** When a run that did not is killed, and counts as hung, in milliseconds. */
export const RUN_DEADLINE_MS = 180_000;
/** Machines of the provider: enough for the scenarios of a run and their re-runs. */
const SEED_COUNT = 96;
/** Short times, so that a case in which all of them pass ends soon. */
const ARGS = '--runs 6 --call-timeout 10s --settle-timeout 2s --stability-window 50ms --time-limit'
  .split(' ')
  .concat(String(TIME_LIMIT_MS));
const ROUND_TRIP: readonly BehaviorId[] = ['B101', 'B103', 'B104'];
const FILES = ['report.json', 'junit.xml', 'report.md', 'report.html', 'badge.json'];

/** Runs the check against the server of `hostile`. */
export async function run(hostile: HostileCase): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'bfcheck-hostile-'));
  const upstream = await startUpstream(SEED_COUNT);
  let strikes = 0;
  try {
    const front = await hostile.start(upstream, () => {
      strikes += 1;
    });
    try {
      const args = [
        '--target',
        front.address,
        ...ARGS,
        '--only',
        only(hostile).join(','),
        ...(hostile.args ?? []),
      ];
      const ended = await command([...args, '--out', 'out', '--corpus', 'corpus'], folder);
      const files = await textsIn(join(folder, 'out'));
      const json = files.get('report.json');
      return { ...ended, files, report: json === undefined ? null : JSON.parse(json), strikes };
    } finally {
      await front.stop();
    }
  } finally {
    await upstream.stop();
    await rm(folder, { recursive: true });
  }
}

/** What is looked for, and the round trip that every other behavior builds on: each case is to end soon. */
function only({ expected }: HostileCase): readonly BehaviorId[] {
  return [...ROUND_TRIP, ...(expected.kind === 'violation' ? expected.of : ['B901' as const])];
}

async function command(
  args: readonly string[],
  cwd: string,
): Promise<Pick<Outcome, 'code' | 'signal' | 'ms' | 'output'>> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd,
    env: { ...process.env, FORCE_COLOR: '', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => chunks.push(bytes));
  const deadline = setTimeout(() => child.kill('SIGKILL'), RUN_DEADLINE_MS);
  try {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve([code, signal]));
    });
    const ms = performance.now() - startedAt;
    return { code, signal, ms, output: Buffer.concat(chunks).toString('utf8') };
  } finally {
    clearTimeout(deadline);
  }
}

async function textsIn(folder: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const name of FILES) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => null);
    if (text !== null) texts.set(name, text);
  }
  return texts;
}

/** Everything about the run that is not as the case expects it; empty where all is well. */
export function problemsOf(hostile: HostileCase, outcome: Outcome): readonly string[] {
  const idle = outcome.strikes === 0 ? ['the server never did what the case says'] : [];
  const late = outcome.ms > TIME_LIMIT_MS + OVERTIME_MS ? [`ended after ${outcome.ms.toFixed(0)} ms`] : [];
  return [...crashes(outcome), ...late, ...idle, ...leaks(outcome), ...misclassified(hostile, outcome)];
}

/** A crash or a hang, in words. */
export function crashes({ code, signal, output }: Outcome): readonly string[] {
  const problems: string[] = [];
  if (signal !== null) problems.push(`hung: killed by ${signal} after ${RUN_DEADLINE_MS} ms`);
  else if (code === null || ![0, 1, 2, 3, 4].includes(code)) problems.push(`crashed with exit code ${code}`);
  if (/\n\s+at .*(?:\.js:\d+|node:)|UnhandledPromise|Uncaught/.test(output)) {
    problems.push(`a stack trace: ${output.slice(-400)}`);
  }
  return problems;
}

/** Provider bytes that could act on whoever reads them: control characters, text that turns around, markup. */
function leaks({ output, files }: Outcome): readonly string[] {
  const shown: readonly (readonly [string, string])[] = [['the terminal', output], ...files];
  const problems = shown
    .filter(([, text]) => FOREIGN.test(text))
    .map(([where]) => `control characters in ${where}`);
  const read: readonly (readonly [string, string])[] = [
    ['report.html', files.get('report.html') ?? ''],
    // A fenced block shows what is in it as it is.
    ['report.md', (files.get('report.md') ?? '').replace(/^```text$[\s\S]*?^```$/gm, '')],
    ['junit.xml', files.get('junit.xml') ?? ''],
  ];
  const marked = read.filter(([, text]) => /<script>alert|<img src=x/.test(text));
  return [...problems, ...marked.map(([where]) => `foreign markup in ${where}`)];
}

const FOREIGN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
const ORDER = new Map(BEHAVIORS.map(({ id }, at) => [id, at]));

/** The first behaviors of all violations that the run was asked about, in the order of the registry. */
export function blamed({ report }: Outcome): readonly string[] {
  const beside = new Set(report === null ? [] : asidesIn(report));
  const counted = (report?.counterexamples ?? []).filter((counterexample) => !beside.has(counterexample));
  const first = new Set(counted.flatMap(({ behaviors }) => behaviors.slice(0, 1)));
  return [...first].sort((a, b) => (ORDER.get(a) ?? 0) - (ORDER.get(b) ?? 0));
}

function misclassified({ expected }: HostileCase, outcome: Outcome): readonly string[] {
  const { code, report, output } = outcome;
  if (expected.kind === 'environment') {
    if (report !== null) return ['expected an environment error, and there is a report'];
    const right = (code === 3 || code === 2) && expected.says.test(output);
    const lines = output
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('Checking '));
    return right && lines.length === 1 ? [] : [`exit ${code}: ${output.slice(-600)}`];
  }
  if (report === null) return [`no report; exit ${code}: ${output.slice(-600)}`];
  const found = blamed(outcome);
  if (expected.kind === 'violation') {
    if (found.length === 0) return [`no violation found, exit ${code}`];
    if (code !== 1) return [`blamed ${found.join(', ')} and yet exit ${code}`];
    const wrong = found.filter((id) => !expected.of.some((known) => known === id));
    return wrong.length === 0 ? [] : [`blamed ${wrong.join(', ')} (of ${found.join(', ')})`];
  }
  if (found.length > 0) return [`blamed ${found.join(', ')} without cause: ${reasons(report)}`];
  if (expected.kind === 'undecided') {
    const why = whyUndecided(report);
    return code === 4 && why.some((reason) => expected.why.test(reason))
      ? []
      : [`exit ${code}, expected 4 and ${expected.why}: ${why.join('; ')}`];
  }
  const codes = expected.kind === 'allowed' ? [0] : [0, 4];
  return code !== null && codes.includes(code)
    ? []
    : [`exit ${code}, expected ${codes.join(' or ')}: ${whyUndecided(report).join('; ')}`];
}

/** Why the run was not certified, as the report says. */
function whyUndecided({ behaviors, interrupted }: Report): readonly string[] {
  const open = behaviors.filter(({ required, status }) => required && status === 'inconclusive');
  return [...new Set([...(interrupted === null ? [] : [interrupted]), ...open.map(({ reason }) => reason)])];
}

function reasons({ counterexamples }: Report): string {
  return counterexamples
    .map(
      ({ behaviors, expected, observed, property }) =>
        `${behaviors[0]} in ${property}: expected ${expected.join(' | ')}; observed ${observed}`,
    )
    .join(' // ')
    .slice(0, 600);
}
