/** Contract section 9, first table: everything that it allows is explained, and what it rules out is not. */
import { describe, expect, it } from 'vitest';
import type { RejectionCode } from '../../model/call.js';
import { REJECTION_CODES } from '../../model/call.js';
import {
  acked,
  CLUSTER,
  configure,
  configured,
  create,
  drain,
  drained,
  FAULTS,
  idle,
  NO_DELETE,
  record,
  rejected,
  remove,
  token,
  Walk,
} from './build.js';

const NOT_THE_FENCE = REJECTION_CODES.filter((code) => code !== 'FAILED_PRECONDITION');

/** The codes with which `call` may be rejected. */
function codesOf(walk: Walk, call: Parameters<Walk['allows']>[0]): RejectionCode[] {
  return REJECTION_CODES.filter((code) => walk.allows(call, rejected(code)));
}

describe('A1: a target that nobody knows the way to', () => {
  const rows = [
    ['Create on IDLE', 'IDLE', create(), 'IDLE'],
    ['Drain on IDLE', 'IDLE', drain(), 'IDLE'],
    ['Configure on CONFIGURED', 'CONFIGURED', configure(), 'CONFIGURED'],
    ['Delete on DELETING', 'DELETING', remove(), 'DELETING'],
    ['Drain on DRAINING', 'DRAINING', drain(), 'DRAINING'],
  ] as const;

  it.each(rows)('%s is a no-op or a non-fencing rejection', (_, phase, call, shown) => {
    const walk = Walk.from(phase, false);
    expect(walk.allows(call, acked('whatever', shown))).toBe(true);
    expect(codesOf(walk, call)).toEqual(NOT_THE_FENCE);
    expect(walk.allows(call, acked('', shown))).toBe(false);
  });

  it('the machine stays where it is', () => {
    const noOp = Walk.from('CONFIGURED', false).call(configure(), acked('whatever', 'CONFIGURED'));
    expect(noOp.allowsGet({ kind: 'ok', reply: record('CONFIGURING') })).toBe(false);
    const refused = Walk.from('IDLE', false).call(drain(), rejected('INTERNAL'));
    expect(refused.allowsGet({ kind: 'ok', reply: record('DRAINING') })).toBe(false);
  });

  it('a machine whose history is known has no such freedom', () => {
    expect(codesOf(configured(), configure())).toEqual([]);
    expect(configured().allows(configure(), acked('another', 'CONFIGURED'))).toBe(false);
  });
});

