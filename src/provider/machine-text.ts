/** Machines as text, for a store. */
import type { Binding, Host, Kind, Machine, Operation, Spec, State } from './machine.js';

type Entries = readonly (readonly [string, string])[];

/** A spec with its maps as entries: JSON objects would lose the key `__proto__`. */
interface SpecText extends Omit<Spec, 'resources' | 'allocatable' | 'labels'> {
  readonly resources: Entries;
  readonly allocatable: Entries;
  readonly labels: Entries;
}

interface MachineText {
  readonly id: string;
  readonly state: State;
  readonly host: Host | null;
  readonly binding: { readonly cluster: string; readonly metadata: Entries } | null;
  readonly lastError: string;
  readonly carriedBy: Operation | null;
  readonly led: Readonly<Partial<Record<Kind, Operation>>>;
  readonly accepted: Readonly<Record<Kind, number>>;
  readonly changedAt: number;
}

/** Writes and reads machines. Whole fleets share a few specs, so a spec is written once and read once. */
export interface MachineCodec {
  write(machine: Machine): string;
  /** @throws SyntaxError for text that {@link MachineCodec.write} did not write */
  read(text: string): Machine;
}

/** A codec with specs of its own. */
export function machineCodec(): MachineCodec {
  const written = new WeakMap<Spec, string>();
  const read = new Map<string, Spec>();
  return {
    write(machine) {
      const { spec } = machine;
      const known = written.get(spec) ?? specText(spec);
      written.set(spec, known);
      return `${known}\n${restText(machine)}`;
    },
    read(text) {
      // JSON escapes line breaks inside strings, so the first one is ours.
      const end = text.indexOf('\n');
      const head = text.slice(0, end);
      const spec = read.get(head) ?? specFrom(head);
      read.set(head, spec);
      return machineFrom(spec, text.slice(end + 1));
    },
  };
}

function specText(spec: Spec): string {
  const text: SpecText = {
    ...spec,
    resources: [...spec.resources],
    allocatable: [...spec.allocatable],
    labels: [...spec.labels],
  };
  return JSON.stringify(text);
}

function specFrom(text: string): Spec {
  const spec: SpecText = JSON.parse(text);
  return {
    ...spec,
    resources: new Map(spec.resources),
    allocatable: new Map(spec.allocatable),
    labels: new Map(spec.labels),
  };
}

function restText({ spec: _, binding, ...rest }: Machine): string {
  const text: MachineText = { ...rest, binding: binding && bindingText(binding) };
  return JSON.stringify(text);
}

function bindingText({ cluster, metadata }: Binding): MachineText['binding'] {
  return { cluster, metadata: [...metadata] };
}

function machineFrom(spec: Spec, text: string): Machine {
  const { binding, ...rest }: MachineText = JSON.parse(text);
  return {
    ...rest,
    spec,
    binding: binding && { cluster: binding.cluster, metadata: new Map(binding.metadata) },
  };
}
