/** What an ack may hold: its snapshot and its operation_id (contract sections 4.4, 4.6 and 6). */
import { describe, expect, it } from 'vitest';
import { LIFECYCLE_STATES } from '../../model/machine.js';
import { acked, configure, configured, create, drain, drained, idle, remove, Walk } from './build.js';

/** The states that the snapshot of an OK may show. */
function statesOf(walk: Walk, call: Parameters<Walk['allows']>[0], id: string): string[] {
  return LIFECYCLE_STATES.filter((state) => walk.allows(call, acked(id, state)));
}

describe('the snapshot of an accepted call', () => {
  it.each([
    ['Create', Walk.from('SPECULATIVE'), create(), ['CREATING', 'IDLE']],
    ['Configure', idle(), configure(), ['CONFIGURING', 'CONFIGURED']],
    ['Drain', configured(), drain(), ['IDLE', 'DRAINING']],
    ['Delete', idle(), remove(), ['SPECULATIVE', 'DELETING']],
  ] as const)('of %s shows it moving, or already there', (_, walk, call, states) => {
    expect(statesOf(walk, call, 'fresh')).toEqual(states);
  });

  it('must be there', () => {
    expect(idle().allows(configure(), acked('f', null))).toBe(false);
    expect(configured().allows(configure(), acked('f', null))).toBe(false);
  });

  it('binds at once', () => {
    expect(idle().allows(configure(), acked('f', 'CONFIGURING', { cluster: '' }))).toBe(false);
    expect(idle().allows(configure(), acked('f', 'CONFIGURING', { shardMetadata: new Map() }))).toBe(false);
    expect(idle().allows(configure(), acked('f', 'CONFIGURED', { shardMetadata: new Map() }))).toBe(false);
  });

  it('is of one instant: a settled Drain shows no binding any more', () => {
    expect(configured().allows(drain(), acked('d', 'IDLE', { cluster: 'cluster-a' }))).toBe(false);
    expect(configured().allows(drain(), acked('d', 'DRAINING', { cluster: '' }))).toBe(false);
  });

  it('is of the machine that was called', () => {
    expect(idle().allows(configure(), acked('f', 'CONFIGURING', { id: 'another' }))).toBe(false);
  });

  it('shows where the machine is from then on', () => {
    const settled = idle().call(configure(), acked('f', 'CONFIGURED'));
    expect(settled.allows(drain(), acked('d', 'DRAINING'))).toBe(true);
    expect(settled.belief.map(({ phase }) => phase)).toEqual(['CONFIGURED']);
  });
});

describe('the snapshot of a repeated call', () => {
  it.each([
    ['Create', idle(), create(), 'c', ['CREATING', 'IDLE']],
    ['Configure', configured(), configure(), 'f', ['CONFIGURING', 'CONFIGURED']],
    ['Drain', drained(), drain(), 'd', ['IDLE', 'DRAINING']],
  ] as const)('of %s may be as old as the operation', (_, walk, call, id, states) => {
    expect(statesOf(walk, call, id)).toEqual(states);
  });

  it('holds the binding that there is, not the one of the repeat', () => {
    const other = configure({ cluster: 'another' });
    expect(configured().allows(other, acked('f', 'CONFIGURED'))).toBe(true);
    expect(configured().allows(other, acked('f', 'CONFIGURED', { cluster: 'another' }))).toBe(false);
    const repeated = configured().call(other, acked('f', 'CONFIGURED'));
    expect(repeated.sees('CONFIGURED').belief).toHaveLength(1);
    expect(() => repeated.sees('CONFIGURED', { cluster: 'another' })).toThrow('not explained');
  });

  it('cannot show an end that was not reached', () => {
    const moving = idle().call(configure(), acked('f', 'CONFIGURING'));
    const arrived = moving.call(configure(), acked('f', 'CONFIGURED'));
    expect(() => arrived.sees('CONFIGURING')).toThrow('not explained');
    const still = moving.call(configure(), acked('f', 'CONFIGURING'));
    expect(still.sees('CONFIGURING').sees('CONFIGURED').belief).toHaveLength(1);
  });
});

describe('the operation_id', () => {
  it.each([
    ['Create', idle(), create(), 'c', 'IDLE'],
    ['Configure', configured(), configure(), 'f', 'CONFIGURED'],
    ['Drain', drained(), drain(), 'd', 'IDLE'],
  ] as const)('of a repeated %s is the same, and no other', (_, walk, call, id, state) => {
    expect(walk.allows(call, acked(id, state))).toBe(true);
    for (const other of ['', 'new', 'c', 'f', 'd'].filter((name) => name !== id)) {
      expect(walk.allows(call, acked(other, state))).toBe(false);
    }
  });

  it('of an accepted call is one that this machine never had, in any life', () => {
    const again = drained().call(remove(), acked('x', 'DELETING')).sees('SPECULATIVE');
    for (const id of ['', 'c', 'f', 'd', 'x'])
      expect(again.allows(create(), acked(id, 'CREATING'))).toBe(false);
    expect(again.allows(create(), acked('c2', 'CREATING'))).toBe(true);
  });
});
