/** A saved counterexample is replayed in the lane that it comes from: elsewhere it would seem to be fixed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Program } from '../../properties/program.js';
import { configure, create } from '../../properties/steps.js';
import type { CheckOptions } from '../../src/cli/check-options.js';
import { UsageError } from '../../src/cli/failure.js';
import { replay } from '../../src/cli/replay-command.js';
import { Supply } from '../../src/cli/supply.js';
import { saveToCorpus } from '../../src/engine/corpus.js';
import { programLane } from '../../src/engine/program-lane.js';
import { type ProviderOptions, type RunningProvider, startProvider } from '../../src/provider/index.js';
import { staleCreate } from '../report/runs.js';

const TEST_MS = 60_000;
const steps = (...list: Program['steps']): Program => ({ machines: 1, steps: list, branches: [] });
const FAULTY = steps(create(), configure({ cluster: 'fault-error' }));
const KILLED = steps(create(), { call: 'Crash', during: null, afterMs: 0 }, configure());

const supply = (options: Partial<CheckOptions>) => new Supply(options as CheckOptions);

it('the lane of a program follows from its steps', () => {
  expect(programLane(steps(create(), configure()))).toBe('black-box');
  expect(programLane(FAULTY)).toBe('fault');
  expect(programLane({ ...FAULTY, steps: [create()], branches: [FAULTY.steps] })).toBe('fault');
  expect(programLane({ ...steps(create()), doomed: true })).toBe('fault');
  expect(programLane(KILLED)).toBe('durable');
});

it('where only faults are asked for, the fault-capable provider is the one that is named', () => {
  expect(supply({ faultTarget: 'host:1', profile: ['fault'] }).target).toBe('host:1');
  expect(supply({ faultTarget: 'host:1', profile: ['core', 'fault'] }).target).toBe('the built-in provider');
  expect(supply({ faultTarget: 'host:1' }).replayWith('fault')).toBe('--fault-target host:1');
  expect(supply({ target: 'host:2', faultTarget: 'host:1' }).replayWith('black-box')).toBe('--target host:2');
});

describe('replay', () => {
  let folder = '';
  let running: RunningProvider | null = null;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bfcheck-replay-'));
  });
  afterEach(async () => {
    await running?.stop();
    running = null;
    await rm(folder, { recursive: true, force: true });
  });

  async function replayed(program: Program, provider: Partial<ProviderOptions>): Promise<string> {
    running = await startProvider({ addr: '127.0.0.1:0', seedCount: 32, ...provider });
    const behaviors = ['B701', 'B103'] as const;
    const file = await saveToCorpus(folder, staleCreate({ behaviors, program }));
    const lines: string[] = [];
    const options: Partial<CheckOptions> = {
      target: running.address,
      bootTimeout: 10_000,
      callTimeout: 10_000,
      settleTimeout: 10_000,
      stabilityWindow: 50,
      transitionTimeout: 200,
    };
    await replay([file], options as CheckOptions, (line) => lines.push(line));
    return lines.join('\n');
  }

  it(
    'finds a fault that was never heeded still unheeded',
    async () => {
      expect(await replayed(FAULTY, {})).toMatch(/^STILL FAILS {2}B701/);
    },
    TEST_MS,
  );

  it(
    'finds it fixed where it is heeded',
    async () => {
      expect(await replayed(FAULTY, { fault: true })).toMatch(/^FIXED +B701/);
    },
    TEST_MS,
  );

  it(
    'asks for a process where there are kills',
    async () => {
      await expect(replayed(KILLED, {})).rejects.toThrow(UsageError);
    },
    TEST_MS,
  );
});
