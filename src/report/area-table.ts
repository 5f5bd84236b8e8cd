/** The behaviors counted by area and status: the same table in every report. */
import { AREAS } from '../../model/registry.js';
import type { Status } from '../engine/status.js';
import type { Report } from './report.js';

/** The statuses in the order of the columns. */
export const STATUSES = [
  'passed',
  'failed',
  'skipped',
  'inconclusive',
  'not_implemented',
] as const satisfies readonly Status[];

/** A row of the table. */
export interface AreaRow {
  readonly name: string;
  readonly counts: Readonly<Record<Status, number>>;
}

/** A row for every area, and the total last. */
export function areaRows({ behaviors }: Report): readonly AreaRow[] {
  const row = (name: string, members: Report['behaviors']): AreaRow => ({
    name,
    counts: countsOf(members),
  });
  const areas = AREAS.map(({ id, name }) =>
    row(
      name,
      behaviors.filter(({ area }) => area === id),
    ),
  );
  return [...areas, row('Total', behaviors)];
}

function countsOf(behaviors: Report['behaviors']): Record<Status, number> {
  const counts = { passed: 0, failed: 0, skipped: 0, inconclusive: 0, not_implemented: 0 };
  for (const { status } of behaviors) counts[status] += 1;
  return counts;
}

/** A status as people read it. */
export function statusName(status: Status): string {
  return status === 'not_implemented' ? 'not implemented' : status;
}
