import type { Token } from '../../src/provider/call.js';
import type { Machine } from '../../src/provider/machine.js';
import type { Store } from '../../src/provider/store.js';

/** A store in memory that outlives the providers of one test. */
export function sharedStore(): Store {
  const machines = new Map<string, Machine>();
  const marks = new Map<string, Token>();
  let cursorKey: string | undefined;
  return {
    remembered: () =>
      cursorKey === undefined
        ? undefined
        : { machines: [...machines.values()], marks: [...marks], cursorKey },
    write(change) {
      if ('mark' in change) marks.set(change.mark.key, change.mark.token);
      else if ('machine' in change) machines.set(change.machine.id, change.machine);
      else cursorKey = change.founded.cursorKey;
    },
    durable: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