describe('A2: Create and Drain both lead to IDLE', () => {
  it('Create after a Drain answers with the operation of the Create or of the Drain', () => {
    const walk = drained();
    expect(walk.allows(create(), acked('c', 'IDLE'))).toBe(true);
    expect(walk.allows(create(), acked('d', 'IDLE'))).toBe(true);
    expect(walk.allows(create(), acked('f', 'IDLE'))).toBe(false);
    expect(walk.allows(create(), acked('new', 'IDLE'))).toBe(false);
    expect(codesOf(walk, create())).toEqual([]);
  });

  it('Create after a Drain answers with any earlier Create of this machine', () => {
    const again = drained()
      .call(remove(), acked('x', 'DELETING'))
      .sees('SPECULATIVE')
      .call(create(), acked('c2', 'CREATING'))
      .sees('IDLE')
      .call(configure(), acked('f2', 'CONFIGURING'))
      .sees('CONFIGURED')
      .call(drain(), acked('d2', 'DRAINING'))
      .sees('IDLE');
    for (const id of ['c', 'c2', 'd2']) expect(again.allows(create(), acked(id, 'IDLE'))).toBe(true);
    for (const id of ['d', 'x', 'f2', 'new']) expect(again.allows(create(), acked(id, 'IDLE'))).toBe(false);
  });

  it('Drain on an IDLE that a Create led to is that no-op, or a non-fencing rejection', () => {
    expect(idle().allows(drain(), acked('c', 'IDLE'))).toBe(true);
    expect(idle().allows(drain(), acked('new', 'IDLE'))).toBe(false);
    expect(codesOf(idle(), drain())).toEqual(NOT_THE_FENCE);
  });

  it('Drain may name a Drain of an earlier life', () => {
    const again = drained()
      .call(remove(), acked('x', 'DELETING'))
      .sees('SPECULATIVE')
      .call(create(), acked('c2', 'CREATING'))
      .sees('IDLE');
    for (const id of ['d', 'c2']) expect(again.allows(drain(), acked(id, 'IDLE'))).toBe(true);
    for (const id of ['c', 'f', 'new']) expect(again.allows(drain(), acked(id, 'IDLE'))).toBe(false);
  });

  it('Drain may name a Drain from before the model looked', () => {
    const created = Walk.from('SPECULATIVE', false).call(create(), acked('c', 'CREATING')).sees('IDLE');
    expect(created.allows(drain(), acked('of-an-earlier-client', 'IDLE'))).toBe(true);
    expect(created.allows(drain(), acked('', 'IDLE'))).toBe(false);
  });

  it('while the machine still moves there, either call is either', () => {
    const creating = Walk.from('SPECULATIVE').call(create(), acked('c', 'CREATING'));
    expect(creating.allows(drain(), acked('c', 'CREATING'))).toBe(true);
    expect(creating.allows(drain(), rejected('INTERNAL'))).toBe(true);
    expect(creating.allows(drain(), acked('new', 'DRAINING'))).toBe(false);
    const draining = configured().call(drain(), acked('d', 'DRAINING'));
    expect(draining.allows(create(), acked('d', 'DRAINING'))).toBe(true);
    expect(draining.allows(create(), acked('c', 'DRAINING'))).toBe(true);
    expect(draining.allows(create(), rejected('INTERNAL'))).toBe(true);
    expect(draining.allows(create(), acked('new', 'DRAINING'))).toBe(false);
  });

  it('never has an effect', () => {
    const walk = drained().call(create(), acked('c', 'IDLE'));
    expect(walk.allowsGet({ kind: 'ok', reply: record('CREATING') })).toBe(false);
    expect(walk.allowsGet({ kind: 'ok', reply: record('IDLE') })).toBe(true);
  });
});

describe('A3: Delete on SPECULATIVE', () => {
  const deleted = idle().call(remove(), acked('x', 'DELETING')).sees('SPECULATIVE');

  it('is a rejection, UNIMPLEMENTED or a no-op', () => {
    for (const walk of [Walk.from('SPECULATIVE'), Walk.from('SPECULATIVE', false), deleted]) {
      expect(codesOf(walk, remove())).toEqual(NOT_THE_FENCE);
      expect(walk.allows(remove(), acked('x', 'SPECULATIVE'))).toBe(true);
    }
  });

  it('needs an operation_id only where a Delete led here', () => {
    expect(Walk.from('SPECULATIVE').allows(remove(), acked('', 'SPECULATIVE'))).toBe(true);
    expect(deleted.allows(remove(), acked('', 'SPECULATIVE'))).toBe(false);
  });

  it('is the no-op of the Delete that led here, where there was one', () => {
    expect(deleted.allows(remove(), acked('another', 'SPECULATIVE'))).toBe(false);
  });
});

