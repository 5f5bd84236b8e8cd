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
  const refuses = await refusesDelete(provider, unknownMachine);
  return { delete: !refuses, sinceRevision: listing.revision.length > 0 };
}

/** How often a probe is sent before a lost reply counts as no refusal. */
const PROBES = 5;

/** A lost reply says nothing: a provider without Delete that is taken for one with it would be accused of refusing. */
async function refusesDelete(provider: Provider, machineId: string): Promise<boolean> {
  for (let probes = 0; probes < PROBES; probes++) {
    const { outcome } = await provider.call({ kind: 'Delete', machineId, token: NO_TOKEN } as const);
    if (outcome.kind !== 'indeterminate')
      return outcome.kind === 'rejected' && outcome.code === 'UNIMPLEMENTED';
  }
  return false;
}
