/**
 * The shortest program that shows a violation: breadth-first search over a mutant and the model together. Programs that
 * leave both in the same state are followed once. What a mutant remembers outside its machines and marks is not part of
 * that state, so programs of one step are never merged.
 */
import type { BehaviorId } from '../../../model/registry.js';
import { firstMet, stateKey } from '../../../model/state.js';
import type { Program, Step } from '../../../properties/program.js';
import { execute } from '../../engine/execute.js';
import { OperationLedger } from '../../engine/ledger.js';
import { Recorder } from '../../engine/recorder.js';
import type { Tenant } from '../../engine/tenant.js';
import type { Violation } from '../../engine/trace.js';
import type { World } from '../../engine/world.js';
import { ALPHABET, CORE } from './alphabet.js';
import { VirtualProvider } from './virtual-provider.js';
import { VirtualTime } from './virtual-time.js';

/** Which violation of which mutant, and how short a program showed it already. */
export interface Search {
  readonly mutant: string;
  readonly rule: string;
  /** Without the word that says where it was seen. */
  readonly aspect: string;
  /** What it was blamed on, the first first. */
  readonly behaviors: readonly BehaviorId[];
  readonly known: number;
}

/** What the search found. */
export interface SearchResult {
  /** Steps of the shortest program; null where the search was given up before it knew. */
  readonly length: number | null;
  readonly note: string;
}

/** Programs that one search tries before it is given up; counted, so that a busy machine finds the same. */
const MOST_PROGRAMS = 50_000;
/** From this length on, programs that lead to the same state are followed once. */
const MERGED = 2;
/** Up to this length programs are made of every step, longer ones of the core alone. */
const WIDE = 2;
const MACHINES = 3;

/** Looks for a program shorter than the known one; where there is none, that one is as short as can be. */
export async function shortest(search: Search): Promise<SearchResult> {
  let prefixes: readonly (readonly Step[])[] = [[]];
  let programs = 0;
  for (let length = 1; length < search.known; length++) {
    const reached = new Map<string, readonly Step[]>();
    for (const prefix of prefixes) {
      for (const step of length > WIDE ? CORE : ALPHABET) {
        if (programs === MOST_PROGRAMS)
          return { length: null, note: `given up at length ${length} after ${programs} programs` };
        programs += 1;
        const steps = [...prefix, step];
        const { found, key } = await tried(steps, search);
        if (found) return { length, note: steps.map(({ call }) => call).join(' ') };
        if (key === null) continue;
        // A step into the same state leads nowhere that a shorter program does not.
        const place = length < MERGED ? `${reached.size}` : key;
        if (!reached.has(place)) reached.set(place, steps);
      }
    }
    prefixes = [...reached.values()].filter(
      (steps) => length < WIDE || steps.every((step) => CORE.includes(step)),
    );
  }
  return { length: search.known, note: `${programs} shorter programs do not show it` };
}

/** Runs one program on a new provider. `key` is null where it ended early. */
async function tried(
  steps: readonly Step[],
  search: Search,
): Promise<{ found: boolean; key: string | null }> {
  const time = new VirtualTime();
  const provider = new VirtualProvider(time, {
    provider: { seedCount: MACHINES, mutant: search.mutant },
    connections: 4,
    seed: 1,
    transitMs: 0.5,
    timeScale: 1,
  });
  return time.run(
    (async () => {
      const { listing } = await provider.start();
      const tenants: Tenant[] = listing.machines.map(({ id }) => ({ id, belief: [firstMet('SPECULATIVE')] }));
      const program: Program = { machines: MACHINES, steps, branches: [] };
      const names = { shards: 'shortest', unknownMachine: 'no-such-machine' };
      const execution = await execute(program, tenants, names, worldOf(provider, time), new Recorder(), {
        bringBack: false,
      });
      const found = execution.violations.some((violation) => isSought(violation, search));
      if (execution.violations.length > 0 || execution.inconclusive !== null) return { found, key: null };
      const beliefs = tenants.map(({ belief }) => belief.map(stateKey).join('\u0002'));
      return { found, key: `${beliefs.join('\u0003')}${provider.fingerprint()}` };
    })(),
  );
}

/** Behaviors that only experiments after the shrinking name; before them the breach is blamed on another one. */
const NAMED_BY_EXPERIMENT: ReadonlySet<string> = new Set(['B302', 'B310', 'B312', 'B406', 'B1201', 'B1204']);

function isSought({ breach }: Violation, { rule, aspect, behaviors }: Search): boolean {
  const [first] = breach.behaviors;
  const [wanted = ''] = behaviors;
  if (breach.rule !== rule || bare(breach.aspect) !== aspect || first === undefined) return false;
  return first === wanted || (NAMED_BY_EXPERIMENT.has(wanted) && behaviors.includes(first));
}

/** An ack's snapshot and a read show the same thing. */
export function bare(aspect: string): string {
  return aspect.replace(/^snapshot /, '');
}

function worldOf(provider: VirtualProvider, { clock, sleep }: VirtualTime): World {
  return {
    provider,
    connections: provider.connections,
    model: { capabilities: { delete: true, sinceRevision: true }, faults: false },
    limits: { settleTimeoutMs: 1_000, stabilityWindowMs: 50, stuckIsBreach: true },
    ledger: new OperationLedger(),
    touched: new Set(),
    inventory: [],
    clock,
    sleep,
  };
}