describe('A4: a token without a shard', () => {
  const sent = token(1n, 5n, '');

  it.each([
    ['fenced', rejected('FAILED_PRECONDITION')],
    ['unfenced', acked('c', 'CREATING')],
    ['refused', rejected('INVALID_ARGUMENT')],
  ])('may be %s by a provider that others have used', (_, reply) => {
    expect(Walk.from('SPECULATIVE', false).allows(create({ token: sent }), reply)).toBe(true);
  });

  it('cannot be stale where nobody called before', () => {
    expect(Walk.from('SPECULATIVE').allows(create({ token: sent }), rejected('FAILED_PRECONDITION'))).toBe(
      false,
    );
  });

  it('may be stale, or no token at all, once one like it was accepted', () => {
    const walk = Walk.from('SPECULATIVE')
      .call(create({ token: sent }), acked('c', 'CREATING'))
      .sees('IDLE');
    expect(walk.allows(configure({ token: sent }), rejected('FAILED_PRECONDITION'))).toBe(true);
    expect(walk.allows(configure({ token: sent }), acked('f', 'CONFIGURING'))).toBe(true);
    expect(walk.allows(configure({ token: sent }), rejected('INTERNAL'))).toBe(false);
  });

  it('is read in one way only, once the provider has shown which', () => {
    const fencing = Walk.from('SPECULATIVE')
      .call(create({ token: sent }), acked('c', 'CREATING'))
      .sees('IDLE')
      .call(configure({ token: sent }), rejected('FAILED_PRECONDITION'));
    expect(fencing.allows(configure({ token: token(1n, 6n, '') }), rejected('FAILED_PRECONDITION'))).toBe(
      false,
    );
    expect(fencing.allows(configure({ token: token(1n, 6n, '') }), acked('f', 'CONFIGURING'))).toBe(true);
  });

  it('never fences a call without any token', () => {
    const walk = Walk.from('SPECULATIVE', false)
      .call(create({ token: sent }), acked('c', 'CREATING'))
      .sees('IDLE');
    expect(walk.allows(configure(), rejected('FAILED_PRECONDITION'))).toBe(false);
  });
});

describe('A5: a shape defect and a stale token', () => {
  const walk = configured().call(create({ token: token(5n, 5n) }), rejected('INTERNAL'));
  const cases = [
    ['negative grace', drain({ token: token(5n, 5n), grace: -1n })],
    ['negative sequence', drain({ token: token(5n, -1n) })],
    ['negative epoch', drain({ token: token(-1n, 9n) })],
  ] as const;

  it.each(cases)('%s: INVALID_ARGUMENT or FAILED_PRECONDITION', (_, call) => {
    expect(codesOf(walk, call)).toEqual(['INVALID_ARGUMENT', 'FAILED_PRECONDITION']);
  });

  it('a fresh token does not excuse the fence’s code', () => {
    expect(walk.allows(drain({ token: token(5n, 6n), grace: -1n }), rejected('FAILED_PRECONDITION'))).toBe(
      false,
    );
    expect(walk.allows(drain({ token: token(-1n, 1n, 'another') }), rejected('FAILED_PRECONDITION'))).toBe(
      false,
    );
    expect(walk.allows(drain({ grace: -1n }), rejected('FAILED_PRECONDITION'))).toBe(false);
  });
});

describe('A6: the mark of a call that was refused before the fence', () => {
  const sent = token(2n, 2n);

  it.each([
    ['shape', configured().call(drain({ token: sent, grace: -1n }), rejected('INVALID_ARGUMENT'))],
    ['UNIMPLEMENTED', configured(NO_DELETE).call(remove({ token: sent }), rejected('UNIMPLEMENTED'))],
  ])('%s: may have moved or not', (_, walk) => {
    expect(walk.allows(drain({ token: sent }), rejected('FAILED_PRECONDITION'))).toBe(true);
    expect(walk.allows(drain({ token: sent }), acked('d', 'DRAINING'))).toBe(true);
    expect(walk.allows(drain({ token: token(2n, 3n) }), rejected('FAILED_PRECONDITION'))).toBe(false);
  });

  it('is known once the provider has shown it', () => {
    const moved = configured()
      .call(drain({ token: sent, grace: -1n }), rejected('INVALID_ARGUMENT'))
      .call(drain({ token: sent }), rejected('FAILED_PRECONDITION'));
    expect(moved.allows(drain({ token: sent }), acked('d', 'DRAINING'))).toBe(false);
  });

  it('a provider without Delete answers UNIMPLEMENTED, or looks at shape and fence first', () => {
    const walk = configured(NO_DELETE).call(create({ token: token(5n, 5n) }), rejected('INTERNAL'));
    expect(codesOf(walk, remove())).toEqual(['UNIMPLEMENTED']);
    expect(codesOf(walk, remove({ token: token(5n, 6n) }))).toEqual(['UNIMPLEMENTED']);
    expect(codesOf(walk, remove({ token: token(5n, 5n) }))).toEqual(['FAILED_PRECONDITION', 'UNIMPLEMENTED']);
    expect(codesOf(walk, remove({ token: token(-1n, 1n, 'b') }))).toEqual([
      'INVALID_ARGUMENT',
      'UNIMPLEMENTED',
    ]);
    expect(codesOf(walk, remove({ token: token(0n, 1n, '') }))).toEqual([
      'INVALID_ARGUMENT',
      'UNIMPLEMENTED',
    ]);
    const nameless = new Walk(Walk.from('ABSENT').belief, NO_DELETE);
    expect(codesOf(nameless, remove({ machineId: '' }))).toEqual(['INVALID_ARGUMENT', 'UNIMPLEMENTED']);
    expect(walk.allows(remove(), acked('x', 'DELETING'))).toBe(false);
  });
});

