/** Providers that offer something else than usual (contract sections 1 and 3). */
import type { Machine } from '../machine.js';
import type { Policies } from '../policies.js';
import type { Provider } from '../provider.js';
import type { Variant } from './variant.js';

/** Variants in what is on offer. */
export const INVENTORIES: readonly Variant[] = [
  {
    name: 'bare-metal',
    says: 'Machines stand in a rack: they are BARE_METAL, every third is Idle from the start, none can be deleted.',
    deletes: false,
    alter: (base) => ({ seed: (n, provider) => bareMetal(base, n, provider) }),
  },
  {
    name: 'single-zone',
    says: 'All machines are in one zone.',
    alter: (base) => ({
      seed(n, provider) {
        const machine = base.seed(n, provider);
        return { ...machine, spec: { ...machine.spec, zone: 'the-only-zone' } };
      },
    }),
  },
];

function bareMetal(base: Policies, n: number, provider: Provider): Machine {
  const machine = base.seed(n, provider);
  const spec = { ...machine.spec, capacity: 'BARE_METAL', interruptionProbability: 0 } as const;
  const racked = { ...machine, spec };
  return n % 3 === 0 ? { ...racked, state: 'IDLE', host: base.host(racked, provider) } : racked;
}
