/** Kills the provider in the middle of a program, and knows what that makes of later breaches (contract section 7). */
import { crash as crashed } from '../../model/crash.js';
import type { Breach } from '../../model/diagnosis.js';
import type { BehaviorId } from '../../model/registry.js';
import type { CrashStep } from '../../properties/program.js';
import type { Cast } from './cast.js';
import type { Judge } from './judge.js';
import type { OperationLedger } from './ledger.js';
import type { Recorder } from './recorder.js';
import { recoveryBehaviors } from './recovery-blame.js';
import { listCall } from './requests.js';
import { Stop } from './stop.js';
import { isMoving } from './tenant.js';
import type { TraceEntry } from './trace.js';
import type { Transcript } from './transcript.js';
import type { World } from './world.js';

/** What happened to the provider's process during a program. */
export class Kills {
  count = 0;
  /** Whether the last one found a transition under way. */
  private cutShort = false;
  /** Machines for which a call was accepted since. */
  private readonly calledSince = new Set<string>();

  constructor(private readonly ledger: OperationLedger) {}

  /** One more kill. */
  add(cutShort: boolean): void {
    this.count += 1;
    this.ledger.kills += 1;
    this.cutShort = cutShort;
    this.calledSince.clear();
  }

  /** A call was accepted for the machine. */
  accepted(machineId: string): void {
    this.calledSince.add(machineId);
  }

  /** Whose a breach is: after a kill, that of what should have survived it. */
  blame(breach: Breach, { call }: TraceEntry): Breach {
    if (this.count > 0) {
      const called = call.kind !== 'List' && this.calledSince.has(call.machineId);
      return { ...breach, behaviors: recoveryBehaviors(breach, called, this.cutShort) };
    }
    if (this.ledger.kills === 0 || breach.ifFenced === undefined) return breach;
    // The marks of an earlier program may have been lost or mixed up by the kill.
    const behaviors = [...new Set<BehaviorId>(['B1007', ...breach.behaviors])];
    return { ...breach, behaviors, ifFenced: ['B1007', ...breach.ifFenced] };
  }
}

/**
 * Kills the provider, maybe with a call in flight, boots it again, and lists everything; machines are yet to settle.
 * @returns whether a transition was seen under way before the kill
 * @throws Stop where what comes back is not what was left
 */
export async function runCrash(
  step: CrashStep,
  cast: Cast,
  transcript: Transcript,
  judge: Judge,
  kills: Kills,
  world: World,
): Promise<boolean> {
  if (world.crash === undefined) throw Stop.inconclusive('there is no process of ours to kill');
  const flight = step.during && cast.mutation(step.during);
  transcript.steps.push({ ...step, during: flight === null ? null : flight.step });
  const reply = flight && transcript.exchange(flight.call);
  if (flight) await world.sleep(step.afterMs);
  const moving = cast.tenants.some(isMoving);
  await world.crash().catch((error: Error) => lost(error, transcript));
  if (flight && reply) {
    const { outcome, entry } = await reply;
    transcript.conclude(
      judge.mutation(flight.tenant, flight.call, outcome, cast.others(flight.tenant)),
      entry,
    );
  }
  kills.add(moving || flight !== null);
  for (const tenant of cast.tenants) tenant.belief = crashed(tenant.belief, world.model);
  const { outcome, entry } = await transcript.exchange(listCall());
  transcript.conclude(judge.recovered(cast.tenants, world.inventory, outcome), entry);
  return moving;
}

/** What a crash that was survived is evidence of. */
export function noteCrash(recorder: Recorder, moving: boolean): void {
  if (moving) recorder.note('B1006');
  recorder.note('B1004', 'kills');
}

/** The provider did not come back on its own state: whatever it knew is gone (B1004). */
function lost(error: Error, transcript: Transcript): never {
  return transcript.broken({
    behaviors: ['B1004'],
    rule: 'recovery',
    aspect: 'boot',
    expected: ['a provider that comes back on the state it left'],
    observed: error.message,
  });
}
