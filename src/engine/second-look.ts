/** Looks again at a record that is wrong, to say whose fault it is. It never decides whether it is wrong. */
import type { Ack, Outcome } from '../../model/call.js';
import type { Breach } from '../../model/diagnosis.js';
import { hasHost, type MachineRecord } from '../../model/record.js';
import type { BehaviorId } from '../../model/registry.js';
import { sameMap } from '../../model/state.js';
import type { Judgement } from './judge.js';
import type { Tenant } from './tenant.js';
import type { World } from './world.js';

/** How long a machine that broke the contract is followed to see where that leads, in milliseconds. */
const LONGEST_LOOK_MS = 2_000;
const PAUSE_MS = 50;

/**
 * A record that is wrong in an ack may be wrong everywhere, or only there, torn from two instants (B408). A Get tells,
 * as long as the machine has not moved on. A map that is wrong on the way may be wrong at rest as well.
 */
export async function secondLook(
  world: World,
  tenant: Tenant,
  outcome: Outcome<Ack>,
  judgement: Judgement,
): Promise<Judgement> {
  const { breach } = judgement;
  const snapshot = outcome.kind === 'ok' ? outcome.reply.machine : null;
  if (!breach?.aspect.startsWith('snapshot ') || snapshot === null || breach.aspect === 'snapshot state') {
    return judgement;
  }
  const { outcome: look } = await world.provider.call({ kind: 'Get', machineId: tenant.id } as const);
  if (look.kind === 'ok' && look.reply.state === snapshot.state && !sameRecord(look.reply, snapshot)) {
    const behaviors = [...new Set<BehaviorId>(['B408', ...breach.behaviors])];
    return { ...judgement, breach: { ...breach, behaviors } };
  }
  return { ...judgement, breach: await atRest(world, tenant, breach, snapshot) };
}

/** Whose a wrong map is: that of the window alone (B504), or of whoever keeps the map. */
export async function atRest(
  world: World,
  tenant: Tenant,
  breach: Breach,
  shown: MachineRecord,
): Promise<Breach> {
  if (!breach.aspect.endsWith('metadata') || shown.state !== 'CONFIGURING') return breach;
  const { clock, sleep, limits, provider } = world;
  const deadline = clock() + Math.min(limits.settleTimeoutMs, LONGEST_LOOK_MS);
  while (clock() < deadline) {
    const { outcome } = await provider.call({ kind: 'Get', machineId: tenant.id } as const);
    if (outcome.kind !== 'ok') return breach;
    const { state, shardMetadata } = outcome.reply;
    if (state !== 'CONFIGURING') {
      const same = state === 'CONFIGURED' && sameMap(shardMetadata, shown.shardMetadata);
      return {
        ...breach,
        behaviors: same ? breach.behaviors.filter((id) => id !== 'B504') : breach.behaviors,
      };
    }
    await sleep(PAUSE_MS);
  }
  return breach;
}

function sameRecord(a: MachineRecord, b: MachineRecord): boolean {
  return a.cluster === b.cluster && sameMap(a.shardMetadata, b.shardMetadata) && hasHost(a) === hasHost(b);
}
