/** One check of a provider, called from a program instead of the command line. */
import { setTimeout as sleep } from 'node:timers/promises';
import { check } from '../cli/check.js';
import { CHECK_OPTION_TABLE } from '../cli/check-option-table.js';
import type { CheckOptions } from '../cli/check-options.js';
import { keyOf } from '../cli/option-spec.js';
import { Supply } from '../cli/supply.js';
import type { Listener } from '../engine/events.js';
import { buildReport } from '../report/json-report.js';
import type { Report } from '../report/report.js';
import { writeReports } from '../report/write-reports.js';

/**
 * What to check, under the names of the config file; every one may be left out. Times in milliseconds. Nothing is
 * printed, and no report is written unless `out` names a folder.
 */
export type CertifyOptions = Partial<
  Omit<CheckOptions, 'mutant' | 'quiet' | 'verbose' | 'shard' | 'config' | 'timeLimit'>
> & {
  /** Told everything that happens while it happens; must not throw. */
  readonly onEvent?: Listener;
};

/**
 * Checks a provider: the one at `target`, one that `boot` starts, or else the built-in one. Resolves to the report,
 * whatever its verdict; every process that was started has ended by then.
 * @throws EnvironmentError where the provider does not answer, UsageError where the options contradict each other
 */
export async function certify(options: CertifyOptions = {}): Promise<Report> {
  const { onEvent = () => {}, ...given } = options;
  const whole = withDefaults(given);
  const run = await check(new Supply(whole), whole, {
    clock: () => performance.now(),
    sleep: (ms: number) => sleep(ms),
    timestamp: new Date().toISOString(),
    listen: onEvent,
    interrupted: new Promise(() => {}),
  });
  if (options.out !== undefined) await writeReports(options.out, run);
  return buildReport(run);
}

/** The options of the command line's main command, its defaults filled in. */
export function withDefaults(given: Partial<CheckOptions>): CheckOptions {
  const defaults = CHECK_OPTION_TABLE.filter(({ fallback }) => fallback !== undefined).map((spec) => [
    keyOf(spec),
    spec.fallback,
  ]);
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...defaults, ...said]) as CheckOptions;
}
