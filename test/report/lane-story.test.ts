/** What a lane found over many calls has no steps; its story must not promise any. */
import { expect, it } from 'vitest';
import { Findings } from '../../src/engine/findings.js';
import { LaneFindings } from '../../src/lanes/lane.js';
import { storyOf } from '../../src/report/story.js';
import { counterexampleOf } from '../../src/report/tell-violation.js';

it('says that there is no single sequence, and claims no re-run', () => {
  const findings = new Findings();
  const lane = new LaneFindings(findings, () => undefined);
  lane.breach(
    { name: 'scale-latency', decides: ['B1106'] },
    { behaviors: ['B1106'], rule: 'read', aspect: 'p99 Get', expected: ['250 ms'], observed: '300 ms' },
  );
  const [violation] = findings.violations;
  if (violation === undefined) throw new Error('the breach was not reported');
  const { intro, steps, facts } = storyOf(counterexampleOf(violation, 1, ''));
  expect(steps).toEqual([]);
  expect(intro).toBe('It shows over the whole lane, in no single sequence of steps.');
  expect(facts.find(({ label }) => label === 'Reproduced')?.text).toBe('it was not run again');
});
