/** What the engine needs of the outside, all of it passed in: a provider, a clock, and a way to wait. */
import type { Call, Outcome, ReplyOf } from '../../model/call.js';
import type { ModelConfig } from '../../model/possibilities.js';
import type { OperationLedger } from './ledger.js';

/** One call and what came of it, with the instants of a monotonic clock in milliseconds. */
export interface Exchanged<C extends Call> {
  readonly outcome: Outcome<ReplyOf<C>>;
  readonly invokedAt: number;
  readonly returnedAt: number;
}

/** Anything that takes the six calls; `connection` picks one of several separate connections. */
export interface Provider {
  call<C extends Call>(call: C, options?: { readonly connection?: number }): Promise<Exchanged<C>>;
}

/** A provider that is called on several separate connections. */
export interface ConnectedProvider extends Provider {
  readonly connections: number;
}

/** Budgets of a run, in milliseconds. */
export interface Limits {
  /** How long a machine may take to come to rest before the program is inconclusive. */
  readonly settleTimeoutMs: number;
  /** How long a settled machine is watched (B108). */
  readonly stabilityWindowMs: number;
  /** True where the time a transition may take was declared, so that a machine beyond it is stuck, not just slow. */
  readonly stuckIsBreach: boolean;
}

/** Everything a program runs against. */
export interface World {
  readonly provider: Provider;
  /** How many separate connections the provider is called on. */
  readonly connections: number;
  readonly model: ModelConfig;
  readonly limits: Limits;
  readonly ledger: OperationLedger;
  /** Ids of machines that any program has ever held: what their records show is judged where they are held. */
  readonly touched: Set<string>;
  /** Every machine id of the provider, where it is of our own making and nobody else works on it. */
  readonly inventory: readonly string[];
  /**
   * Kills the provider with SIGKILL and boots it again on the same state; absent where its process is not ours.
   * Rejects when it does not come back.
   */
  readonly crash?: () => Promise<void>;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}
