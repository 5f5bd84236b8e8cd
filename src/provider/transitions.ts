/** Accepting a mutation (step 6 of contract section 4), and what becomes of it. */
import type { Ack, ConfigureCall, Mutation } from './call.js';
import { acknowledge } from './checks.js';
import { type Binding, EDGES, type Host, isTransitional, type Machine, type Operation } from './machine.js';
import type { Provider } from './provider.js';

/** How the actuator's work on one transition ended. */
export type Outcome = { readonly ok: true } | { readonly ok: false; readonly error: string };

/** Starts the transition a call asks for; every check has already let it pass. */
export function accept(call: Mutation, machine: Machine, provider: Provider): Ack {
  const { policies } = provider;
  const operation: Operation = { id: policies.mint(call, machine, provider), kind: call.kind };
  const moving = provider.put(policies.enter(call, machine, operation, provider));
  provider.actuator.begin({ call, machine: moving, operation }, (outcome) => {
    finish(moving.id, operation, outcome, provider);
  });
  limit(moving, operation, provider);
  return acknowledge(operation.id, provider.fleet.get(machine.id) ?? moving, provider);
}

/** Gives a transition up when its time has run out; a completion that comes later is then discarded. */
function limit({ id }: Machine, operation: Operation, provider: Provider): void {
  const ms = provider.config.transitionTimeoutMs;
  if (ms === undefined) return;
  provider.scheduler.after(ms, () => {
    const machine = provider.fleet.get(id);
    if (machine === undefined || !awaits(machine, operation)) return;
    const { policies } = provider;
    become(policies.expire(machine, policies.timeoutError(operation, ms), provider), machine, provider);
  });
}

/** Ends a transition, unless it has already ended: an operation ends once. */
function finish(id: string, operation: Operation, outcome: Outcome, provider: Provider): void {
  const machine = provider.fleet.get(id);
  const { policies } = provider;
  if (machine === undefined || !policies.awaits(machine, operation)) return;
  const after = outcome.ok ? policies.settle(machine, provider) : policies.fail(machine, outcome.error);
  become(after, machine, provider);
}

/** Records what a machine has become; what stays as it was is no change, and takes no revision. */
export function become(after: Machine, before: Machine, provider: Provider): void {
  if (after !== before) provider.put(after);
}

/** Whether a machine is still being carried by an operation. */
export function awaits(machine: Machine, operation: Operation): boolean {
  return machine.carriedBy === operation && isTransitional(machine.state);
}

/** Says that it was time that ran out (B703). */
export function timeoutError(operation: Operation, ms: number): string {
  return `${operation.kind} timed out after ${ms} ms`;
}

/** An id that no operation of this provider ever had, in this process or an earlier one. */
export function mint(_call: Mutation, _machine: Machine, provider: Provider): string {
  return `op-${provider.config.boot}-${provider.nextOperation()}`;
}

/** The machine as it looks from the moment of acceptance. */
export function enter(call: Mutation, machine: Machine, operation: Operation, provider: Provider): Machine {
  const { kind } = call;
  return {
    ...machine,
    state: EDGES[kind].through,
    binding: call.kind === 'Configure' ? provider.policies.bind(call, machine) : machine.binding,
    carriedBy: operation,
    led: { ...machine.led, [kind]: operation },
    accepted: { ...machine.accepted, [kind]: machine.accepted[kind] + 1 },
  };
}

/** What a Configure binds: the map is the provider's own copy, and nothing of an earlier binding is in it. */
export function bind(call: ConfigureCall, _machine: Machine): Binding {
  return { cluster: call.cluster, metadata: new Map(call.metadata) };
}

/** The machine once the transition that carries it has succeeded. */
export function settle(machine: Machine, provider: Provider): Machine {
  const kind = machine.carriedBy?.kind;
  if (kind === undefined) return machine;
  const settled = { ...machine, state: EDGES[kind].to };
  if (kind === 'Create') return { ...settled, host: provider.policies.host(machine, provider) };
  if (kind === 'Delete') return { ...settled, host: null };
  return kind === 'Drain' ? { ...settled, binding: null } : settled;
}

/** The host a machine gets; a new one for every life, always of the same provider. */
export function host(machine: Machine, provider: Provider): Host {
  return { provider: provider.config.providerName, ref: `${machine.id}/${machine.accepted.Create}` };
}

/** A transition that the end of a process cut off has failed: nobody knows how far it came. */
export function interrupt(machine: Machine, provider: Provider): Machine {
  return provider.policies.fail(machine, `${machine.state} was interrupted by a restart`);
}

/** The machine once its transition has failed; it stays so (contract section 3). */
export function fail(machine: Machine, error: string): Machine {
  return { ...machine, state: 'FAILED', lastError: error };
}
