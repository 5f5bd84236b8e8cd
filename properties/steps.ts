/** Short words for hand-written scenarios. */
import type {
  ClassedToken,
  ConfigureStep,
  DrainStep,
  GetStep,
  ListStep,
  MachineSlot,
  Needs,
  PlainStep,
  Scenario,
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
export function list(...states: ListStep['states']): ListStep {
  return { call: 'List', states };
}
export function watch(machine: MachineSlot = 0): WatchStep {
  return { call: 'Watch', machine };
}

/** A sequential scenario; it leases as many machines as its steps name. */
export function scenario(name: string, steps: readonly Step[], needs: Needs = {}): Scenario {
  return { name, needs, program: { machines: machinesOf(steps), steps, branches: [] } };
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
