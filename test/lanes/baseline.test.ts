/** The baseline lane against a small Go module of its own, and where there is no Go, no suite, or no end. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runBaseline } from '../../src/lanes/baseline.js';

const DEADLINE_MS = 120_000;
const TEST_MS = 150_000;
const clock = (): number => performance.now();

/** Compiles offline: the standard library only, and nothing to download. */
const SUITE = `//go:build conformance

package conformance

import (
	"flag"
	"os"
	"testing"
	"time"
)

var target = flag.String("target", "", "HOST:PORT of the provider")

func TestConformance_Target(t *testing.T) {
	if *target != "127.0.0.1:7" {
		t.Fatalf("target is %q", *target)
	}
}
func TestConformance_Parent(t *testing.T) {
	t.Run("good", func(t *testing.T) {})
	t.Run("bad", func(t *testing.T) {
		if os.Getenv("SUITE") == "fails" {
			t.Error("three machines, want four")
		}
	})
}
func TestConformance_Skipped(t *testing.T) { t.Skip("no Spot here") }
func TestConformance_Trouble(t *testing.T) {
	switch os.Getenv("SUITE") {
	case "panics":
		panic("lost my marbles")
	case "hangs":
		os.WriteFile(os.Getenv("SUITE_PID"), []byte{}, 0o600)
		time.Sleep(time.Hour)
	}
}
func TestSomethingElse(t *testing.T) { t.Fatal("must not be run") }
`;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bfcheck-baseline-'));
  vi.stubEnv('GOFLAGS', '-mod=mod');
  vi.stubEnv('GOPROXY', 'off');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function checkout(files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(folder, 'test/conformance'), { recursive: true });
  await writeFile(join(folder, 'go.mod'), 'module upstream.test/suite\n\ngo 1.21\n');
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, 'test/conformance', name), text);
  }
}

const run = (deadlineMs = DEADLINE_MS) =>
  runBaseline({ sourceDir: folder, target: '127.0.0.1:7', deadlineMs, clock });

function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const GO = hasGo();

describe.skipIf(!GO)('a suite in Go (skipped where Go is not installed)', () => {
  it(
    'is run as upstream runs it, test by test',
    async () => {
      await checkout({ 'suite_test.go': SUITE });
      const result = await run();
      expect(result).toMatchObject({
        status: 'passed',
        reason: '',
        counts: { passed: 5, failed: 0, skipped: 1 },
      });
      expect(result.command).toBe(
        'go test -json -tags=conformance -count=1 -run ^TestConformance_ ./test/conformance/... -target=127.0.0.1:7',
      );
      expect(result.tests.map(({ name }) => name)).toEqual([
        'TestConformance_Target',
        'TestConformance_Parent',
        'TestConformance_Parent/good',
        'TestConformance_Parent/bad',
        'TestConformance_Skipped',
        'TestConformance_Trouble',
      ]);
    },
    TEST_MS,
  );

  it(
    'fails with the words of the test that failed',
    async () => {
      vi.stubEnv('SUITE', 'fails');
      await checkout({ 'suite_test.go': SUITE });
      const result = await run();
      expect(result).toMatchObject({ status: 'failed', reason: '2 of 6 tests failed' });
      expect(result.tests.find(({ name }) => name.endsWith('/bad'))?.output).toContain(
        'three machines, want four',
      );
    },
    TEST_MS,
  );

  it(
    'fails when it panics',
    async () => {
      vi.stubEnv('SUITE', 'panics');
      await checkout({ 'suite_test.go': SUITE });
      const result = await run();
      expect(result.status).toBe('failed');
      expect(result.reason).toContain('lost my marbles');
    },
    TEST_MS,
  );

  it(
    'fails with what the compiler says',
    async () => {
      await checkout({
        'suite_test.go': SUITE,
        'broken_test.go': 'package conformance\n\nvar x = nowhere\n',
      });
      const result = await run();
      expect(result).toMatchObject({ status: 'failed', tests: [] });
      expect(result.reason).toContain('does not compile');
      expect(result.reason).toContain('broken_test.go:3');
    },
    TEST_MS,
  );

  it(
    'was not run when nothing matches',
    async () => {
      await checkout({
        'suite_test.go': 'package conformance\n\nimport "testing"\n\nfunc TestOther(t *testing.T) {}\n',
      });
      // Without a flag of its own the test binary would refuse -target before it looks for tests.
      await writeFile(
        join(folder, 'test/conformance/flag_test.go'),
        'package conformance\n\nimport "flag"\n\nvar _ = flag.String("target", "", "")\n',
      );
      expect(await run()).toMatchObject({
        status: 'not-run',
        reason: 'no test named TestConformance_… was found in ./test/conformance',
      });
    },
    TEST_MS,
  );

  it(
    'is ended at the deadline, with what it started',
    async () => {
      const sign = join(folder, 'hangs');
      vi.stubEnv('SUITE', 'hangs');
      vi.stubEnv('SUITE_PID', sign);
      await checkout({ 'suite_test.go': SUITE });
      // Compiled before, so that the deadline falls into the test and not into the compiler.
      execFileSync('go', ['test', '-tags=conformance', '-run', '^$', './test/conformance/...'], {
        cwd: folder,
      });
      const result = await run(8_000);
      expect(result).toMatchObject({
        status: 'failed',
        reason: 'the suite was ended after 8000 ms, before it was done',
      });
      expect(await readFile(sign)).toHaveLength(0);
      expect(result.tests.find(({ name }) => name === 'TestConformance_Trouble')).toMatchObject({
        status: 'failed',
        unfinished: true,
      });
      expect(processesOf('conformance.test')).toEqual([]);
    },
    TEST_MS,
  );
});

/** Processes whose test binary was built from this checkout; none may be left. */
function processesOf(binary: string): string[] {
  const listed = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line.includes(binary) && line.includes('127.0.0.1:7'));
}

describe('where there is nothing to run', () => {
  it('says that Go is missing, in one line', async () => {
    await checkout({ 'suite_test.go': SUITE });
    vi.stubEnv('PATH', folder);
    const result = await run();
    expect(result).toMatchObject({ status: 'not-run', tests: [] });
    expect(result.reason).toContain('install Go');
    expect(result.reason).not.toContain('\n');
  });

  it('says that the folder is no checkout', async () => {
    const result = await run();
    expect(result.status).toBe('not-run');
    expect(result.reason).toContain('test/conformance');
  });
});
