/** One long, repeatable observation of a provider, in process and on a clock that the observer moves. */

import { timedActuator } from '../../src/provider/actuator.js';
import { type Alteration, altered } from '../../src/provider/alteration.js';
import type { Mutation, Token } from '../../src/provider/call.js';
import { FAULTY_FLEET, faultActuator } from '../../src/provider/fault-actuator.js';
import type { Kind } from '../../src/provider/machine.js';
import { type Answered, healthy } from '../../src/provider/policies.js';
import { createProvider } from '../../src/provider/provider.js';
import { seededRandom } from '../../src/provider/random.js';
import type { Scheduler } from '../../src/provider/scheduler.js';
import { FORGETFUL, type Store } from '../../src/provider/store.js';
import { MachineState } from '../../src/wire/gen/provider.js';

/** A scheduler whose time is moved by hand. */
export function manualScheduler(): Scheduler & { advance(ms: number): void } {
  let now = 0;
  let waiting: { readonly at: number; readonly task: () => void }[] = [];
  return {
    after: (ms, task) => {
      waiting.push({ at: now + ms, task });
    },
    close: () => {
      waiting = [];
    },
    advance(ms) {
      now += ms;
      const due = waiting.filter((entry) => entry.at <= now).toSorted((one, other) => one.at - other.at);
      waiting = waiting.filter((entry) => entry.at > now);
      for (const entry of due) entry.task();
    },
  };
}

/** How long past its race a call may stay unanswered, in the scheduler's milliseconds. */
const PATIENCE_MS = 50;

/** What a call may say beyond its kind and machine. */
interface Said {
  readonly fence?: readonly [shard: string, epoch: bigint, sequence: bigint];
  readonly cluster?: string;
  readonly metadata?: Iterable<readonly [string, string]>;
  readonly blobBytes?: number;
  readonly grace?: bigint;
  readonly peer?: string;
}

function mutation(kind: Kind, machineId: string, said: Said): Mutation {
  const [shard, epoch, sequence] = said.fence ?? ['', 0n, 0n];
  const token: Token = { shard, epoch, sequence };
  const addressed = { machineId, token, peer: said.peer ?? 'peer-1' };
  switch (kind) {
    case 'Configure': {
      const metadata = new Map(said.metadata ?? [['k', 'v']]);
      return {
        ...addressed,
        kind,
        cluster: said.cluster ?? 'c1',
        metadata,
        blob: new Uint8Array(said.blobBytes ?? 1),
      };
    }
    case 'Drain':
      return { ...addressed, kind, graceSeconds: said.grace ?? 0n };
    default:
      return { ...addressed, kind };
  }
}

/** How an observed provider differs from the usual one. */
export interface Setting {
  /** Machines in its fleet; 120 unless given. */
  readonly seedCount?: number;
  /** Whether it fails where it is asked to; its transitions then time out after {@link TIMEOUT_MS}. */
  readonly faults?: boolean;
  /** What it keeps for the process after it; nothing unless given. */
  readonly store?: Store;
}

/** When an observed provider with faults gives a transition up, in the scheduler's milliseconds. */
export const TIMEOUT_MS = 20;

/** The provider of one process: what is asked of it is the same every time. */
function start(alteration: Alteration | undefined, setting: Setting, scheduler: Scheduler, boot: string) {
  const { seedCount = 120, faults = false, store = FORGETFUL } = setting;
  const usual = altered(healthy({ minMs: 3, maxMs: 3 }), faults ? FAULTY_FLEET : undefined);
  const policies = altered(usual, alteration);
  const random = seededRandom(1);
  const timed = timedActuator(policies, random, scheduler);
  return createProvider({
    policies,
    config: {
      providerName: 'reference',
      seedCount,
      deletes: true,
      boot,
      cursorKey: boot,
      transitionTimeoutMs: faults ? TIMEOUT_MS : undefined,
    },
    random,
    scheduler,
    store,
    actuator: faults ? faultActuator(policies, timed, scheduler, TIMEOUT_MS) : timed,
  });
}

/** A provider with 120 machines and fixed transition times, and everything it was seen to answer. */
export function observed(alteration: Alteration | undefined, setting: Setting = {}) {
  const scheduler = manualScheduler();
  let boots = 1;
  let provider = start(alteration, setting, scheduler, 'boot-1');
  const trace: unknown[] = [];
  const heldBack = (answered: Answered) => provider.policies.replyTime(answered, provider.random);
  const tick = async () => {
    scheduler.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const list = (said: { states?: MachineState[]; maxResults?: number; since?: Uint8Array } = {}) => {
    const listed = provider.policies.list(
      { states: [], maxResults: 0, since: new Uint8Array(), ...said },
      provider,
    );
    trace.push(listed, heldBack({ rpc: 'List', reply: listed }));
    return listed.ok ? listed : { machines: [], revision: new Uint8Array() };
  };
  const get = (id: string) => {
    const found = provider.policies.get(id, provider);
    trace.push(found, heldBack({ rpc: 'Get', reply: found }));
    return found;
  };
  return {
    trace,
    list,
    get,
    /** Ends the process, at whatever it is, and starts the next one on the same store. */
    restart() {
      scheduler.close();
      boots += 1;
      provider = start(alteration, setting, scheduler, `boot-${boots}`);
    },
    /** Lets time pass in which nothing is asked. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 1) await tick();
    },
    /** Sends calls at once, watches their machines for a while, and returns the replies. */
    async race(ms: number, ...calls: readonly (readonly [Kind, string, Said?])[]) {
      const before = list({ states: [MachineState.MACHINE_STATE_FAILED] }).revision;
      const replies = calls.map(([kind, id, said]) =>
        provider.policies.mutate(mutation(kind, id, said ?? {}), provider),
      );
      let answered = false;
      const all = Promise.all(replies).then((values) => {
        answered = true;
        return values;
      });
      list({ states: [MachineState.MACHINE_STATE_CONFIGURED] });
      for (let passed = 0; passed < ms || !answered; passed += 1) {
        if (passed > ms + PATIENCE_MS) throw new Error('a call is never answered');
        for (const id of new Set(calls.map((call) => call[1]))) get(id);
        await tick();
      }
      const answers = await all;
      trace.push(answers);
      for (const [index, reply] of answers.entries()) {
        const rpc = calls[index]?.[0];
        if (rpc !== undefined) trace.push(heldBack({ rpc, reply }));
      }
      list({ since: before });
      return answers;
    },
  };
}

/** An observed provider. */
export type Observed = ReturnType<typeof observed>;
