/** The reader of `go test -json`: whole streams, broken ones, and anything at all. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GoTestReader, type GoTestReport } from '../../src/lanes/go-test-events.js';

const PACKAGE = 'upstream.test/capacity/test/conformance';

interface Fields {
  readonly Test?: string;
  readonly Output?: string;
  readonly Elapsed?: number;
  readonly Package?: string;
  readonly ImportPath?: string;
  readonly FailedBuild?: string;
}
const event = (Action: string, fields: Fields = {}): string =>
  JSON.stringify({ Time: '2031-05-04T03:02:01Z', Action, Package: PACKAGE, ...fields });

/** A test that runs, says something, and ends. */
const ran = (Test: string, end: 'pass' | 'fail' | 'skip', said: string, Elapsed = 0.25): string[] => [
  event('run', { Test }),
  event('output', { Test, Output: `=== RUN   ${Test}\n` }),
  event('output', { Test, Output: `    ${said}\n` }),
  event(end, { Test, Elapsed }),
];

function read(lines: readonly string[]): GoTestReport {
  const reader = new GoTestReader();
  for (const line of lines) reader.line(line);
  return reader.report();
}

describe('a whole stream', () => {
  const report = read([
    event('start'),
    ...ran('TestConformance_Fence', 'pass', 'fenced'),
    event('run', { Test: 'TestConformance_List' }),
    ...ran('TestConformance_List/empty_filter', 'pass', 'all of them'),
    ...ran('TestConformance_List/a/b', 'fail', 'got 3 machines, want 4', 1.5),
    event('pause', { Test: 'TestConformance_List' }),
    event('cont', { Test: 'TestConformance_List' }),
    event('fail', { Test: 'TestConformance_List', Elapsed: 2 }),
    ...ran('TestConformance_Spot', 'skip', 'needs Spot machines', 0),
    event('output', { Output: 'FAIL\n' }),
    event('fail', { Elapsed: 3 }),
  ]);

  it('gives every test with its subtests, status and time in milliseconds', () => {
    expect(report.tests.map(({ name, status, elapsed }) => [name, status, elapsed])).toEqual([
      ['TestConformance_Fence', 'passed', 250],
      ['TestConformance_List', 'failed', 2000],
      ['TestConformance_List/empty_filter', 'passed', 250],
      ['TestConformance_List/a/b', 'failed', 1500],
      ['TestConformance_Spot', 'skipped', 0],
    ]);
    expect(report.counts).toEqual({ passed: 2, failed: 2, skipped: 1 });
    expect(report.tests.some(({ unfinished }) => unfinished)).toBe(false);
  });

  it('keeps the words of what failed or was skipped, and none of what passed', () => {
    const words = new Map(report.tests.map(({ name, output }) => [name, output]));
    expect(words.get('TestConformance_List/a/b')).toContain('got 3 machines, want 4');
    expect(words.get('TestConformance_Spot')).toContain('needs Spot machines');
    expect(words.get('TestConformance_Fence')).toBe('');
  });

  it('names the package that failed', () => {
    expect(report.failedPackages).toEqual([{ name: PACKAGE, output: 'FAIL' }]);
  });
});

