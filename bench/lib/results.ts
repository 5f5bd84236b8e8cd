/** bench/results.json: what was measured last of each group, and where. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import type { Plot } from './plot.js';
import type { Row } from './row.js';

/** A group of figures under the heading of what they are about. */
export interface Group {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
  readonly plots: readonly Plot[];
  /** Lines to print under the figures: profiles, what a bound was computed from. */
  readonly notes: readonly string[];
}

/** A group with what its figures depend on. */
export interface MeasuredGroup extends Group {
  readonly commit: string;
  /** Whether the largest sizes were measured. */
  readonly full: boolean;
  /** Sequences at the same time, where nothing else is said. */
  readonly concurrency: number;
  /** Load average of the last minute as the group began and ended; its own processes count in the second. */
  readonly load: readonly [before: number, after: number];
}

export interface Results {
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryBytes: number;
    readonly platform: string;
  };
  readonly node: string;
  readonly groups: readonly MeasuredGroup[];
}

/** From the root of the repository. */
export const RESULTS = 'bench/results.json';

/** The machine and the Node that this process runs on. */
export function here(): Omit<Results, 'groups'> {
  return {
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryBytes: totalmem(),
      platform: `${process.platform} ${process.arch}`,
    },
    node: process.version,
  };
}

export async function readResults(): Promise<Results> {
  return JSON.parse(await readFile(RESULTS, 'utf8'));
}

/** Puts a group in the place of an earlier one of that name. Figures of another machine or Node are dropped. */
export async function saveGroup(group: MeasuredGroup, order: readonly string[]): Promise<void> {
  const about = here();
  const before = await readResults().catch(() => ({ ...about, groups: [] }));
  const comparable =
    before.node === about.node && JSON.stringify(before.machine) === JSON.stringify(about.machine);
  const kept = comparable ? before.groups.filter(({ name }) => name !== group.name) : [];
  const groups = [...kept, group].toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  await writeFile(RESULTS, `${JSON.stringify({ ...about, groups }, null, 2)}\n`);
}
