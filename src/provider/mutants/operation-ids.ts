/** Bugs of operation ids and of the idempotency they stand for (contract section 4, steps 4 and 6). */
import type { Mutant } from '../alteration.js';
import { isTransitional } from '../machine.js';
import { mintingAgain } from './support.js';

/** Operation id bugs. */
export const OPERATION_IDS: readonly Mutant[] = [
  {
    name: 'fresh-operation-id-on-retry',
    breaks: 'B206',
    says: 'A retry succeeds without a second effect, but with an operation id of its own.',
    alter: mintingAgain(() => true),
  },
  {
    name: 'no-operation-id-on-retry',
    breaks: 'B206',
    says: 'A retry on a machine at its target is answered without an operation id.',
    alter: (base) => ({
      replay(call, machine, provider) {
        const operationId = base.replay(call, machine, provider);
        return operationId === undefined || isTransitional(machine.state) ? operationId : '';
      },
    }),
  },
  {
    name: 'retry-answers-latest-operation',
    breaks: 'B206',
    says: 'A retry is answered with the latest operation id of the whole provider.',
    alter(base) {
      let latest = '';
      return {
        mint(call, machine, provider) {
          latest = base.mint(call, machine, provider);
          return latest;
        },
        replay: (call, machine, provider) => base.replay(call, machine, provider) && latest,
      };
    },
  },
  {
    name: 'operation-id-reused-next-cycle',
    breaks: 'B214',
    says: 'A call of a kind has the operation id of the first of its kind on the machine.',
    alter: (base) => ({
      mint: (call, machine, provider) => machine.led[call.kind]?.id ?? base.mint(call, machine, provider),
    }),
  },
  {
    name: 'drain-shares-operation-id-of-configure',
    breaks: 'B214',
    says: 'A Drain has the operation id of the Configure it undoes.',
    alter: (base) => ({
      mint: (call, machine, provider) =>
        (call.kind === 'Drain' ? machine.led.Configure?.id : undefined) ?? base.mint(call, machine, provider),
    }),
  },
  {
    name: 'reborn-machine-reuses-operation-id',
    breaks: 'B214',
    says: 'A machine that was deleted is created again under its first operation id.',
    alter: (base) => ({
      mint: (call, machine, provider) =>
        (call.kind === 'Create' ? machine.led.Create?.id : undefined) ?? base.mint(call, machine, provider),
    }),
  },
  {
    name: 'operation-id-per-connection',
    breaks: 'B406',
    says: 'A retry on another connection has another operation id.',
    alter(base) {
      const owners = new Map<string, string>();
      return {
        mint(call, machine, provider) {
          const operationId = base.mint(call, machine, provider);
          owners.set(operationId, call.peer);
          return operationId;
        },
        replay(call, machine, provider) {
          const operationId = base.replay(call, machine, provider);
          if (operationId === undefined || owners.get(operationId) === call.peer) return operationId;
          return `${operationId}-${call.peer}`;
        },
      };
    },
  },
  {
    name: 'operation-id-shared-in-a-burst',
    breaks: 'B407',
    says: 'A call accepted while another machine still moves has the operation id of that other move.',
    alter(base) {
      let latest = { id: '', machineId: '' };
      return {
        mint(call, machine, provider) {
          const other = provider.fleet.get(latest.machineId);
          const moves = other !== undefined && other.id !== machine.id && isTransitional(other.state);
          if (moves && other.carriedBy?.id === latest.id) return latest.id;
          latest = { id: base.mint(call, machine, provider), machineId: machine.id };
          return latest.id;
        },
      };
    },
  },
];
