/** Machines as text, for a store. Whole fleets share a few specs, so a machine only names its own. */
import type { Binding, Host, Kind, Machine, Operation, Spec, State } from './machine.js';

type Entries = readonly (readonly [string, string])[];

/** A spec with its maps as entries: JSON objects would lose the key `__proto__`. */
interface SpecText extends Omit<Spec, 'resources' | 'allocatable' | 'labels'> {
  readonly resources: Entries;
  readonly allocatable: Entries;
  readonly labels: Entries;
}

/** A machine without what a new one has anyway: most of a large fleet is never touched, and read at every boot. */
interface MachineText {
  readonly id: string;
  readonly spec: string;
  readonly state: State;
  readonly changedAt: number;
  readonly host?: Host | undefined;
  readonly binding?: { readonly cluster: string; readonly metadata: Entries } | undefined;
  readonly lastError?: string | undefined;
  readonly carriedBy?: Operation | undefined;
  readonly led?: Readonly<Partial<Record<Kind, Operation>>> | undefined;
  readonly accepted?: Readonly<Record<Kind, number>> | undefined;
}

const NEVER: Readonly<Record<Kind, number>> = { Create: 0, Configure: 0, Drain: 0, Delete: 0 };

/** A spec as text. */
export function specText(spec: Spec): string {
  const text: SpecText = {
    ...spec,
    resources: [...spec.resources],
    allocatable: [...spec.allocatable],
    labels: [...spec.labels],
  };
  return JSON.stringify(text);
}

/**
 * The spec that {@link specText} wrote.
 * @throws SyntaxError for other text
 */
export function specFrom(text: string): Spec {
  const spec: SpecText = JSON.parse(text);
  return {
    ...spec,
    resources: new Map(spec.resources),
    allocatable: new Map(spec.allocatable),
    labels: new Map(spec.labels),
  };
}

/** A machine as text that calls its spec by a name. */
export function machineText(machine: Machine, specName: string): string {
  const { id, state, changedAt, host, binding, lastError, carriedBy, led, accepted } = machine;
  const text: MachineText = {
    id,
    spec: specName,
    state,
    changedAt,
    host: host ?? undefined,
    binding: bindingText(binding),
    lastError: lastError === '' ? undefined : lastError,
    carriedBy: carriedBy ?? undefined,
    led: Object.keys(led).length === 0 ? undefined : led,
    accepted: Object.values(accepted).every((count) => count === 0) ? undefined : accepted,
  };
  return JSON.stringify(text);
}

/**
 * The machine that {@link machineText} wrote.
 * @throws SyntaxError for other text
 * @throws RangeError for a spec that `specs` does not have
 */
export function machineFrom(text: string, specs: ReadonlyMap<string, Spec>): Machine {
  const stored: MachineText = JSON.parse(text);
  const spec = specs.get(stored.spec);
  if (spec === undefined) throw new RangeError(`machine ${stored.id} has an unknown spec ${stored.spec}`);
  return {
    id: stored.id,
    spec,
    state: stored.state,
    host: stored.host ?? null,
    binding: bindingFrom(stored.binding),
    lastError: stored.lastError ?? '',
    carriedBy: stored.carriedBy ?? null,
    led: stored.led ?? {},
    accepted: stored.accepted ?? NEVER,
    changedAt: stored.changedAt,
  };
}

function bindingText(binding: Binding | null): MachineText['binding'] {
  return binding === null ? undefined : { cluster: binding.cluster, metadata: [...binding.metadata] };
}

function bindingFrom(text: MachineText['binding']): Binding | null {
  return text === undefined ? null : { cluster: text.cluster, metadata: new Map(text.metadata) };
}
