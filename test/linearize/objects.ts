/** Small objects with well-known behavior, to be checked against. */
import type { HistoryCall, Specification } from '../../src/engine/linearize.js';

/** One call of a history: sent at `from`, answered at `to` (null: reply lost), on one object unless said otherwise. */
export function call<C>(from: number, to: number | null, what: C, partition = 'x', lane = 0): HistoryCall<C> {
  return { partition, call: what, invokedAt: from, returnedAt: to, lane };
}

/** A call of a register; `value: null` in a read or as `from` is the register before its first write. */
export type RegisterCall =
  | { readonly op: 'write'; readonly value: number }
  | { readonly op: 'read'; readonly value: number | null }
  /** `ok: null` when the reply was lost: it swapped if the value was `from`, and did nothing otherwise. */
  | { readonly op: 'cas'; readonly from: number; readonly to: number; readonly ok: boolean | null };

/** A register with compare-and-set, null at first. */
export const register: Specification<number | null, RegisterCall> = {
  initial: () => [null],
  key: (value) => String(value),
  step(value, c) {
    if (c.op === 'write') return [c.value];
    if (c.op === 'read') return c.value === value ? [value] : [];
    if (value === c.from) return c.ok === false ? [] : [c.to];
    return c.ok === true ? [] : [value];
  },
};

/** The same register, which also says which calls are alike. */
export const keyedRegister: Specification<number | null, RegisterCall> = {
  ...register,
  callKey: (c) => JSON.stringify(c),
};

/** A register whose write may or may not stick, and whose read may first forget it all. */
export const coinRegister: Specification<number | null, RegisterCall> = {
  ...register,
  step(value, c) {
    const after = register.step(value, c);
    if (c.op === 'write') return [...after, value];
    if (c.op === 'read') return value === null ? after : [...after, ...register.step(null, c)];
    return after;
  },
};

/** A counter's call: add and tell the new total (`null` when the reply was lost), or read. */
export type CounterCall =
  | { readonly op: 'add'; readonly by: number; readonly total: number | null }
  | { readonly op: 'get'; readonly total: number };

export const counter: Specification<number, CounterCall> = {
  initial: () => [0],
  key: (total) => total,
  step(total, c) {
    const after = c.op === 'add' ? total + c.by : total;
    return c.total === null || c.total === after ? [after] : [];
  },
};

/** A try-lock's call. */
export interface LockCall {
  readonly op: 'lock' | 'unlock';
  readonly who: string;
  readonly ok: boolean | null;
}

/** A lock held by nobody ('') or by one; only the holder unlocks. */
export const lock: Specification<string, LockCall> = {
  initial: () => [''],
  key: (holder) => holder,
  step(holder, c) {
    const possible = c.op === 'lock' ? holder === '' : holder === c.who;
    if (c.ok !== null && c.ok !== possible) return [];
    if (!possible) return [holder];
    return [c.op === 'lock' ? c.who : ''];
  },
};
