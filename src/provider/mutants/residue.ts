/** Bugs that leave on a machine what should have gone, or take what should have stayed (contract section 3). */
import type { Mutant } from '../alteration.js';
import type { Machine } from '../machine.js';
import { settling, showing } from './support.js';

/** Residue bugs. */
export const RESIDUE: readonly Mutant[] = [
  {
    name: 'cluster-survives-drain',
    breaks: 'B106',
    says: 'A drained machine still names the cluster it belonged to.',
    alter: settling('Drain', (settled, before) => keepCluster(settled, before)),
  },
  {
    name: 'cluster-blank-while-configuring',
    breaks: 'B106',
    says: 'The cluster shows only once the machine is Configured.',
    alter: showing((record, machine) =>
      machine.state === 'CONFIGURING' ? { ...record, cluster: '' } : record,
    ),
  },
  {
    name: 'last-error-lingers',
    breaks: 'B101',
    says: 'A Drain leaves a note in last_error of the idle machine.',
    alter: settling('Drain', (settled) => ({ ...settled, lastError: 'drained: 0 pods evicted' })),
  },
  {
    name: 'third-drain-keeps-cluster',
    breaks: 'B101',
    says: 'The third Drain of a machine leaves its cluster on it.',
    alter: settling('Drain', (settled, before) =>
      before.accepted.Drain === 3 ? keepCluster(settled, before) : settled,
    ),
  },
  {
    name: 'map-survives-drain',
    breaks: 'B502',
    says: 'A drained machine still shows the map it was configured with.',
    alter: settling('Drain', (settled, before) => keepMap(settled, before)),
  },
  {
    name: 'second-drain-keeps-map',
    breaks: 'B502',
    says: 'The second Drain of a machine leaves its map on it.',
    alter: settling('Drain', (settled, before) =>
      before.accepted.Drain === 2 ? keepMap(settled, before) : settled,
    ),
  },
  {
    name: 'third-machine-keeps-map',
    breaks: 'B502',
    says: 'The third machine that is ever drained keeps its map.',
    alter(base) {
      const drained = new Set<string>();
      const keeps = settling('Drain', (settled, before) => {
        drained.add(before.id);
        return [...drained].indexOf(before.id) === 2 ? keepMap(settled, before) : settled;
      });
      return keeps(base);
    },
  },
  {
    name: 'host-lost-on-drain',
    breaks: 'B107',
    says: 'A drained machine has no host any more.',
    alter: settling('Drain', (settled) => ({ ...settled, host: null })),
  },
  {
    name: 'host-left-after-delete',
    breaks: 'B807',
    says: 'A deleted machine still names the host it ran on.',
    alter: settling('Delete', (settled, before) => ({ ...settled, host: before.host })),
  },
  {
    name: 'cluster-back-after-delete',
    breaks: 'B807',
    says: 'A deleted machine names a cluster that never had it.',
    alter: settling('Delete', (settled) => ({
      ...settled,
      binding: { cluster: 'graveyard', metadata: new Map() },
    })),
  },
  {
    name: 'rebound-drain-keeps-cluster',
    breaks: 'B106',
    says: 'A Drain leaves the cluster behind if a Configure with another cluster was replayed before it.',
    alter(base) {
      const rebound = new Set<string>();
      return {
        replay(call, machine, provider) {
          const operationId = base.replay(call, machine, provider);
          const other = call.kind === 'Configure' && call.cluster !== machine.binding?.cluster;
          if (operationId !== undefined && other) rebound.add(machine.id);
          return operationId;
        },
        settle(machine, provider) {
          const settled = base.settle(machine, provider);
          const drained = machine.state === 'DRAINING' && rebound.delete(machine.id);
          return drained ? keepCluster(settled, machine) : settled;
        },
      };
    },
  },
];

function keepCluster(settled: Machine, before: Machine): Machine {
  return { ...settled, binding: { cluster: before.binding?.cluster ?? '', metadata: new Map() } };
}

function keepMap(settled: Machine, before: Machine): Machine {
  return { ...settled, binding: { cluster: '', metadata: before.binding?.metadata ?? new Map() } };
}
