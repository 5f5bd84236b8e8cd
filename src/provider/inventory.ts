import type { Capacity, Machine, Spec } from './machine.js';

/** An instance type on offer: what it costs on demand, and what a slot and the whole node hold. */
interface Offer {
  readonly instanceType: string;
  readonly pricePerHour: number;
  readonly cpu: string;
  readonly memory: string;
}

const OFFERS: readonly Offer[] = [
  { instanceType: 'general-4', pricePerHour: 0.19, cpu: '3920m', memory: '14Gi' },
  { instanceType: 'general-8', pricePerHour: 0.38, cpu: '7910m', memory: '29Gi' },
  { instanceType: 'memory-8', pricePerHour: 0.5, cpu: '7910m', memory: '60Gi' },
  { instanceType: 'compute-16', pricePerHour: 0.68, cpu: '15890m', memory: '28Gi' },
];

const ZONES = ['zone-a', 'zone-b'] as const;
const SLOT: ReadonlyMap<string, string> = new Map([
  ['cpu', '500m'],
  ['memory', '1Gi'],
]);

/** The id of the n-th machine, counted from 1. */
export function machineId(n: number): string {
  return `m-${String(n).padStart(6, '0')}`;
}

/** The n-th machine of a new fleet: known, priced, and not yet made. */
export function seed(n: number): Machine {
  return {
    id: machineId(n),
    spec: spec(n),
    state: 'SPECULATIVE',
    host: null,
    binding: null,
    lastError: '',
    carriedBy: null,
    led: {},
    accepted: { Create: 0, Configure: 0, Drain: 0, Delete: 0 },
    changedAt: 0,
  };
}

/** After so many machines every property of {@link newSpec} has come round. */
const SPEC_PERIOD = 240;
const specs = new Map<number, Spec>();

/** A spec is never changed, so machines that are alike share one: there may be a hundred thousand of them. */
function spec(n: number): Spec {
  const turn = n % SPEC_PERIOD;
  const known = specs.get(turn) ?? newSpec(turn);
  specs.set(turn, known);
  return known;
}

// Every property turns at its own pace, so that even a small fleet mixes all of them.
function newSpec(n: number): Spec {
  const offer = pick(OFFERS, n);
  const capacity: Capacity = n % 3 === 0 ? 'SPOT' : 'ON_DEMAND';
  const spot = capacity === 'SPOT';
  return {
    instanceType: offer.instanceType,
    zone: pick(ZONES, n >> 1),
    capacity,
    pricePerHour: spot ? offer.pricePerHour * 0.3 : offer.pricePerHour,
    interruptionProbability: spot ? 0.02 + (n % 5) / 100 : 0,
    resources: SLOT,
    allocatable: new Map([
      ['cpu', offer.cpu],
      ['memory', offer.memory],
      ['pods', '110'],
    ]),
    labels: new Map([
      ['kubernetes.io/arch', n % 4 === 3 ? 'arm64' : 'amd64'],
      ['pool', 'general'],
      ['rack', `r${n % 16}`],
    ]),
  };
}

function pick<T>(items: readonly [T, ...T[]] | readonly T[], n: number): T {
  const item = items[n % items.length];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}