describe('A7: a call in the wrong place', () => {
  it.each([
    ['Create on CONFIGURED', configured(), create()],
    ['Configure on SPECULATIVE', Walk.from('SPECULATIVE'), configure()],
    ['Drain on SPECULATIVE', Walk.from('SPECULATIVE'), drain()],
    ['Delete on CONFIGURED', configured(), remove()],
    ['anything on FAILED', Walk.from('FAILED'), create()],
  ])('%s: any code but OK and FAILED_PRECONDITION', (_, walk, call) => {
    expect(codesOf(walk, call)).toEqual(NOT_THE_FENCE);
    expect(walk.allows(call, acked('new', 'CREATING'))).toBe(false);
    expect(walk.allows(call, acked('c', 'CONFIGURED'))).toBe(false);
  });
});

describe('A8: oversized requests', () => {
  const large = new Map(Array.from({ length: 56 }, (_, i) => [`key-${i}`, 'value'] as const));
  const long = new Map([['key', 'x'.repeat(4097)]]);
  const blob = new Uint8Array(16_385);

  it.each([
    ['many keys', { metadata: large }],
    ['a long value', { metadata: long }],
    ['a long blob', { blob }],
  ])('%s: taken whole, INVALID_ARGUMENT or RESOURCE_EXHAUSTED', (_, over) => {
    const call = configure(over);
    expect(codesOf(idle(), call)).toEqual(['INVALID_ARGUMENT', 'RESOURCE_EXHAUSTED']);
    const shardMetadata = call.metadata;
    expect(idle().allows(call, acked('f', 'CONFIGURING', { shardMetadata }))).toBe(true);
    const refused = idle().call(call, rejected('INVALID_ARGUMENT'));
    expect(refused.allowsGet({ kind: 'ok', reply: record('CONFIGURING', { shardMetadata }) })).toBe(false);
  });

  it('nothing partial', () => {
    const walk = idle().call(
      configure({ metadata: large }),
      acked('f', 'CONFIGURING', { shardMetadata: large }),
    );
    const part = new Map([...large].slice(0, 50));
    expect(walk.allowsGet({ kind: 'ok', reply: record('CONFIGURED', { shardMetadata: part }) })).toBe(false);
  });

  it.each([
    ['55 keys', { metadata: new Map([...large].slice(0, 55)) }],
    ['4096 bytes', { metadata: new Map([['key', 'x'.repeat(4093)]]) }],
    ['4096 bytes in two-byte characters', { metadata: new Map([['key!', 'é'.repeat(2046)]]) }],
    ['16 KiB of blob', { blob: blob.slice(1) }],
  ])('%s are not oversized', (_, over) => {
    expect(codesOf(idle(), configure(over))).toEqual([]);
  });

  it('may move the mark or not when refused', () => {
    const sent = token(1n, 1n);
    const walk = idle().call(configure({ blob, token: sent }), rejected('RESOURCE_EXHAUSTED'));
    expect(walk.allows(configure({ token: sent }), rejected('FAILED_PRECONDITION'))).toBe(true);
    expect(walk.allows(configure({ token: sent }), acked('f', 'CONFIGURING'))).toBe(true);
  });
});

