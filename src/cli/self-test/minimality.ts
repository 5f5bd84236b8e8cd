/** How short could the counterexample be? A search over the mutant and the model together tells. */
import { inWorkers } from './jobs.js';
import type { MutantRow } from './mutant-row.js';
import { bare, type SearchResult } from './shortest.js';

/** A mutant, the length that shrinking arrived at, and the shortest possible one. */
export interface MinimalityRow {
  readonly mutant: string;
  readonly shrunk: number;
  /** Null where the search found none within its bounds. */
  readonly optimal: number | null;
  readonly note: string;
}

/**
 * A row for every mutant of the black-box lane that was caught by a sequence of calls and shrunk. A race has no shortest
 * form: what it shows depends on luck.
 */
export async function minimality(
  rows: readonly MutantRow[],
  jobs: number,
): Promise<readonly MinimalityRow[]> {
  const searched = rows.filter(
    ({ lane, shrunk }) => lane === 'black-box' && shrunk !== null && shrunk.executions > 0 && !shrunk.raced,
  );
  const found: SearchResult[] = await inWorkers(
    'shortest',
    searched.map(({ mutant, shrunk }) => ({
      mutant,
      rule: shrunk?.rule ?? '',
      aspect: bare(shrunk?.aspect ?? ''),
      behaviors: shrunk?.behaviors ?? [],
      known: shrunk?.to ?? 0,
    })),
    jobs,
  );
  return searched.map(({ mutant, shrunk }, i) => ({
    mutant,
    shrunk: shrunk?.to ?? 0,
    optimal: found[i]?.length ?? null,
    note: found[i]?.note ?? '',
  }));
}
