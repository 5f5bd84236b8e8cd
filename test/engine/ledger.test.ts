import { describe, expect, it } from 'vitest';
import { OperationLedger } from '../../src/engine/ledger.js';

describe('the ledger of operation ids', () => {
  it('gives an id to the machine that had it first', () => {
    const ledger = new OperationLedger();
    expect(ledger.claim('op-1', 'a')).toBeNull();
    expect(ledger.claim('op-1', 'b')).toBe('a');
    expect(ledger.claim('op-1', 'a')).toBe('a');
    expect(ledger.claim('op-2', 'b')).toBeNull();
    expect([ledger.has('op-1'), ledger.has('op-3')]).toEqual([true, false]);
  });

  it('tells ids from before the last kill', () => {
    const ledger = new OperationLedger();
    ledger.claim('op-1', 'a');
    expect(ledger.isFromBefore('op-1')).toBe(false);
    ledger.kills += 1;
    ledger.claim('op-2', 'a');
    expect(['op-1', 'op-2', 'op-3'].map((id) => ledger.isFromBefore(id))).toEqual([true, false, false]);
  });

  it.each([
    ['numbers', (n: number) => `op-1f3a-${n}`],
    ['letters that differ at the front', (n: number) => `${n.toString(36)}-operation`],
    ['single units', (n: number) => String.fromCharCode(n % 0x8000, n >> 15)],
  ])('confuses none of 200,000 ids: %s', (_, idOf) => {
    const ledger = new OperationLedger();
    let confused = 0;
    for (let n = 0; n < 200_000; n++) if (ledger.claim(idOf(n), `machine-${n % 7}`) !== null) confused += 1;
    expect(confused).toBe(0);
    for (let n = 0; n < 200_000; n += 997) expect(ledger.claim(idOf(n), 'other')).toBe(`machine-${n % 7}`);
  });
});
