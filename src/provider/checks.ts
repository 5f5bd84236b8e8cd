/** The checks before a mutation is accepted, steps 1, 3, 4 and 5 of contract section 4. */
import { type Ack, type Mutation, type Rejection, type Reply, reject } from './call.js';
import { EDGES, type Machine } from './machine.js';
import type { Provider } from './provider.js';

/** Step 1: refuses a request that no state of the fleet could make right. */
export function shape(call: Mutation, provider: Provider): Rejection | undefined {
  if (call.machineId === '') return reject('INVALID_ARGUMENT', 'machine_id is empty');
  if (call.kind === 'Delete' && !provider.config.deletes) {
    return reject('UNIMPLEMENTED', 'this provider does not delete machines');
  }
  const { shard, epoch, sequence } = call.token;
  if (shard !== '' && (epoch < 0n || sequence < 0n)) {
    return reject('INVALID_ARGUMENT', 'shard_epoch and sequence_number must not be negative');
  }
  if (call.kind === 'Drain' && call.graceSeconds < 0n) {
    return reject('INVALID_ARGUMENT', 'grace_period_seconds must not be negative');
  }
  return undefined;
}

/** Step 3: refuses an id that no machine bears. */
export function existence(call: Mutation, provider: Provider): Rejection | undefined {
  return provider.fleet.get(call.machineId) === undefined ? unknown(call.machineId) : undefined;
}

/** How much of a client's own words an error repeats, in UTF-16 units: errors travel in headers, which are small. */
const QUOTED_UNITS = 100;

/** The refusal of an id that no machine bears. */
export function unknown(id: string): Rejection {
  return reject('NOT_FOUND', `no machine ${JSON.stringify(id.slice(0, QUOTED_UNITS))}`);
}

/** Step 4: answers a call that already has, or is having, its effect. */
export function idempotency(call: Mutation, provider: Provider): Reply | undefined {
  const machine = provider.fleet.get(call.machineId);
  if (machine === undefined) return undefined;
  const operationId = provider.policies.replay(call, machine, provider);
  return operationId === undefined ? undefined : acknowledge(operationId, machine, provider);
}

/**
 * The operation a call would only repeat, if any.
 *
 * A call repeats the operation that is carrying the machine, or has carried it where it rests. Create has two
 * ways to be at its target: a machine that was created once and has since been drained is still a created one
 * (A2), so it answers with the Create of its present life. Drain has only its own.
 */
export function replay(call: Mutation, machine: Machine): string | undefined {
  const { through, to } = EDGES[call.kind];
  const carrier = machine.carriedBy;
  if (carrier?.kind === call.kind && (machine.state === through || machine.state === to)) return carrier.id;
  if (call.kind === 'Create' && machine.state === to) return machine.led.Create?.id;
  return undefined;
}

/** Step 5: refuses a call that does not start on its legal edge. */
export function position(call: Mutation, provider: Provider): Rejection | undefined {
  const machine = provider.fleet.get(call.machineId);
  if (machine === undefined || provider.policies.starts(call, machine, provider)) return undefined;
  return provider.policies.wrongPosition(call, machine);
}

/** Whether a machine stands where this kind of call may start. */
export function starts(call: Mutation, machine: Machine): boolean {
  return machine.state === EDGES[call.kind].from;
}

/** The refusal of a call from the wrong place; never the fence's code (A7). */
export function wrongPosition(call: Mutation, machine: Machine): Rejection {
  return reject('INTERNAL', `${call.kind} cannot start from ${machine.state}`);
}

/** An ack with the machine as it is at this instant. */
export function acknowledge(operationId: string, machine: Machine, provider: Provider): Ack {
  return { ok: true, operationId, machine: provider.policies.view(machine, 'ack', provider) };
}
