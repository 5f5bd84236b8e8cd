/** Providers that are faster, slower or busier than usual (contract sections 3 and 6). */
import type { Mutation } from '../call.js';
import { machineId } from '../inventory.js';
import { EDGES, type Kind } from '../machine.js';
import type { Provider } from '../provider.js';
import { between } from '../random.js';
import { every } from '../scheduler.js';
import type { Variant } from './variant.js';

const KINDS: readonly Kind[] = ['Create', 'Configure', 'Drain', 'Delete'];

/** Variants in time. */
export const TIMING: readonly Variant[] = [
  {
    name: 'synchronous',
    says: 'A transition ends before its ack leaves, so no transitional state is ever seen.',
    alter: () => ({ transitionTime: () => 'instant' }),
  },
  {
    name: 'slow-transitions',
    says: 'A transition takes 50 ms to 2 s.',
    alter: () => ({ transitionTime: (_work, random) => between(random, 50, 2_000) }),
  },
  {
    name: 'heavy-tail',
    says: 'One reply in fifty is held back for up to a fifth of a second, one in five hundred for a second.',
    alter: () => ({
      replyTime(_answered, random) {
        const luck = random.next();
        if (luck < 0.002) return 1_000;
        return luck < 0.02 ? between(random, 20, 200) : 0;
      },
    }),
  },
  {
    name: 'shared',
    says: 'Another client uses the machines of the upper half of the ids, all the time and by the rules.',
    alter: () => ({
      background(provider) {
        every(provider.scheduler, 5, () => {
          const call = otherCall(provider);
          if (call !== undefined) void provider.policies.mutate(call, provider);
        });
      },
    }),
  },
  {
    name: 'refreshing-prices',
    says: 'Prices and a label of some machine change now and then, and its record is in the delta (A11).',
    alter: () => ({
      background(provider) {
        every(provider.scheduler, 25, () => refresh(provider));
      },
    }),
  },
];

/** What the other client does next: whatever is legal on a machine of its half, if that one is not moving. */
function otherCall(provider: Provider): Mutation | undefined {
  const { seedCount } = provider.config;
  const lowest = Math.floor(seedCount / 2) + 1;
  const id = machineId(Math.floor(between(provider.random, lowest, seedCount + 1)));
  const state = provider.fleet.get(id)?.state;
  const legal = KINDS.filter((kind) => EDGES[kind].from === state);
  const kind = legal[Math.floor(between(provider.random, 0, legal.length))];
  const addressed = {
    machineId: id,
    token: { shard: '', epoch: 0n, sequence: 0n },
    peer: 'the other client',
  };
  switch (kind) {
    case 'Configure': {
      const metadata = new Map([['owner', 'other']]);
      return { ...addressed, kind, cluster: 'other-cluster', metadata, blob: new Uint8Array([1]) };
    }
    case 'Drain':
      return { ...addressed, kind, graceSeconds: 0n };
    default:
      return kind && { ...addressed, kind };
  }
}

function refresh(provider: Provider): void {
  const { fleet, random, config } = provider;
  const machine = fleet.get(machineId(1 + Math.floor(between(random, 0, config.seedCount))));
  if (machine === undefined) return;
  const { spec } = machine;
  const pricePerHour = spec.pricePerHour * between(random, 0.9, 1.1);
  const labels = new Map([...spec.labels, ['priced', pricePerHour.toFixed(6)]]);
  provider.put({ ...machine, spec: { ...spec, pricePerHour, labels } });
}
