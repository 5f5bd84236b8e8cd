/**
 * What this provider remembers about a machine. Everything here is immutable: a change is a new {@link Machine}
 * put into the fleet, so a snapshot taken at one instant can never be torn by a later one.
 */

/** The eight lifecycle states of contract section 3, without the wire's prefix. */
export type State =
  | 'SPECULATIVE'
  | 'CREATING'
  | 'IDLE'
  | 'CONFIGURING'
  | 'CONFIGURED'
  | 'DRAINING'
  | 'DELETING'
  | 'FAILED';

/** The four mutating calls. */
export type Kind = 'Create' | 'Configure' | 'Drain' | 'Delete';

/** One legal edge: where a kind of call may start, what it shows while it runs, where it ends. */
export interface Edge {
  readonly from: State;
  readonly through: State;
  readonly to: State;
}

/** The four legal edges of contract section 3. */
export const EDGES: Readonly<Record<Kind, Edge>> = {
  Create: { from: 'SPECULATIVE', through: 'CREATING', to: 'IDLE' },
  Configure: { from: 'IDLE', through: 'CONFIGURING', to: 'CONFIGURED' },
  Drain: { from: 'CONFIGURED', through: 'DRAINING', to: 'IDLE' },
  Delete: { from: 'IDLE', through: 'DELETING', to: 'SPECULATIVE' },
};

/** Whether a machine in this state is on its way to another. */
export function isTransitional(state: State): boolean {
  return state === 'CREATING' || state === 'CONFIGURING' || state === 'DRAINING' || state === 'DELETING';
}

/** How capacity is paid for, without the wire's prefix. */
export type Capacity = 'BARE_METAL' | 'RESERVED' | 'ON_DEMAND' | 'SPOT';

/** What a machine is, apart from where it stands in its lifecycle. */
export interface Spec {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacity: Capacity;
  /** Price in currency units an hour. */
  readonly pricePerHour: number;
  /** Chance of an interruption, 0 to 1; above 0 for SPOT. */
  readonly interruptionProbability: number;
  /** Kubernetes quantities of one slot. */
  readonly resources: ReadonlyMap<string, string>;
  /** Kubernetes quantities of the whole node. */
  readonly allocatable: ReadonlyMap<string, string>;
  readonly labels: ReadonlyMap<string, string>;
}

/** The substrate's name for a machine that exists. */
export interface Host {
  readonly provider: string;
  readonly ref: string;
}

/** To whom a machine belongs: cluster and map come and go together. */
export interface Binding {
  readonly cluster: string;
  /** Not changed either, although its type would allow it: records share it. */
  readonly metadata: Map<string, string>;
}

/** One accepted mutation. Compared by identity to recognise a completion that came too late. */
export interface Operation {
  readonly id: string;
  readonly kind: Kind;
}

/** A machine at one instant. */
export interface Machine {
  readonly id: string;
  readonly spec: Spec;
  readonly state: State;
  readonly host: Host | null;
  readonly binding: Binding | null;
  readonly lastError: string;
  /** The operation that led, or is leading, into the present state; none at boot. */
  readonly carriedBy: Operation | null;
  /** The last accepted operation of every kind. */
  readonly led: Readonly<Partial<Record<Kind, Operation>>>;
  /** How often a call of every kind was accepted. */
  readonly accepted: Readonly<Record<Kind, number>>;
  /** The revision at which the record last changed; no two machines share one. */
  readonly changedAt: number;
}
