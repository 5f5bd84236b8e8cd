/** Bugs in what a record says about a machine (contract section 3). */
import { CapacityType, type Machine as MachineRecord } from '../../wire/gen/provider.js';
import type { Mutant } from '../alteration.js';
import type { Alter } from './support.js';
import { showing } from './support.js';

/** Field bugs. */
export const FIELDS: readonly Mutant[] = [
  {
    name: 'label-leak',
    breaks: 'B801',
    says: 'The zone is in the labels as well.',
    alter: showing((record) => ({ ...record, labels: new Map([...record.labels, ['zone', record.zone]]) })),
  },
  {
    name: 'label-leak-in-another-spelling',
    breaks: 'B801',
    says: 'The instance type is in the labels as well, spelt as one word with capitals.',
    alter: showing((record) => ({
      ...record,
      labels: new Map([...record.labels, ['InstanceType', record.instanceType]]),
    })),
  },
  {
    name: 'instance-type-blank',
    breaks: 'B801',
    says: 'Spot machines have no instance type.',
    alter: spot((record) => ({ ...record, instanceType: '' })),
  },
  {
    name: 'nan-price',
    breaks: 'B802',
    says: 'The price of a spot machine is not a number.',
    alter: spot((record) => ({ ...record, pricePerHour: Number.NaN })),
  },
  {
    name: 'negative-price',
    breaks: 'B802',
    says: 'The price of a spot machine is its discount.',
    alter: spot((record) => ({ ...record, pricePerHour: -record.pricePerHour })),
  },
  {
    name: 'spot-at-zero',
    breaks: 'B802',
    says: 'Spot machines are never interrupted, they say.',
    alter: spot((record) => ({ ...record, interruptionProbability: 0 })),
  },
  {
    name: 'probability-in-percent',
    breaks: 'B802',
    says: 'The interruption probability is in percent.',
    alter: spot((record) => ({
      ...record,
      interruptionProbability: record.interruptionProbability * 100,
    })),
  },
  {
    name: 'host-before-create',
    breaks: 'B803',
    says: 'A Speculative machine already names a host.',
    alter: showing((record, machine) =>
      machine.state === 'SPECULATIVE' ? { ...record, host: { provider: 'planned', ref: record.id } } : record,
    ),
  },
  {
    name: 'cluster-of-the-idle',
    breaks: 'B803',
    says: 'An Idle machine belongs to a cluster called none.',
    alter: showing((record, machine) => (machine.state === 'IDLE' ? { ...record, cluster: 'none' } : record)),
  },
  {
    name: 'allocatable-empty',
    breaks: 'B804',
    says: 'A machine on offer has resources, and an allocatable without entries.',
    alter: showing((record) => ({ ...record, allocatable: { resources: new Map() } })),
  },
  {
    name: 'quantity-unreadable',
    breaks: 'B804',
    says: 'Quantities come with their unit in words.',
    alter: showing((record) => ({
      ...record,
      allocatable: {
        resources: new Map([
          ['cpu', '4 cores'],
          ['memory', '14 GiB'],
        ]),
      },
    })),
  },
  {
    name: 'host-provider-changes',
    breaks: 'B805',
    says: 'A Configured machine names another host provider than an Idle one.',
    alter: showing((record, machine) =>
      machine.state === 'CONFIGURED' && record.host !== undefined
        ? { ...record, host: { ...record.host, provider: `${record.host.provider}-node` } }
        : record,
    ),
  },
  {
    name: 'host-provider-differs-in-list',
    breaks: 'B805',
    says: 'List names another host provider than Get.',
    alter: showing((record, _machine, seen) =>
      seen === 'list' && record.host !== undefined
        ? { ...record, host: { ...record.host, provider: record.host.provider.toUpperCase() } }
        : record,
    ),
  },
  {
    name: 'zone-blank-once-hosted',
    breaks: 'B806',
    says: 'A machine that has a host has no zone any more.',
    alter: showing((record) => (record.host === undefined ? record : { ...record, zone: '' })),
  },
  {
    name: 'capacity-type-lost-once-configured',
    breaks: 'B806',
    says: 'A Configured machine has no capacity type any more.',
    alter: showing((record, machine) =>
      machine.state === 'CONFIGURED'
        ? { ...record, capacityType: CapacityType.CAPACITY_TYPE_UNSPECIFIED }
        : record,
    ),
  },
];

/** Changes the records of spot machines only. */
function spot(change: (record: MachineRecord) => MachineRecord): Alter {
  return showing((record, machine) => (machine.spec.capacity === 'SPOT' ? change(record) : record));
}
