import { describe, expect, it } from 'vitest';
import { MUTATIONS, type Mutation } from '../../model/call.js';
import { type Standing, standingOf } from '../../model/codes.js';
import {
  LIFECYCLE_STATES,
  lifecycleDiagram,
  next,
  STABLE_STATES,
  TRANSITIONAL_STATES,
} from '../../model/machine.js';
import type { Phase } from '../../model/state.js';

describe('the lifecycle', () => {
  it('has four legal edges, and a way to FAILED from every state that passes', () => {
    const edges = LIFECYCLE_STATES.flatMap((state) =>
      [...MUTATIONS, 'settle', 'fail'].flatMap((event) => {
        const target = next(state, event as Mutation);
        return target === undefined ? [] : [`${state} ${event} ${target}`];
      }),
    );
    expect(edges.sort()).toEqual(
      [
        'SPECULATIVE Create CREATING',
        'CREATING settle IDLE',
        'IDLE Configure CONFIGURING',
        'CONFIGURING settle CONFIGURED',
        'CONFIGURED Drain DRAINING',
        'DRAINING settle IDLE',
        'IDLE Delete DELETING',
        'DELETING settle SPECULATIVE',
        'CREATING fail FAILED',
        'CONFIGURING fail FAILED',
        'DRAINING fail FAILED',
        'DELETING fail FAILED',
      ].sort(),
    );
  });

  it('parts its states into those that rest, those that pass, and FAILED', () => {
    expect([...STABLE_STATES, ...TRANSITIONAL_STATES, 'FAILED'].sort()).toEqual([...LIFECYCLE_STATES].sort());
    expect(STABLE_STATES).toEqual(['SPECULATIVE', 'IDLE', 'CONFIGURED']);
  });

  it('is drawn with every edge', () => {
    expect(lifecycleDiagram().match(/-->/g)).toHaveLength(13);
  });
});

/** By phase and what led there: the standing of Create, Configure, Drain and Delete. */
type Row = readonly [Phase, Mutation | null, Standing, Standing, Standing, Standing];
const TABLE: readonly Row[] = [
  ['ABSENT', null, 'unknown', 'unknown', 'unknown', 'unknown'],
  ['SPECULATIVE', null, 'accept', 'misplaced', 'misplaced', 'deleted'],
  ['SPECULATIVE', 'Delete', 'accept', 'misplaced', 'misplaced', 'deleted'],
  ['CREATING', null, 'unled', 'misplaced', 'unled', 'misplaced'],
  ['CREATING', 'Create', 'repeat', 'misplaced', 'shared', 'misplaced'],
  ['IDLE', null, 'unled', 'accept', 'unled', 'accept'],
  ['IDLE', 'Create', 'repeat', 'accept', 'shared', 'accept'],
  ['IDLE', 'Drain', 'shared', 'accept', 'repeat', 'accept'],
  ['CONFIGURING', null, 'misplaced', 'unled', 'misplaced', 'misplaced'],
  ['CONFIGURING', 'Configure', 'misplaced', 'repeat', 'misplaced', 'misplaced'],
  ['CONFIGURED', null, 'misplaced', 'unled', 'accept', 'misplaced'],
  ['CONFIGURED', 'Configure', 'misplaced', 'repeat', 'accept', 'misplaced'],
  ['DRAINING', null, 'unled', 'misplaced', 'unled', 'misplaced'],
  ['DRAINING', 'Drain', 'shared', 'misplaced', 'repeat', 'misplaced'],
  ['DELETING', null, 'misplaced', 'misplaced', 'misplaced', 'unled'],
  ['DELETING', 'Delete', 'misplaced', 'misplaced', 'misplaced', 'repeat'],
  ['FAILED', null, 'terminal', 'terminal', 'terminal', 'terminal'],
];

describe('the standing of a call', () => {
  it.each(TABLE)('in %s, led by %s', (phase, leader, ...standings) => {
    expect(MUTATIONS.map((call) => standingOf(call, phase, leader))).toEqual(standings);
  });
});
