/** `bfcheck explain B303`. */

import { closest } from '../../model/registry/suggest.js';
import { BEHAVIORS, isBehaviorId } from '../../model/registry.js';
import { explainText } from '../report/explain-text.js';
import { EXPLAIN_EXAMPLES } from '../report/gen/explain-examples.js';
import { DECIDERS } from './deciders.js';
import { UsageError } from './failure.js';

/**
 * The explanation of a behavior.
 * @throws UsageError for an id that is not registered
 */
export function explain(text: string, columns: number): string {
  const id = text.toUpperCase();
  if (isBehaviorId(id)) {
    const example = EXPLAIN_EXAMPLES[id];
    return explainText(id, { deciders: DECIDERS, columns, ...(example === undefined ? {} : { example }) });
  }
  const near = closest(
    id,
    BEHAVIORS.map((behavior) => behavior.id),
  );
  throw new UsageError(
    `unknown behavior ${JSON.stringify(text)}${near ? `; did you mean ${near}?` : ''} (bfcheck list shows all)`,
  );
}
