/** Which properties and lane cases decide each behavior. */
import type { BehaviorId } from '../../model/registry.js';
import { DURABILITY_PROPERTIES } from '../../properties/durability.js';
import { DIRECTED_PROPERTIES, GENERATIVE_PROPERTIES } from '../../properties/index.js';
import { TIMEOUT_PROPERTIES } from '../../properties/timeouts.js';
import { SCALE_CASES } from '../lanes/scale/cases.js';

/** Names of the properties and cases, by behavior. */
export const DECIDERS: ReadonlyMap<BehaviorId, readonly string[]> = decidersOf();

function decidersOf(): ReadonlyMap<BehaviorId, readonly string[]> {
  const deciders = new Map<BehaviorId, string[]>();
  const all = [
    ...DIRECTED_PROPERTIES,
    ...GENERATIVE_PROPERTIES,
    ...TIMEOUT_PROPERTIES,
    ...DURABILITY_PROPERTIES,
    ...Object.values(SCALE_CASES),
  ];
  for (const { name, decides } of all) {
    for (const id of decides) deciders.set(id, [...(deciders.get(id) ?? []), name]);
  }
  return deciders;
}
