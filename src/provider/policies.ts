import type { Work } from './actuator.js';
import type { Ack, ConfigureCall, Found, Listed, Mutation, Query, Rejection, Reply, Token } from './call.js';
import * as checks from './checks.js';
import * as cursor from './cursor.js';
import * as faults from './fault-actuator.js';
import * as fencing from './fence.js';
import * as inventory from './inventory.js';
import * as listing from './listing.js';
import type { Binding, Host, Kind, Machine, Operation } from './machine.js';
import type { Provider } from './provider.js';
import { between, type Random } from './random.js';
import * as records from './record.js';
import type { Change, Remembered } from './store.js';
import * as transitions from './transitions.js';

/** One check of a mutating call: an answer ends the call, undefined lets it go on. */
export type Check = (call: Mutation, provider: Provider) => Reply | undefined;

/** The checks by name. */
export type Step = 'shape' | 'fence' | 'existence' | 'idempotency' | 'position';

/**
 * Every decision the provider makes, each replaceable on its own. The healthy ones are in {@link healthy}; a
 * mutant or a variant replaces one or two and inherits the rest. Decisions reach each other through
 * `provider.policies`, never directly, so a replaced one is used everywhere.
 */
export interface Policies extends Readonly<Record<Step, Check>> {
  /** The order of the checks (contract section 4). */
  readonly order: readonly Step[];
  /** A whole mutating call. */
  mutate(call: Mutation, provider: Provider): Reply | Promise<Reply>;

  /** The token a call is fenced by, if any. */
  tokenOf(call: Mutation): Token | undefined;
  /** Which mark a token is compared with. */
  markKey(token: Token, machineId: string): string;
  /** Whether a token passes a mark. */
  passes(token: Token, mark: Token | undefined): boolean;

  /** The operation id a call would only repeat. */
  replay(call: Mutation, machine: Machine, provider: Provider): string | undefined;
  /** Whether a call may start from where the machine is. */
  starts(call: Mutation, machine: Machine, provider: Provider): boolean;
  /** The refusal of a call from the wrong place. */
  wrongPosition(call: Mutation, machine: Machine): Rejection;

  /** Starts a transition. */
  accept(call: Mutation, machine: Machine, provider: Provider): Ack;
  /** A new operation id. */
  mint(call: Mutation, machine: Machine, provider: Provider): string;
  /** The machine from acceptance on. */
  enter(call: Mutation, machine: Machine, operation: Operation, provider: Provider): Machine;
  /** What a Configure stores. */
  bind(call: ConfigureCall, machine: Machine): Binding;
  /** The machine after a success. */
  settle(machine: Machine, provider: Provider): Machine;
  /** The machine after a failure. */
  fail(machine: Machine, error: string): Machine;
  /** Whether the end of an operation's work still means anything to a machine. */
  awaits(machine: Machine, operation: Operation): boolean;
  /** What last_error says of an operation that took longer than `ms` milliseconds. */
  timeoutError(operation: Operation, ms: number): string;
  /** The machine once its transition has been given up. */
  expire(machine: Machine, error: string, provider: Provider): Machine;
  /** The host a created machine gets. */
  host(machine: Machine, provider: Provider): Host;
  /** How long the substrate takes, in milliseconds; 'instant' ends the work before the ack. */
  transitionTime(work: Work, random: Random): number | 'instant';
  /** The fault a client asked for with this work; asked only of providers that inject faults. */
  faultOf(work: Work): faults.Fault | undefined;

  /** The record of a machine. */
  view(machine: Machine, seen: records.Seen, provider: Provider): ReturnType<typeof records.view>;
  /** A whole Get. */
  get(id: string, provider: Provider): Found;
  /** A whole List. */
  list(query: Query, provider: Provider): Listed;
  /** The revision a cursor names, 0 for the beginning. */
  since(cursor: Uint8Array, provider: Provider): number;
  /** The machines a List is about, uncapped. */
  select(query: Query, after: number, provider: Provider): Iterable<Machine>;
  /** Whether a machine passes the state filter. */
  matches(query: Query, machine: Machine): boolean;
  /** How many machines a page may hold. */
  limit(query: Query): number;
  /** The revision that a List's reply names. */
  nextRevision(page: readonly Machine[], cut: boolean, after: number, provider: Provider): number;
  /** A revision as opaque bytes. */
  seal(revision: number, provider: Provider): Uint8Array;
  /** The revision of bytes this provider issued. */
  unseal(cursor: Uint8Array, provider: Provider): number | undefined;

