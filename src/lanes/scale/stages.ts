/** The stages that the lane goes through on its large fleet, in order. */
import { inParallel } from '../../engine/parallel.js';
import type { Tenant } from '../../engine/tenant.js';
import { SCALE_CASES } from './cases.js';
import { checkDelta } from './delta.js';
import { checkPaging } from './paging.js';
import { reckon } from './reckoning.js';
import { hold, isSpeculative, runCase, type ScaleRun } from './run.js';
import { Soak, type SoakPlan } from './soak.js';
import { CaseStopped } from './stopped.js';
import { walkToIdle } from './walk-to-idle.js';

/** Machines that rest during the soak, for each of Idle, Configured and Speculative; the rest is churned. */
const MOST_IDLE = 64;
const MOST_CONFIGURED = 32;
const MOST_SPECULATIVE = 64;
/** Machines created beside the Configures of the second batch, so that it is of more than one kind. */
const MOST_CREATED = 64;
const NO_CURSORS = 'the provider sends no revision, so it has no cursors';

/** Walks machines to Idle (B1108), checks deltas and paging on them (B1102, B1103), and says who rests from now on. */
export async function prepare(run: ScaleRun): Promise<SoakPlan> {
  const arrived: Tenant[] = [];
  await runCase(run, SCALE_CASES.walkToIdle, () => walkToIdle(run, arrived));
  run.tools.lane.evidence('B1108', 'machines', arrived.length);
  const held = arrived.length > 0 ? arrived : hold(run, run.options.parallel, () => true);
  const idle = held.slice(0, Math.min(MOST_IDLE, Math.floor(held.length / 4)));
  const configured = held.slice(idle.length, idle.length + Math.min(MOST_CONFIGURED, held.length >> 3));
  const created = hold(run, Math.min(MOST_CREATED, held.length >> 2), isSpeculative);
  const parked = await batches(run, arrived, configured, created);
  const speculative = hold(run, MOST_SPECULATIVE, isSpeculative);
  return {
    steady: [...idle, ...parked, ...speculative],
    churned: [...held.slice(idle.length + configured.length), ...created].filter(
      (tenant) => !run.lostSight.has(tenant),
    ),
  };
}

/** Two batches of mutations, the delta after each, the empty one after that, and paging over what is there now. */
async function batches(
  run: ScaleRun,
  first: readonly Tenant[],
  configured: readonly Tenant[],
  created: readonly Tenant[],
): Promise<readonly Tenant[]> {
  const { lane } = run.tools;
  // Dozens at once wait for each other on bfcheck's side, which no budget of the provider speaks of.
  const mutate = () =>
    run.apart(async () => ({
      rested: await every(run, configured, (tenant) => run.driver.configure(tenant)),
      made: await every(run, created, (tenant) => run.driver.create(tenant)),
    }));
  if (run.revision.length === 0) {
    for (const laneCase of [SCALE_CASES.delta, SCALE_CASES.paging]) lane.skipped(laneCase, NO_CURSORS);
    return (await mutate()).rested;
  }
  let [complete, parked] = [false, [] as readonly Tenant[]];
  await runCase(run, SCALE_CASES.delta, async () => {
    let failure: unknown = null;
    if (first.length > 0) await checkDelta(run, idsOf(first)).catch((error: unknown) => (failure = error));
    const { rested, made } = await mutate();
    parked = rested;
    if (failure !== null) throw failure;
    await checkDelta(run, idsOf([...rested, ...made]));
    await checkDelta(run, new Set());
    lane.evidence('B1102', 'machines', first.length + rested.length + made.length);
    complete = true;
  });
  await runCase(run, SCALE_CASES.paging, () => checkPaging(run, complete));
  lane.evidence('B1103', 'pages', run.counts.pages ?? 0);
  return parked;
}

function idsOf(tenants: readonly Tenant[]): ReadonlySet<string> {
  return new Set(tenants.map(({ id }) => id));
}

/**
 * Does `action` to all, as many at once as a soak does: latencies of these calls have a budget. Those that end badly
 * are told of and lost sight of. Returns the others.
 */
async function every(
  run: ScaleRun,
  tenants: readonly Tenant[],
  action: (tenant: Tenant) => Promise<void>,
): Promise<readonly Tenant[]> {
  const { lane } = run.tools;
  await inParallel(tenants, run.options.workers, async (tenant) => {
    try {
      await action(tenant);
    } catch (error) {
      if (!(error instanceof CaseStopped)) throw error;
      run.lostSight.add(tenant);
      if (error.breach === null) lane.inconclusive(SCALE_CASES.churn, error.message);
      else lane.breach(SCALE_CASES.churn, error.breach);
    }
  });
  return tenants.filter((tenant) => !run.lostSight.has(tenant));
}

/** Soaks (B1104, B1109) and reckons up afterwards (B1105). */
export async function soak(run: ScaleRun, plan: SoakPlan, liveBefore: number): Promise<void> {
  const { lane, clock } = run.tools;
  const from = clock();
  const going = new Soak(run, plan);
  await going.all();
  Object.assign(run.counts, {
    churned: plan.churned.length,
    steady: plan.steady.length,
    cycles: going.cycles,
    steadyReads: going.reads,
    cyclesPerSecond: Math.round((going.cycles * 1_000) / Math.max(1, clock() - from)),
  });
  await runCase(run, SCALE_CASES.churn, async () => {
    if (going.cycles === 0) throw CaseStopped.inconclusive('no machine went round once during the soak');
    lane.evidence('B1104', 'cycles', going.cycles);
  });
  await runCase(run, SCALE_CASES.steady, async () => {
    if (plan.steady.length === 0) throw CaseStopped.inconclusive('no machine was left to rest');
    lane.evidence('B1109', 'reads', going.reads);
  });
  await runCase(run, SCALE_CASES.count, () => reckon(run, liveBefore));
}
