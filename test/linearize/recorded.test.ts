/** Verdicts that others gave recorded histories: each must come out the same. */
import { describe, expect, test } from 'vitest';
import { check } from '../../src/engine/linearize.js';
import { keyedRegister, register } from './objects.js';
import {
  etcdHistories,
  keyOfStore,
  RECORDED_ABSENT,
  recordedPresent,
  storeHistories,
  wholeStore,
} from './recorded.js';

describe.runIf(recordedPresent)('recorded histories', () => {
  const verdict = (linearizable: boolean) => (linearizable ? 'explained' : 'violation');
  const etcd = recordedPresent ? etcdHistories() : [];
  const store = recordedPresent ? storeHistories() : [];

  test.each(etcd)('etcd register: $name', ({ linearizable, history }) => {
    expect(check(register, history).kind).toBe(verdict(linearizable));
    expect(check(keyedRegister, history).kind).toBe(verdict(linearizable));
  });

  test.each(store)('store by key: $name', ({ linearizable, history }) => {
    expect(check(keyOfStore, history).kind).toBe(verdict(linearizable));
  });

  test.each(store)('store as one object: $name', ({ linearizable, history }) => {
    const whole = history.map((one) => ({ ...one, partition: 'store' }));
    expect(check(wholeStore, whole).kind).toBe(verdict(linearizable));
  });
});

test('all 56 recorded histories are there', ({ skip }) => {
  skip(!recordedPresent, RECORDED_ABSENT);
  expect([etcdHistories().length, storeHistories().length]).toEqual([52, 4]);
});
