/** Makes histories of the toy lifecycle that are linearizable by construction, from a seed. */
import type { HistoryCall } from '../../src/engine/linearize.js';
import {
  acked,
  FENCED,
  get,
  type Kind,
  type LifecycleCall,
  type LifecycleState,
  lifecycle,
  mutation,
  type Phase,
  REJECTED,
  type Token,
} from './lifecycle.js';

/** The shape of a made history. */
export interface Shape {
  readonly machines: number;
  readonly callsPerMachine: number;
  /** Calls kept in flight on each machine. */
  readonly inFlight: number;
  /** Share of the mutations whose reply is lost; half of those take effect. */
  readonly lost: number;
  readonly seed: number;
}

/** Uniform numbers in [0, 1) from a seed (mulberry32). */
type Random = () => number;
function random(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A history of `shape`; the machines' calls interleave. */
export function honestHistory(shape: Shape): HistoryCall<LifecycleCall>[] {
  const draw = random(shape.seed);
  const machines = Array.from({ length: shape.machines }, (_, i) => new Machine(`machine-${i}`, shape, draw));
  const busy = new Set(machines);
  for (let now = 0; busy.size > 0; now++) {
    const one = pick([...busy], draw);
    if (!one.tick(now)) busy.delete(one);
  }
  return machines.flatMap((one) => one.history);
}

interface Flight {
  readonly lane: number;
  readonly invokedAt: number;
  readonly wanted: LifecycleCall;
  readonly lost: boolean;
  /** The call with its reply, once it took effect. */
  answered: LifecycleCall | null;
}

class Machine {
  readonly history: HistoryCall<LifecycleCall>[] = [];
  readonly #name: string;
  readonly #shape: Shape;
  readonly #draw: Random;
  readonly #flying: Flight[] = [];
  #state: LifecycleState;
  #sent = 0;

  constructor(name: string, shape: Shape, draw: Random) {
    this.#name = name;
    this.#shape = shape;
    this.#draw = draw;
    this.#state = pick(lifecycle.initial(name), draw);
  }

  /** Sends a call, lets one take effect, or answers one; false when nothing is left to do. */
  tick(now: number): boolean {
    if (this.#flying.length < this.#shape.inFlight && this.#sent < this.#shape.callsPerMachine) {
      this.#send(now);
      return true;
    }
    if (this.#flying.length === 0) return false;
    const flight = pick(this.#flying, this.#draw);
    if (flight.answered === null) {
      if (!flight.lost || this.#draw() < 0.5) this.#takeEffect(flight);
      if (flight.lost) this.#close(flight, flight.wanted, null);
    } else {
      this.#close(flight, flight.answered, now);
    }
    return true;
  }

  #send(now: number): void {
    const lanes = new Set(this.#flying.map(({ lane }) => lane));
    const lane = Array.from({ length: this.#shape.inFlight }, (_, i) => i).find((i) => !lanes.has(i)) ?? 0;
    const wanted = this.#wanted();
    const lost = wanted.kind !== 'Get' && this.#draw() < this.#shape.lost;
    this.#flying.push({ lane, invokedAt: now, wanted, lost, answered: null });
    this.#sent += 1;
  }

  #wanted(): LifecycleCall {
    const kind = pick(
      ['Get', 'Create', 'Configure', 'Configure', 'Drain', 'Drain', 'Delete'] as const,
      this.#draw,
    );
    if (kind === 'Get') return get('SPECULATIVE');
    const token: Token = [pick(['a', 'b'], this.#draw), 1, this.#sent + Math.floor(this.#draw() * 4)];
    return mutation(kind, { token: this.#draw() < 0.5 ? token : null });
  }

  #takeEffect(flight: Flight): void {
    const possible = flight.lost ? [flight.wanted] : this.#replies(flight.wanted);
    const explained = possible.filter((one) => lifecycle.step(this.#state, one).length > 0);
    flight.answered = pick(explained, this.#draw);
    this.#state = pick(lifecycle.step(this.#state, flight.answered), this.#draw);
  }

  #replies(wanted: LifecycleCall): LifecycleCall[] {
    if (wanted.kind === 'Get') return PHASES.flatMap((phase) => [get(phase), get(phase, 'c1')]);
    const ids = [this.#state.operation?.id ?? null, `${this.#name}-${this.#state.usedIds.length}`];
    const acks = ids.flatMap((id) => (id === null ? [] : this.#acks(wanted.kind, id)));
    return [...acks, FENCED, REJECTED].map((reply) => ({ ...wanted, reply }));
  }

  #acks(kind: Kind, id: string) {
    return ACKED_IN[kind].flatMap((phase) => [acked(id, phase), acked(id, phase, 'c1')]);
  }

  #close(flight: Flight, what: LifecycleCall, returnedAt: number | null): void {
    this.#flying.splice(this.#flying.indexOf(flight), 1);
    const { lane, invokedAt } = flight;
    this.history.push({ partition: this.#name, call: what, invokedAt, returnedAt, lane });
  }
}

const PHASES: readonly Phase[] = [
  'SPECULATIVE',
  'CREATING',
  'IDLE',
  'CONFIGURING',
  'CONFIGURED',
  'DRAINING',
  'DELETING',
];
const ACKED_IN: Record<Kind, readonly Phase[]> = {
  Create: ['CREATING', 'IDLE'],
  Configure: ['CONFIGURING', 'CONFIGURED'],
  Drain: ['DRAINING', 'IDLE'],
  Delete: ['DELETING', 'SPECULATIVE'],
};

function pick<T>(from: readonly T[], draw: Random): T {
  const one = from[Math.floor(draw() * from.length)];
  if (one === undefined) throw new RangeError('nothing to pick from');
  return one;
}

/** The same history with a last read that no history explains. */
export function spoiled(
  history: readonly HistoryCall<LifecycleCall>[],
  partition: string,
): HistoryCall<LifecycleCall>[] {
  const end = Math.max(...history.map(({ invokedAt, returnedAt }) => returnedAt ?? invokedAt));
  const impossible = get('CONFIGURED', 'a cluster that nobody named');
  return [...history, { partition, call: impossible, invokedAt: end + 1, returnedAt: end + 2, lane: 0 }];
}
