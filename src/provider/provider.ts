import { type Actuator, timedActuator } from './actuator.js';
import type { Token } from './call.js';
import { Marks } from './fence.js';
import { Fleet } from './fleet.js';
import { isTransitional, type Machine } from './machine.js';
import type { Policies } from './policies.js';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';
import type { Change, Store } from './store.js';
import { become } from './transitions.js';

/** What a provider is told once, at its start. */
export interface Config {
  readonly providerName: string;
  /** How many machines a new fleet has. */
  readonly seedCount: number;
  /** Whether Delete is implemented. */
  readonly deletes: boolean;
  /** A word no other process of this provider ever had; it keeps operation ids apart across restarts. */
  readonly boot: string;
  /** The key that seals cursors. */
  readonly cursorKey: string;
  /** Milliseconds after which a transition is given up as failed; never, where undefined. */
  readonly transitionTimeoutMs: number | undefined;
}

/** What a provider runs on. */
export interface Parts {
  readonly policies: Policies;
  readonly config: Config;
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly store: Store;
  /** What carries transitions out, if not the timed actuator. */
  readonly actuator: Actuator | undefined;
}

/** The state of a provider, at hand for every decision. It decides nothing itself. */
export interface Provider {
  readonly policies: Policies;
  readonly config: Config;
  readonly fleet: Fleet;
  readonly marks: Marks;
  readonly actuator: Actuator;
  readonly random: Random;
  readonly scheduler: Scheduler;
  /** Records a change of a machine. */
  put(machine: Machine): Machine;
  /** Moves a mark. */
  mark(key: string, token: Token): void;
  /** The number of the next operation of this process. */
  nextOperation(): number;
}

/** Builds a provider with a new fleet, or with the one its store remembers, and starts its background work. */
export function createProvider(parts: Parts): Provider {
  const { policies, random, scheduler, store } = parts;
  const kept = store.remembered();
  const remembered = kept && policies.recall(kept);
  const config = { ...parts.config, cursorKey: remembered?.cursorKey ?? parts.config.cursorKey };
  const fleet = new Fleet();
  const marks = new Marks(remembered?.marks);
  let operations = 0;
  const keep = (change: Change) => policies.persist(change, (kept) => store.write(kept), provider);
  const provider: Provider = {
    policies,
    config,
    fleet,
    marks,
    actuator: parts.actuator ?? timedActuator(policies, random, scheduler),
    random,
    scheduler,
    put(machine) {
      const stamped = fleet.put(machine);
      keep({ machine: stamped });
      return stamped;
    },
    mark(key, token) {
      marks.set(key, token);
      keep({ mark: { key, token } });
    },
    nextOperation() {
      operations += 1;
      return operations;
    },
  };
  if (remembered === undefined) {
    sow(provider);
    store.write({ founded: { cursorKey: config.cursorKey } });
  } else {
    resume(remembered.machines, provider);
  }
  policies.background(provider);
  return provider;
}

function sow(provider: Provider): void {
  for (let n = 1; n <= provider.config.seedCount; n += 1) provider.put(provider.policies.seed(n, provider));
}

/** Nothing carries on what an earlier process had begun, so no machine may come back on its way. */
function resume(machines: readonly Machine[], provider: Provider): void {
  provider.fleet.restore(machines);
  for (const machine of machines) {
    if (!isTransitional(machine.state)) continue;
    become(provider.policies.interrupt(machine, provider), machine, provider);
  }
}
