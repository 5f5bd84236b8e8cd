import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../src/engine/events.js';
import { type TerminalOptions, terminalListener } from '../../src/report/progress.js';
import { HOSTILE, staleCreate } from './runs.js';

/** A run of 400 sequences, five milliseconds and four calls each, on a clock of its own. */
function progress(options: Partial<TerminalOptions>, extra: readonly EngineEvent[] = []): string {
  let now = 0;
  let written = '';
  const listen = terminalListener({
    write: (text) => {
      written += text;
    },
    tty: false,
    color: false,
    columns: 80,
    level: 'normal',
    clock: () => now,
    ...options,
  });
  listen({ type: 'run-started', seed: 42, target: '127.0.0.1:9000', sequences: 400 });
  listen({ type: 'provider-found', machines: 256, capabilities: { delete: true, sinceRevision: false } });
  listen({ type: 'lane-started', lane: 'generated', planned: 400 });
  for (let i = 1; i <= 400; i++) {
    now += 50;
    listen({ type: 'sequence-done', property: 'token-stream', calls: 4 });
    if (i === 120) for (const event of extra) listen(event);
  }
  listen({ type: 'lane-finished', lane: 'generated' });
  return written;
}

const seen: readonly EngineEvent[] = [
  { type: 'violation-seen', behavior: 'B303', property: 'token-stream', observed: HOSTILE },
  { type: 'violation', violation: staleCreate() },
];

describe('progress', () => {
  it('is a plain line for every tenth where there is no terminal', () => {
    expect(progress({}, seen)).toMatchSnapshot();
  });

  it('rewrites one line on a terminal, at most ten times a second and within its width', () => {
    const text = progress({ tty: true }, seen);
    const drawn = text.split('\r\u001b[2K').slice(1);
    expect(drawn.length).toBeLessThan(220);
    const changing = drawn.filter((line) => line.startsWith('generated ')).map((line) => line.split('\n')[0]);
    expect(Math.max(...changing.map((line) => line?.length ?? 0))).toBeLessThan(80);
    expect(drawn).toContain('generated 80 of 400 (20%)  80 calls/s  16 s left  0 violations  token-stream');
    expect(text.endsWith('generated: 400 sequences, 1,600 calls in 20.0 s\n')).toBe(true);
  });

  it('counts violations and tells each on a line of its own', () => {
    const text = progress({ tty: true }, seen);
    expect(text).toContain('violation of B303, found by token-stream: saw \\x1b[2J');
    expect(text).toContain('  B303: 14 steps shrunk to 2, saved in seeds/B303-0123456789.json\n');
    expect(text).toContain('1 violation ');
  });

  it('says nothing when quiet', () => {
    expect(progress({ level: 'quiet' }, seen)).toBe('');
  });

  it('tells saved counterexamples that still fail, and fixed ones only when verbose', () => {
    const replayed = (result: 'FIXED' | 'STILL FAILS'): EngineEvent => ({
      type: 'corpus-replayed',
      result: { file: `seeds/${result.length}.json`, behavior: 'B303', result, detail: '' },
    });
    expect(progress({}, [replayed('FIXED')])).not.toContain('FIXED');
    expect(progress({ level: 'verbose' }, [replayed('FIXED')])).toContain('FIXED seeds/5.json\n');
    expect(progress({}, [replayed('STILL FAILS')])).toContain('STILL FAILS seeds/11.json\n');
  });
});
