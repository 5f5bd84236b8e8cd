/** Many machines walked to Idle at the same time (B1108). */
import type { Tenant } from '../../engine/tenant.js';
import { hold, isSpeculative, type ScaleRun } from './run.js';
import { CaseStopped } from './stopped.js';

const MILLISECONDS = 1_000;

/**
 * Creates machines all at once and follows each to Idle. That no operation_id is another's is checked at every ack.
 * @returns the machines that got there
 * @throws CaseStopped where one breaks the contract, or some did not get there in time
 */
export async function walkToIdle(run: ScaleRun, arrived: Tenant[]): Promise<void> {
  const { options, tools, driver, counts } = run;
  const machines = hold(run, options.parallel, isSpeculative);
  if (machines.length < 2)
    throw CaseStopped.inconclusive('fewer than two Speculative machines are free: boot a larger inventory');
  const from = tools.clock();
  const stops: CaseStopped[] = [];
  const walk = async (tenant: Tenant): Promise<void> => {
    try {
      await driver.create(tenant);
      arrived.push(tenant);
    } catch (error) {
      if (!(error instanceof CaseStopped)) throw error;
      run.lostSight.add(tenant);
      stops.push(error);
    }
  };
  await run.apart(() => Promise.all(machines.map(walk)));
  counts.walkedToIdle = arrived.length;
  counts.walksPerSecond = Math.round((arrived.length * MILLISECONDS) / Math.max(1, tools.clock() - from));
  const worst = stops.find(({ breach }) => breach !== null) ?? leftBehind(stops, arrived.length) ?? stops[0];
  if (worst !== undefined) throw worst;
}

/** A slow provider is one thing; a few machines that never arrive while most of them did is another. */
function leftBehind(stops: readonly CaseStopped[], arrived: number): CaseStopped | undefined {
  const unsettled = stops.filter((stop) => stop.unsettled);
  const [first] = unsettled;
  if (first === undefined || arrived <= stops.length) return undefined;
  return CaseStopped.broken({
    behaviors: ['B1108'],
    rule: 'accept',
    aspect: 'left behind',
    expected: [`every machine in Idle, as ${arrived} of them were`],
    observed: `${unsettled.length} that did not get there: ${first.message}`,
  });
}