describe('a stream that tells of trouble', () => {
  it('is a compile failure in events', () => {
    const ImportPath = `${PACKAGE}.test`;
    const report = read([
      event('build-output', { ImportPath, Output: `# ${PACKAGE}\n` }),
      event('build-output', { ImportPath, Output: 'list_test.go:9:2: undefined: dial\n' }),
      event('build-fail', { ImportPath }),
      event('start'),
      event('output', { Output: `FAIL\t${PACKAGE} [build failed]\n` }),
      event('fail', { Elapsed: 0, FailedBuild: ImportPath }),
    ]);
    expect(report.buildFailed).toBe(true);
    expect(report.buildOutput).toEqual([`# ${PACKAGE}`, 'list_test.go:9:2: undefined: dial']);
    expect(report.tests).toEqual([]);
  });

  it('is a compile failure in plain text, as an older Go tells it', () => {
    const report = read([
      `# ${PACKAGE}`,
      'test/conformance/list_test.go:9:2: undefined: dial',
      event('output', { Output: `FAIL\t${PACKAGE} [build failed]\n` }),
      event('fail'),
    ]);
    expect(report.buildFailed).toBe(true);
    expect(report.buildOutput).toContain('test/conformance/list_test.go:9:2: undefined: dial');
  });

  it('is a panic: what ran is unfinished and has failed', () => {
    const report = read([
      ...ran('TestConformance_A', 'pass', 'fine'),
      event('run', { Test: 'TestConformance_B' }),
      event('run', { Test: 'TestConformance_C' }),
      event('output', { Test: 'TestConformance_B', Output: 'panic: runtime error: index out of range\n' }),
      event('output', { Test: 'TestConformance_B', Output: 'goroutine 7 [running]:\n' }),
      event('fail', { Test: 'TestConformance_B', Elapsed: 0.01 }),
      event('fail', { Elapsed: 0.1 }),
    ]);
    expect(report.panic).toBe('panic: runtime error: index out of range');
    expect(report.timedOut).toBe(false);
    expect(report.tests.map(({ status, unfinished }) => [status, unfinished])).toEqual([
      ['passed', false],
      ['failed', false],
      ['failed', true],
    ]);
    expect(report.counts.failed).toBe(2);
  });

  it("is Go's own time limit", () => {
    const report = read([
      event('run', { Test: 'TestConformance_Soak' }),
      event('output', { Test: 'TestConformance_Soak', Output: 'panic: test timed out after 10m0s\n' }),
      event('output', { Test: 'TestConformance_Soak', Output: '\trunning tests:\n' }),
      event('fail', { Elapsed: 600 }),
    ]);
    expect(report.timedOut).toBe(true);
    expect(report.tests[0]).toMatchObject({ status: 'failed', unfinished: true });
  });

  it('was cut short in the middle of a line', () => {
    const whole = [...ran('TestConformance_A', 'pass', 'fine'), event('run', { Test: 'TestConformance_B' })];
    const report = read([...whole, event('pass', { Test: 'TestConformance_B' }).slice(0, 40)]);
    expect(report.counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(report.failedPackages).toEqual([]);
    expect(report.notes).toHaveLength(1);
  });

  it('has a package that never ended', () => {
    expect(read([event('start')]).failedPackages).toEqual([{ name: PACKAGE, output: '' }]);
  });

  it.each([
    [event('output', { Output: 'testing: warning: no tests to run\n' })],
    [event('output', { Output: `?   \t${PACKAGE}\t[no test files]\n` })],
    ['go: warning: "./test/conformance/..." matched no packages'],
  ])('matched nothing: %s', (line) => {
    expect(read([line]).noTests).toBe(true);
  });

  it('keeps a failure when the same test passes later', () => {
    const report = read([
      ...ran('TestConformance_A', 'fail', 'no'),
      ...ran('TestConformance_A', 'pass', 'yes'),
    ]);
    expect(report.counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('goes on past lines that are no events', () => {
    const noise = ['', 'hello', '{', '{}', '[]', 'null', '{"Action":7}', '{"Action":"output","Output":{}}'];
    const report = read(noise.flatMap((line) => [line, ...ran('TestConformance_A', 'pass', 'fine')]));
    expect(report.counts).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(report.notes).toContain('hello');
  });
});

describe('names that a program could stumble over', () => {
  it.each(['__proto__', 'constructor', 'hasOwnProperty', '\u001b[2J', '🦊'])(
    '%j is a test like any other',
    (Test) => {
      expect(read(ran(Test, 'fail', 'no')).tests).toEqual([
        {
          name: Test,
          package: PACKAGE,
          status: 'failed',
          elapsed: 250,
          output: expect.any(String),
          unfinished: false,
        },
      ]);
    },
  );
});

const name = fc.constantFrom('A', 'B', 'C/d', '__proto__');
const someEvent = fc
  .record(
    {
      Action: fc.constantFrom(
        'start',
        'run',
        'pause',
        'output',
        'pass',
        'fail',
        'skip',
        'build-output',
        'build-fail',
        'x',
      ),
      Package: fc.oneof(fc.constantFrom('p', 'q'), fc.string()),
      Test: fc.oneof(name, fc.string()),
      Output: fc.oneof(fc.string(), fc.constantFrom('panic: no\n', 'FAIL\tp [build failed]\n')),
      Elapsed: fc.oneof(fc.double(), fc.string()),
    },
    { requiredKeys: [] },
  )
  .map((fields) => JSON.stringify(fields));
const anyLine = fc.oneof(someEvent, fc.string(), fc.json());

describe('anything at all', () => {
  it('is read without a throw, and told within bounds', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 200 }), fc.nat(60), (lines, cutAt) => {
        const report = read(lines.map((line, i) => (i % 7 === 3 ? line.slice(0, cutAt) : line)));
        const { passed, failed, skipped } = report.counts;
        expect(passed + failed + skipped).toBe(report.tests.length + report.omitted);
        for (const test of report.tests) {
          expect(test.elapsed).toBeGreaterThanOrEqual(0);
          expect(test.output.split('\n').length).toBeLessThanOrEqual(40);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('says the same however often what was kept is asked for', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 50 }), (lines) => {
        const reader = new GoTestReader();
        for (const line of lines) {
          reader.line(line);
          reader.report();
        }
        expect(reader.report()).toEqual(read(lines));
      }),
    );
  });

  it('stays bounded when tests, packages and their words never end', () => {
    const reader = new GoTestReader();
    const Output = `${'x'.repeat(2_000)}\n`;
    for (let i = 0; i < 8_000; i++) {
      const Test = `TestConformance_${i}`;
      const Package = `p${i % 1_000}`;
      reader.line(event('output', { Test, Package, Output }));
      reader.line(event('output', { Test, Package, Output }));
      reader.line(event('output', { Test, Package, Output }));
      reader.line(event('output', { Package, Output }));
      reader.line(Output);
      reader.line(event('fail', { Test, Package }));
    }
    const report = reader.report();
    expect(report.counts.failed).toBe(8_000);
    expect(report.tests).toHaveLength(5_000);
    expect(report.omitted).toBe(3_000);
    expect(JSON.stringify(report).length).toBeLessThan(20_000_000);
  });
});
