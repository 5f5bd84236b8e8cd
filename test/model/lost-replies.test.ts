/** Contract section 6: a call whose reply was lost may take effect at any later time, or never. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ack, MutationCall, Outcome } from '../../model/call.js';
import { close, effects } from '../../model/contract.js';
import { possibilities } from '../../model/possibilities.js';
import { settled } from '../../model/state.js';
import {
  acked,
  configure,
  configured,
  create,
  drain,
  idle,
  LOST,
  PLAIN,
  rejected,
  remove,
  shown,
  token,
  Walk,
} from './build.js';

const phasesOf = (walk: Walk) => new Set(close(walk.belief, PLAIN).map(({ phase }) => phase));

describe('a lost reply', () => {
  it('widens the belief, and what is seen narrows it again', () => {
    const lost = idle().call(configure(), LOST);
    expect(phasesOf(lost)).toEqual(new Set(['IDLE', 'CONFIGURING', 'CONFIGURED']));
    expect(phasesOf(lost.sees('CONFIGURED'))).toEqual(new Set(['CONFIGURED']));
    expect(lost.allowsGet(shown('DRAINING'))).toBe(false);
    expect(lost.allowsGet(shown('CONFIGURED', { cluster: 'another' }))).toBe(false);
  });

  it('may still take effect after reads that do not show it', () => {
    const waiting = idle().call(configure(), LOST).sees('IDLE').sees('IDLE');
    expect(waiting.allowsGet(shown('IDLE'))).toBe(true);
    expect(waiting.allowsGet(shown('CONFIGURING'))).toBe(true);
  });

  it('takes effect once: what it did is not done again', () => {
    const done = idle()
      .call(configure(), LOST)
      .sees('CONFIGURED')
      .call(drain(), acked('d', 'DRAINING'))
      .sees('IDLE');
    expect(done.allowsGet(shown('CONFIGURED'))).toBe(false);
  });

  it('sent twice and lost twice may take effect twice', () => {
    const call = drain();
    const both = configured().call(call, LOST).call(call, LOST).sees('IDLE');
    const again = both.call(configure(), acked('f2', 'CONFIGURING'));
    expect(again.allowsGet(shown('CONFIGURED'))).toBe(true);
    expect(again.sees('CONFIGURED').allowsGet(shown('DRAINING'))).toBe(true);
    const third = again.sees('CONFIGURED').sees('IDLE').call(configure(), acked('f3', 'CONFIGURING'));
    expect(third.sees('CONFIGURED').allowsGet(shown('DRAINING'))).toBe(false);
  });

  it('of a call out of place may become one in place', () => {
    const early = Walk.from('SPECULATIVE').call(configure(), LOST).call(create(), acked('c', 'CREATING'));
    expect(early.allowsGet(shown('CONFIGURING'))).toBe(true);
    const judged = Walk.from('SPECULATIVE')
      .call(configure(), rejected('INTERNAL'))
      .call(create(), acked('c', 'CREATING'));
    expect(judged.allowsGet(shown('CONFIGURING'))).toBe(false);
  });

  it('is over once a newer token of its shard was accepted', () => {
    const lost = configured().call(drain({ token: token(1n, 1n) }), LOST);
    const fencedOut = lost.call(create({ token: token(1n, 2n) }), rejected('INTERNAL')).sees('CONFIGURED');
    expect(fencedOut.belief.every(({ pending }) => pending.length === 0)).toBe(true);
    expect(fencedOut.allowsGet(shown('DRAINING'))).toBe(false);
  });

  it('stays open when another shard’s token, or an older one, was accepted', () => {
    const lost = configured().call(drain({ token: token(1n, 5n) }), LOST);
    const sent = [token(9n, 9n, 'another'), token(1n, 4n)];
    for (const other of sent) {
      const open = lost.call(create({ token: other }), rejected('INTERNAL')).sees('CONFIGURED');
      expect(open.allowsGet(shown('DRAINING'))).toBe(true);
    }
  });

  it('stays open for ever without a token', () => {
    const lost = configured()
      .call(drain(), LOST)
      .call(create({ token: token(9n, 9n) }), rejected('INTERNAL'))
      .sees('CONFIGURED');
    expect(lost.allowsGet(shown('IDLE'))).toBe(true);
  });

  it('leaves a retry with the same token two answers, which tell what happened', () => {
    const call = configure({ token: token(1n, 1n) });
    const lost = idle().call(call, LOST);
    const happened = lost.call(call, rejected('FAILED_PRECONDITION'));
    expect(phasesOf(happened)).toEqual(new Set(['CONFIGURING', 'CONFIGURED']));
    const first = lost.call(call, acked('f', 'CONFIGURING'));
    expect(phasesOf(first)).toEqual(new Set(['CONFIGURING', 'CONFIGURED']));
    expect(lost.allows(call, rejected('INTERNAL'))).toBe(false);
  });

  it('of a read says nothing', () => {
    expect(idle().allowsGet(LOST)).toBe(true);
  });
});

describe('an operation_id whose reply was lost', () => {
  it('is learnt from the first repeat, and from then on it is that one', () => {
    const learnt = idle()
      .call(configure(), LOST)
      .sees('CONFIGURED')
      .call(configure(), acked('f', 'CONFIGURED'));
    expect(learnt.allows(configure(), acked('f', 'CONFIGURED'))).toBe(true);
    expect(learnt.allows(configure(), acked('g', 'CONFIGURED'))).toBe(false);
  });

  it('is not one that is known to be another operation’s', () => {
    const lost = idle().call(configure(), LOST).sees('CONFIGURED');
    expect(lost.allows(configure(), acked('c', 'CONFIGURED'))).toBe(false);
    expect(lost.allows(configure(), acked('', 'CONFIGURED'))).toBe(false);
  });

  it('may be named by a no-op of the other kind', () => {
    const lost = configured().call(drain(), LOST).sees('IDLE');
    for (const id of ['c', 'unseen']) expect(lost.allows(create(), acked(id, 'IDLE'))).toBe(true);
    expect(lost.allows(create(), acked('f', 'IDLE'))).toBe(false);
  });

  it('a fresh one must be none of this machine’s', () => {
    const walk = configured();
    for (const id of ['c', 'f', '']) expect(walk.allows(drain(), acked(id, 'DRAINING'))).toBe(false);
    expect(walk.allows(drain(), acked('d', 'DRAINING'))).toBe(true);
  });
});

describe('the belief after lost replies', () => {
  const calls = fc.constantFrom(create(), configure(), drain(), remove());

  /** An honest provider that loses some replies and carries the calls out at once, later, or never. */
  it('always holds what an honest provider does', () => {
    const step = fc.record({ call: calls, lose: fc.boolean(), late: fc.boolean(), settle: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        let [truth] = Walk.from('SPECULATIVE').belief;
        let walk = Walk.from('SPECULATIVE');
        let minted = 0;
        let late: MutationCall[] = [];
        const carryOut = (call: MutationCall): Outcome<Ack> => {
          const [answer] = truth === undefined ? [] : possibilities(truth, call, PLAIN);
          if (answer === undefined) return expect.fail('every call has an answer');
          truth = answer.next;
          if (answer.expect.kind !== 'ack') return rejected('INTERNAL');
          if (answer.expect.operation === 'fresh' && truth.operations) {
            minted += 1;
            truth = { ...truth, operations: { ...truth.operations, id: `op-${minted}` } };
          }
          const named = answer.expect.operation;
          const id = Array.isArray(named) ? named.at(-1) : named === 'fresh' ? `op-${minted}` : 'any';
          return truth.phase === 'ABSENT' ? expect.fail('no machine') : acked(id ?? 'none', truth.phase);
        };
        for (const { call, lose, late: delayed, settle } of steps) {
          if (lose && delayed) late.push(call);
          const outcome = lose && delayed ? LOST : carryOut(call);
          walk = walk.call(call, lose ? LOST : outcome);
          if (settle && truth) truth = settled(truth);
          for (const arriving of late) carryOut(arriving);
          late = [];
          if (truth && truth.phase !== 'ABSENT') walk = walk.sees(truth.phase);
        }
        expect(phasesOf(walk)).toContain(truth?.phase);
      }),
    );
  });

  it('has, for one lost call, the states that its effects lead to', () => {
    const [state] = idle().belief;
    const reached = state ? effects(state, configure(), PLAIN) : [];
    expect(reached.map(({ phase }) => phase)).toEqual(['CONFIGURING']);
  });
});
