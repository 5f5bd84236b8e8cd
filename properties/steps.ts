/** Short words for hand-written scenarios. */
import type {
  ClassedToken,
  ConfigureStep,
  DrainStep,
  GetStep,
  ListStep,
  MachineSlot,
  Needs,
  PageStep,
  PlainStep,
  QuietStep,
  Scenario,
  Since,
  Step,
  StepToken,
  TokenClass,
  WatchStep,
} from './program.js';

/** A token of `shard` (0 by default), by its class. */
export function token(kind: TokenClass, shard = 0): ClassedToken {
  return { class: kind, shard };
}

interface Common {
  readonly machine?: MachineSlot;
  readonly token?: StepToken;
  readonly settle?: boolean;
}
const common = ({ machine = 0, token: sent = token('fresh'), settle = true }: Common) => ({
  machine,
  token: sent,
  settle,
});

export function create(options: Common = {}): PlainStep {
  return { call: 'Create', ...common(options) };
}
export function remove(options: Common = {}): PlainStep {
  return { call: 'Delete', ...common(options) };
}
export function configure(
  options: Common & {
    cluster?: string;
    metadata?: readonly (readonly [string, string])[];
    blobBytes?: number;
  } = {},
): ConfigureStep {
  const { cluster = 'cluster-a', metadata = [['team', 'blue']], blobBytes = 16 } = options;
  return { call: 'Configure', ...common(options), cluster, metadata, blobBytes };
}
export function drain(options: Common & { grace?: string } = {}): DrainStep {
  return { call: 'Drain', ...common(options), grace: options.grace ?? '0' };
}
export function get(machine: MachineSlot = 0): GetStep {
  return { call: 'Get', machine };
}
/** A full List, or one of machines in these states. */
export function list(...states: ListStep['states']): ListStep {
  return { call: 'List', states, max: 0, since: { from: 'start' }, save: null };
}
/** A List of at most `max` machines. */
export function capped(max: number, ...states: ListStep['states']): ListStep {
  return { ...list(...states), max };
}
/**
 * Saves the current revision as `name`. No machine of bfcheck is FAILED, so the filter keeps the reply small; a
 * revision is of the whole provider all the same.
 */
export function mark(name: string): ListStep {
  return { ...list('FAILED'), save: name };
}
/** What changed since the cursor `name`; saves the new one as `save`. */
export function delta(name: string, save: string | null = null): ListStep {
  return { ...list(), since: { from: 'saved', name }, save };
}
/** A List since anything else. */
export function since(cursor: Since, save: string | null = null): ListStep {
  return { ...list(), since: cursor, save };
}
/** Bytes of our own, as a cursor. */
export function bytes(made: Uint8Array): Since {
  return { from: 'bytes', hex: Array.from(made, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}
/** The next `pages` pages of a walk, by default all that are left. */
export function page(size: PageStep['size'], pages = 0, walk = 'walk'): PageStep {
  return { call: 'Page', walk, size, pages };
}
export function quiet(polls = 30): QuietStep {
  return { call: 'Quiet', polls };
}
export function watch(machine: MachineSlot = 0): WatchStep {
  return { call: 'Watch', machine };
}

/** A sequential scenario; it leases as many machines as its steps name. */
export function scenario(name: string, steps: readonly Step[], needs: Needs = {}): Scenario {
  return { name, needs, program: { machines: machinesOf(steps), steps, branches: [] } };
}

/** The scenario with `machines` of them leased, whether its steps name them or not. */
export function holding(machines: number, { program, ...rest }: Scenario): Scenario {
  return { ...rest, program: { ...program, machines } };
}

/** A scenario that ends in branches running at the same time. */
export function race(
  name: string,
  steps: readonly Step[],
  branches: readonly (readonly Step[])[],
  needs: Needs = {},
): Scenario {
  return { name, needs, program: { machines: machinesOf([...steps, ...branches.flat()]), steps, branches } };
}

function machinesOf(steps: readonly Step[]): number {
  const slots = steps.map((step) =>
    'machine' in step && typeof step.machine === 'number' ? step.machine : 0,
  );
  return Math.max(0, ...slots) + 1;
}
