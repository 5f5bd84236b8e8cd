import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALM, ChaosSyntaxError, parseChaos } from '../../src/chaos/index.js';

describe('parseChaos', () => {
  it('reads every key', () => {
    expect(parseChaos('latency=5..50,jitter=20,reset=0.01,stall=0.005,partition=2s/30s')).toEqual({
      latency: { minMs: 5, maxMs: 50 },
      jitterMs: 20,
      reset: 0.01,
      stall: { chance: 0.005, ms: 1_000 },
      partition: { lengthMs: 2_000, periodMs: 30_000 },
    });
  });

  it.each([
    ['latency=7', { latency: { minMs: 7, maxMs: 7 } }],
    [' jitter = 1s ', { jitterMs: 1_000 }],
    ['stall=1/250ms', { stall: { chance: 1, ms: 250 } }],
    ['partition=0/10s', { partition: null }],
    ['reset=1', { reset: 1 }],
  ])('reads %j and leaves the rest calm', (text, expected) => {
    expect(parseChaos(text)).toEqual({ ...CALM, ...expected });
  });

  it.each([
    ['latncy=5', /unknown chaos "latncy"; did you mean latency\?/],
    ['part=1s/2s', /did you mean partition\?/],
    ['colour=red', /known are latency, jitter, reset, stall, partition/],
    ['__proto__=1', /unknown chaos "__proto__"/],
    ['reset', /expected KEY=VALUE/],
    ['', /expected KEY=VALUE/],
    ['reset=0.1,reset=0.2', /"reset" is given twice/],
    ['reset=1.5', /expected reset=0\.01, a chance from 0 to 1, saw reset="1\.5"/],
    ['reset=-0', /a chance from 0 to 1/],
    ['reset=', /a chance from 0 to 1/],
    ['latency=50..5', /the smaller one first/],
    ['latency=1..2..3', /expected latency=5\.\.50/],
    ['jitter=soon', /expected jitter=20/],
    ['partition=30s/2s', /a length shorter than its period/],
    ['partition=2s', /expected partition=2s\/30s/],
    ['stall=0.1/2s/3s', /expected stall=/],
  ])('refuses %j', (text, message) => {
    expect(() => parseChaos(text)).toThrow(ChaosSyntaxError);
    expect(() => parseChaos(text)).toThrow(message);
  });

  it('answers anything else with one line', () => {
    const word = fc.constantFrom(
      'latency',
      'reset',
      'stall',
      '=',
      ',',
      '..',
      '/',
      '1',
      '0.5',
      's',
      '\n',
      '-',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join('')),
        ),
        (text) => {
          try {
            const { reset, latency } = parseChaos(text);
            expect(reset >= 0 && reset <= 1 && latency.minMs <= latency.maxMs).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(ChaosSyntaxError);
            expect(String(error)).not.toContain('\n');
          }
        },
      ),
    );
  });
});
