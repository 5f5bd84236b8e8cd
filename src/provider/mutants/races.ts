/** Bugs that need two calls at once (contract section 6). */
import type { Mutant } from '../alteration.js';
import type { Mutation, Reply } from '../call.js';
import { Marks } from '../fence.js';
import type { Kind } from '../machine.js';
import { begin, check } from '../policies.js';
import type { Provider } from '../provider.js';
import { pause } from '../scheduler.js';
import { type Alter, mintingAgain, run, settling, startingFrom } from './support.js';

/** Milliseconds between a check and the act that relies on it. */
const GAP_MS = 2;

/** Concurrency bugs. */
export const RACES: readonly Mutant[] = [
  {
    name: 'double-effect',
    breaks: 'B401',
    says: 'Racing Creates are checked before either has begun, so each has its own effect and operation id.',
    alter: checkThenAct('Create'),
  },
  {
    name: 'configure-double-effect',
    breaks: 'B402',
    says: 'Racing Configures are checked before either has begun, so each has its own effect and operation id.',
    alter: checkThenAct('Configure'),
  },
  {
    name: 'drain-double-effect',
    breaks: 'B403',
    says: 'Racing Drains are checked before either has begun, so each has its own effect and operation id.',
    alter: checkThenAct('Drain'),
  },
  {
    name: 'delete-double-effect',
    breaks: 'B409',
    says: 'Racing Deletes are checked before either has begun, so each has its own effect and operation id.',
    alter: checkThenAct('Delete'),
  },
  {
    name: 'configure-retry-in-flight-mints-again',
    breaks: 'B402',
    says: 'A Configure repeated while the first is in flight has an operation id of its own.',
    alter: mintingAgain((call, machine) => call.kind === 'Configure' && machine.state === 'CONFIGURING'),
  },
  {
    name: 'drain-retry-in-flight-keeps-map',
    breaks: 'B403',
    says: 'A Drain repeated while the first is in flight leaves the map on the drained machine.',
    alter(base) {
      const repeated = new Set<string>();
      const keeps = settling('Drain', (settled, before) =>
        repeated.delete(before.id)
          ? { ...settled, binding: { cluster: '', metadata: before.binding?.metadata ?? new Map() } }
          : settled,
      );
      return {
        ...keeps(base),
        replay(call, machine, provider) {
          if (call.kind === 'Drain' && machine.state === 'DRAINING') repeated.add(machine.id);
          return base.replay(call, machine, provider);
        },
      };
    },
  },
  {
    name: 'lost-race',
    breaks: 'B404',
    says: 'The second of two racing Configures gets the operation id of the first, and the machine its own cluster.',
    alter: (base) => ({
      idempotency(call, provider) {
        const machine = provider.fleet.get(call.machineId);
        const races = call.kind === 'Configure' && machine?.state === 'CONFIGURING';
        if (races && call.cluster !== machine.binding?.cluster) {
          provider.put({ ...machine, binding: base.bind(call, machine) });
        }
        return base.idempotency(call, provider);
      },
    }),
  },
  {
    name: 'drain-interrupts-configure',
    breaks: 'B404',
    says: 'A Drain is accepted while the Configure is still in flight, and the machine ends up Configured.',
    alter(base) {
      const interrupting = new Set<string>();
      return {
        ...startingFrom('Drain', 'CONFIGURING')(base),
        enter(call, machine, operation, provider) {
          if (call.kind === 'Drain' && machine.state === 'CONFIGURING') interrupting.add(operation.id);
          return base.enter(call, machine, operation, provider);
        },
        settle(machine, provider) {
          return interrupting.has(machine.carriedBy?.id ?? '')
            ? { ...machine, state: 'CONFIGURED' }
            : base.settle(machine, provider);
        },
      };
    },
  },
  {
    name: 'delete-interrupts-configure',
    breaks: 'B404',
    says: 'A Delete that finds the machine CONFIGURING is refused, and takes its host and binding away.',
    alter: (base) => ({
      position(call, provider) {
        const machine = provider.fleet.get(call.machineId);
        if (call.kind === 'Delete' && machine?.state === 'CONFIGURING') {
          provider.put({ ...machine, host: null, binding: null });
        }
        return base.position(call, provider);
      },
    }),
  },
  {
    name: 'zombie-overtakes',
    breaks: 'B405',
    says: 'The mark is read some time before it is moved, so a zombie that raced the live shard sets it back.',
    alter: () => ({ mutate: (call, provider) => fencedByThePast(call, provider) }),
  },
  {
    name: 'burst-create-loses-one',
    breaks: 'B407',
    says: 'Of two machines being created at once, the earlier one never becomes Idle.',
    alter(base) {
      let latest = '';
      return {
        enter(call, machine, operation, provider) {
          if (call.kind === 'Create') latest = machine.id;
          return base.enter(call, machine, operation, provider);
        },
        settle(machine, provider) {
          const overtaken =
            machine.state === 'CREATING' &&
            latest !== machine.id &&
            provider.fleet.get(latest)?.state === 'CREATING';
          return overtaken ? machine : base.settle(machine, provider);
        },
      };
    },
  },
  {
    name: 'torn-snapshot',
    breaks: 'B408',
    says: 'The ack of a retry has the state of now in the record of the first ack.',
    alter(base) {
      const first = new Map<string, ReturnType<typeof base.view>>();
      return {
        accept(call, machine, provider) {
          const ack = base.accept(call, machine, provider);
          first.set(ack.operationId, ack.machine);
          return ack;
        },
        idempotency(call, provider) {
          const reply = base.idempotency(call, provider);
          const record = reply?.ok ? first.get(reply.operationId) : undefined;
          if (!reply?.ok || record === undefined) return reply;
          return { ...reply, machine: { ...record, state: reply.machine.state } };
        },
      };
    },
  },
];

/** Lets racing calls of a kind pass their checks together. */
function checkThenAct(kind: Kind): Alter {
  return () => ({
    mutate(call, provider) {
      const refused = check(call, provider);
      if (refused !== undefined || call.kind !== kind) return refused ?? begin(call, provider);
      return pause(provider.scheduler, GAP_MS).then(() => begin(call, provider));
    },
  });
}

async function fencedByThePast(call: Mutation, provider: Provider): Promise<Reply> {
  const { policies } = provider;
  const token = policies.tokenOf(call);
  if (token === undefined) return run(call, provider);
  const key = policies.markKey(token, call.machineId);
  const mark = provider.marks.get(key);
  await pause(provider.scheduler, GAP_MS);
  const marks = new Marks(mark === undefined ? [] : [[key, mark]]);
  return run(call, { ...provider, marks });
}
