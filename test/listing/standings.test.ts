import { describe, expect, it } from 'vitest';
import { firstMet } from '../../model/state.js';
import { StandingsTracker } from '../../src/engine/standings.js';
import type { Tenant } from '../../src/engine/tenant.js';
import { acked, create, LOST, rejected } from '../model/build.js';
import { machine } from './support.js';

function tracked(phase: 'IDLE' | 'CREATING' = 'IDLE') {
  const tenant: Tenant = { id: 'm', belief: [firstMet(phase)] };
  return { tenant, tracker: new StandingsTracker([tenant]) };
}
const OK = acked('op', 'CREATING', { id: 'm' });

describe('what is known of an own machine', () => {
  it('begins at rest and unseen', () => {
    expect(tracked().tracker.now().get('m')).toEqual({ effects: 0, touches: 0, resting: true, record: null });
  });

  it('counts an accepted call as a change, and forgets the record', () => {
    const { tenant, tracker } = tracked();
    tracker.seen(machine('m'));
    expect(tracker.now().get('m')?.record).not.toBeNull();
    tracker.called(tenant, 'accept', OK);
    expect(tracker.now().get('m')).toMatchObject({ effects: 1, touches: 1, record: null });
    expect(tracker.latest).toBe('m');
  });

  it('counts a repeated call and a refused one as nothing', () => {
    const { tenant, tracker } = tracked();
    tracker.called(tenant, 'idempotency', OK);
    tracker.called(tenant, 'fence', rejected('FAILED_PRECONDITION'));
    tracker.called(tenant, null, rejected('INTERNAL'));
    expect(tracker.now().get('m')).toMatchObject({ effects: 0, touches: 0 });
    expect(tracker.latest).toBeNull();
  });

  it('counts a lost call, and one that can be explained in two ways, as a possible change', () => {
    const { tenant, tracker } = tracked();
    tracker.called(tenant, null, LOST);
    tracker.called(tenant, null, OK);
    expect(tracker.now().get('m')).toMatchObject({ effects: 0, touches: 2 });
  });

  it('is not at rest while it moves or while a lost call may still take effect', () => {
    expect(tracked('CREATING').tracker.now().get('m')?.resting).toBe(false);
    const { tenant, tracker } = tracked();
    tenant.belief = [{ ...firstMet('IDLE'), pending: [create({ machineId: 'm' })] }];
    expect(tracker.now().get('m')?.resting).toBe(false);
  });

  it('is not what it looked like on its way to where it rests', () => {
    const { tracker } = tracked();
    tracker.seen(machine('m', 'CREATING'));
    expect(tracker.now().get('m')).toMatchObject({ resting: true, record: null });
  });

  it('ignores machines of others', () => {
    const { tracker } = tracked();
    tracker.seen(machine('stranger'));
    tracker.touched('stranger');
    expect([...tracker.now().keys()]).toEqual(['m']);
  });
});