  /** The n-th machine of a new fleet, counted from 1. */
  seed(n: number, provider: Provider): Machine;
  /** What the provider does on its own, started once. */
  background(provider: Provider): void;
  /** How long a finished reply is held back, in milliseconds. */
  replyTime(answered: Answered, random: Random): number;

  /** Hands a change to the store, by calling `write`. */
  persist(change: Change, write: (change: Change) => void, provider: Provider): void;
  /** What is taken up of all that the store kept. */
  recall(remembered: Remembered): Remembered;
  /** The machine whose transition the end of an earlier process cut off. */
  interrupt(machine: Machine, provider: Provider): Machine;
}

/** A call that is decided and about to be answered. */
export interface Answered {
  readonly rpc: Kind | 'Get' | 'List';
  readonly reply: Reply | Found | Listed;
}

/** How long transitions take, in milliseconds. */
export interface Latency {
  readonly minMs: number;
  readonly maxMs: number;
}

/** The decisions of a provider that keeps the contract. */
export function healthy(latency: Latency): Policies {
  return {
    order: ['shape', 'fence', 'existence', 'idempotency', 'position'],
    mutate,
    ...fencingPolicies,
    ...transitionPolicies,
    ...readingPolicies,
    ...durabilityPolicies,
    seed: inventory.seed,
    background: () => undefined,
    transitionTime: (_work, random) => between(random, latency.minMs, latency.maxMs),
    replyTime: () => 0,
  };
}

const fencingPolicies = {
  fence: fencing.fence,
  tokenOf: fencing.tokenOf,
  markKey: fencing.markKey,
  passes: fencing.passes,
} as const;

const transitionPolicies = {
  shape: checks.shape,
  existence: checks.existence,
  idempotency: checks.idempotency,
  position: checks.position,
  replay: checks.replay,
  starts: checks.starts,
  wrongPosition: checks.wrongPosition,
  accept: transitions.accept,
  mint: transitions.mint,
  enter: transitions.enter,
  bind: transitions.bind,
  settle: transitions.settle,
  fail: transitions.fail,
  awaits: transitions.awaits,
  timeoutError: transitions.timeoutError,
  expire: transitions.fail,
  faultOf: faults.faultOf,
  host: transitions.host,
} as const;

const readingPolicies = {
  view: records.view,
  get: listing.get,
  list: listing.list,
  since: listing.since,
  select: listing.select,
  matches: listing.matches,
  limit: listing.limit,
  nextRevision: listing.nextRevision,
  seal: cursor.seal,
  unseal: cursor.unseal,
} as const;

const durabilityPolicies = {
  persist: (change: Change, write: (change: Change) => void) => write(change),
  recall: (remembered: Remembered) => remembered,
  interrupt: transitions.interrupt,
} as const;

/** Runs the checks and accepts the call if none ends it: one instant, so calls take effect one at a time. */
function mutate(call: Mutation, provider: Provider): Reply {
  return check(call, provider) ?? begin(call, provider);
}

/** Runs the checks in their order. */
export function check(call: Mutation, provider: Provider): Reply | undefined {
  const { policies } = provider;
  for (const step of policies.order) {
    const reply = policies[step](call, provider);
    if (reply !== undefined) return reply;
  }
  return undefined;
}

/** Accepts a call that the checks let pass. */
export function begin(call: Mutation, provider: Provider): Reply {
  const machine = provider.fleet.get(call.machineId);
  return machine === undefined
    ? checks.unknown(call.machineId)
    : provider.policies.accept(call, machine, provider);
}
