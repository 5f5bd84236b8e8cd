/** Finds out what a provider can do, with calls that change nothing. */

import type { Listing } from '../../model/call.js';
import { NO_TOKEN } from '../../model/call.js';
import type { ModelConfig } from '../../model/possibilities.js';
import type { Provider } from './world.js';

/**
 * Probes the capabilities: Delete by a call on a machine that nobody knows, cursors by the revision of a List.
 * @param unknownMachine an id that the provider has never heard of
 */
export async function probe(
  provider: Provider,
  listing: Listing,
  unknownMachine: string,
): Promise<ModelConfig['capabilities']> {
  const { outcome } = await provider.call({
    kind: 'Delete',
    machineId: unknownMachine,
    token: NO_TOKEN,
  } as const);
  const refuses = outcome.kind === 'rejected' && outcome.code === 'UNIMPLEMENTED';
  return { delete: !refuses, sinceRevision: listing.revision.length > 0 };
}
