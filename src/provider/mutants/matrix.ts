/** Bugs of the transition matrix and its codes (contract section 4, steps 3 to 5). */
import { MachineState } from '../../wire/gen/provider.js';
import type { Mutant } from '../alteration.js';
import { reject } from '../call.js';
import { refusing, startingFrom } from './support.js';

/** Transition matrix bugs. */
export const MATRIX: readonly Mutant[] = [
  {
    name: 'failed-precondition-for-wrong-position',
    breaks: 'B201',
    says: 'A call from the wrong place is refused with the code of the fence.',
    alter: refusing('FAILED_PRECONDITION', () => true),
  },
  {
    name: 'partial-transition-on-rejection',
    breaks: 'B201',
    says: 'A Create refused on a Configured machine still moves it to Idle.',
    alter: (base) => ({
      position(call, provider) {
        const refused = base.position(call, provider);
        const machine = provider.fleet.get(call.machineId);
        if (refused !== undefined && call.kind === 'Create' && machine?.state === 'CONFIGURED') {
          provider.put({ ...machine, state: 'IDLE', binding: null });
        }
        return refused;
      },
    }),
  },
  {
    name: 'create-restarts-configured',
    breaks: 'B201',
    says: 'Create on a Configured machine makes it anew.',
    alter: startingFrom('Create', 'CONFIGURED'),
  },
  {
    name: 'configure-speculative-accepted',
    breaks: 'B202',
    says: 'Configure on a Speculative machine is accepted, as if it had been created.',
    alter: startingFrom('Configure', 'SPECULATIVE'),
  },
  {
    name: 'configure-speculative-creates',
    breaks: 'B202',
    says: 'A Configure refused on a Speculative machine creates it all the same.',
    alter: (base) => ({
      position(call, provider) {
        const refused = base.position(call, provider);
        const machine = provider.fleet.get(call.machineId);
        if (refused !== undefined && call.kind === 'Configure' && machine?.state === 'SPECULATIVE') {
          provider.put({ ...machine, state: 'IDLE', host: base.host(machine, provider) });
        }
        return refused;
      },
    }),
  },
  {
    name: 'drain-on-idle-failed-precondition',
    breaks: 'B203',
    says: 'Drain on a machine that was never configured is refused with the code of the fence.',
    alter: refusing(
      'FAILED_PRECONDITION',
      (call, machine) => call.kind === 'Drain' && machine.state === 'IDLE',
    ),
  },
  {
    name: 'drain-on-idle-accepted',
    breaks: 'B203',
    says: 'Drain on an Idle machine starts a Drain.',
    alter: startingFrom('Drain', 'IDLE'),
  },
  {
    name: 'delete-allowed-on-configured',
    breaks: 'B204',
    says: 'Delete takes a Configured machine away from its cluster.',
    alter: (base) => ({
      ...startingFrom('Delete', 'CONFIGURED')(base),
      settle(machine, provider) {
        const settled = base.settle(machine, provider);
        return settled.state === 'SPECULATIVE' ? { ...settled, binding: null } : settled;
      },
    }),
  },
  {
    name: 'delete-on-speculative-failed-precondition',
    breaks: 'B204',
    says: 'Delete on a Speculative machine is refused with the code of the fence.',
    alter: refusing('FAILED_PRECONDITION', (call, machine) => {
      return call.kind === 'Delete' && machine.state === 'SPECULATIVE';
    }),
  },
  {
    name: 'reconfigure-rejected',
    breaks: 'B205',
    says: 'A Configure repeated on its Configured machine is refused.',
    alter: (base) => ({
      replay: (call, machine, provider) =>
        call.kind === 'Configure' && machine.state === 'CONFIGURED'
          ? undefined
          : base.replay(call, machine, provider),
    }),
  },
  {
    name: 'recreate-rejected',
    breaks: 'B205',
    says: 'A Create repeated on its Idle machine is refused.',
    alter: (base) => ({
      replay: (call, machine, provider) =>
        call.kind === 'Create' && machine.state === 'IDLE' ? undefined : base.replay(call, machine, provider),
    }),
  },
  {
    name: 'reconfigure-restarts',
    breaks: 'B205',
    says: 'A Configure repeated on its Configured machine succeeds by moving it through CONFIGURING again.',
    alter: (base) => ({
      idempotency(call, provider) {
        const reply = base.idempotency(call, provider);
        const machine = provider.fleet.get(call.machineId);
        if (reply?.ok && call.kind === 'Configure' && machine?.state === 'CONFIGURED') {
          provider.put({ ...machine, state: 'CONFIGURING' });
          provider.scheduler.after(8, () => provider.put(machine));
        }
        return reply;
      },
    }),
  },
  {
    name: 'silent-create',
    breaks: 'B207',
    says: 'Create on an unknown id makes a machine of that id.',
    alter: (base) => ({
      existence(call, provider) {
        if (call.kind === 'Create' && provider.fleet.get(call.machineId) === undefined) {
          provider.put({ ...base.seed(1, provider), id: call.machineId });
        }
        return base.existence(call, provider);
      },
    }),
  },
  {
    name: 'unknown-is-failed-precondition',
    breaks: 'B207',
    says: 'Drain on an unknown id is refused with the code of the fence.',
    alter: (base) => ({
      existence(call, provider) {
        const refused = base.existence(call, provider);
        if (refused === undefined || refused.ok || call.kind !== 'Drain') return refused;
        return reject('FAILED_PRECONDITION', refused.message);
      },
    }),
  },
  {
    name: 'get-unknown-is-empty',
    breaks: 'B215',
    says: 'Get on an unknown id answers with a machine that has nothing but the id.',
    alter: (base) => ({
      get(id, provider) {
        const found = base.get(id, provider);
        if (found.ok || id === '') return found;
        const nothing = base.view(base.seed(1, provider), 'get', provider);
        const state = MachineState.MACHINE_STATE_UNSPECIFIED;
        return { ok: true, machine: { ...nothing, id, state, instanceType: '', zone: '' } };
      },
    }),
  },
  {
    name: 'delete-unknown-succeeds',
    breaks: 'B215',
    says: 'Delete on an unknown id succeeds, since the machine is not there.',
    alter: (base) => ({
      existence(call, provider) {
        const refused = base.existence(call, provider);
        if (refused === undefined || call.kind !== 'Delete') return refused;
        const machine = { ...base.seed(1, provider), id: call.machineId };
        const operationId = base.mint(call, machine, provider);
        return { ok: true, operationId, machine: base.view(machine, 'ack', provider) };
      },
    }),
  },
  {
    name: 'third-configure-refused',
    breaks: 'B1203',
    says: 'The third Configure of a machine is refused although it is Idle.',
    alter: (base) => ({
      starts: (call, machine, provider) =>
        base.starts(call, machine, provider) &&
        !(call.kind === 'Configure' && machine.accepted.Configure === 2),
    }),
  },
  {
    name: 'reborn-machine-refuses-configure',
    breaks: 'B1203',
    says: 'A machine that was deleted and created again cannot be configured.',
    alter: (base) => ({
      starts: (call, machine, provider) =>
        base.starts(call, machine, provider) && !(call.kind === 'Configure' && machine.accepted.Delete > 0),
    }),
  },
  {
    name: 'position-refused-as-fenced-when-shards-alternate',
    breaks: 'B1204',
    says: 'A call from the wrong place gets the code of the fence if another shard called the machine before.',
    alter(base) {
      const callers = new Map<string, { last: string; before: string }>();
      return {
        fence(call, provider) {
          const refused = base.fence(call, provider);
          if (refused === undefined && call.token.shard !== '') {
            const before = callers.get(call.machineId)?.last ?? call.token.shard;
            callers.set(call.machineId, { last: call.token.shard, before });
          }
          return refused;
        },
        position(call, provider) {
          const refused = base.position(call, provider);
          const before = callers.get(call.machineId)?.before ?? '';
          const alternates = call.token.shard !== '' && before !== call.token.shard;
          return refused !== undefined && alternates
            ? reject('FAILED_PRECONDITION', 'the machine is held by another shard')
            : refused;
        },
      };
    },
  },
];
