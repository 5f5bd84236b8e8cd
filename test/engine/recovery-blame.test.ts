/** What a breach that is seen after a kill is blamed on. */
import { expect, it } from 'vitest';
import { recoveryBehaviors } from '../../src/engine/recovery-blame.js';

const failed = {
  behaviors: ['B103', 'B105'],
  rule: 'lifecycle',
  aspect: 'state FAILED',
  expected: ['state CONFIGURING', 'state CONFIGURED'],
  observed: 'state FAILED',
} as const;

it('a machine that comes back in another state breaks the inventory', () => {
  expect(recoveryBehaviors(failed, false)).toEqual(['B1004']);
});

it('one that came back as it was and fails at a later Configure breaks what Configure promises', () => {
  expect(recoveryBehaviors(failed, true)).toEqual(['B103', 'B105']);
});

it('a binding that is wrong after the restart is blamed on the restart either way', () => {
  const lost = { ...failed, rule: 'record', aspect: 'metadata' } as const;
  expect(recoveryBehaviors(lost, true)).toEqual(['B1003']);
});