describe('A10: Configure without cluster or blob', () => {
  const bare = new Uint8Array(0);

  it.each([
    ['cluster', configure({ cluster: '' }), { cluster: '' }],
    ['blob', configure({ blob: bare }), { cluster: CLUSTER }],
  ])('without %s: accepted, or refused with any code but the fence’s', (_, call, shown) => {
    expect(codesOf(idle(), call)).toEqual(NOT_THE_FENCE);
    const accepted = idle().call(call, acked('f', 'CONFIGURING', shown));
    expect(accepted.allowsGet({ kind: 'ok', reply: record('CONFIGURED', shown) })).toBe(true);
  });

  it('may come to nothing, because a provider may need what was left out', () => {
    const accepted = idle().call(configure({ blob: bare }), acked('f', 'CONFIGURING'));
    expect(accepted.allowsGet({ kind: 'ok', reply: record('FAILED') })).toBe(true);
    const complete = idle().call(configure(), acked('f', 'CONFIGURING'));
    expect(complete.allowsGet({ kind: 'ok', reply: record('FAILED') })).toBe(false);
  });

  it('may move the mark or not when refused', () => {
    const sent = token(1n, 1n);
    const walk = idle().call(configure({ blob: bare, token: sent }), rejected('INVALID_ARGUMENT'));
    expect(walk.allows(configure({ token: sent }), rejected('FAILED_PRECONDITION'))).toBe(true);
    expect(walk.allows(configure({ token: sent }), acked('f', 'CONFIGURING'))).toBe(true);
  });
});

describe('A11: what a provider may refresh by itself', () => {
  it('is not compared with what it showed before', () => {
    const refreshed = {
      pricePerHour: 9,
      interruptionProbability: 0.5,
      labels: new Map([['rack', '7']]),
      resources: new Map([['cpu', '2']]),
      allocatable: new Map([['cpu', '64']]),
    };
    expect(configured().allowsGet({ kind: 'ok', reply: record('CONFIGURED', refreshed) })).toBe(true);
  });

  it('is still held against its own bounds', () => {
    const broken = { kind: 'ok', reply: record('CONFIGURED', { pricePerHour: Number.NaN }) } as const;
    expect(configured().allowsGet(broken)).toBe(false);
  });
});

describe('the fault selectors', () => {
  const fails = ['fault-error', 'fault-timeout', 'fault-slow-ok', 'fault-readiness-block'];

  it.each(fails)('%s ends in FAILED and never in CONFIGURED', (cluster) => {
    const walk = idle(FAULTS).call(configure({ cluster }), acked('f', 'CONFIGURING', { cluster }));
    expect(walk.allowsGet({ kind: 'ok', reply: record('FAILED') })).toBe(true);
    expect(walk.allowsGet({ kind: 'ok', reply: record('CONFIGURED', { cluster }) })).toBe(false);
    const failed = walk.sees('FAILED');
    expect(failed.allowsGet({ kind: 'ok', reply: record('FAILED', { lastError: 'another' }) })).toBe(false);
    expect(codesOf(failed, drain())).toEqual(NOT_THE_FENCE);
  });

  it('fault-drain-error configures, and its Drain may fail', () => {
    const cluster = 'fault-drain-error';
    const walk = idle(FAULTS)
      .call(configure({ cluster }), acked('f', 'CONFIGURING', { cluster }))
      .sees('CONFIGURED', { cluster })
      .call(drain(), acked('d', 'DRAINING', { cluster }));
    expect(walk.allowsGet({ kind: 'ok', reply: record('FAILED') })).toBe(true);
    expect(walk.allowsGet({ kind: 'ok', reply: record('IDLE') })).toBe(true);
  });

  it('are names like any other where no faults are asked for', () => {
    const walk = idle().call(
      configure({ cluster: 'fault-error' }),
      acked('f', 'CONFIGURING', { cluster: 'fault-error' }),
    );
    expect(walk.allowsGet({ kind: 'ok', reply: record('FAILED') })).toBe(false);
  });
});
