/** Records of a race that are wrong by themselves: no order of calls mends them, and no call of the race is to blame. */
import type { Breach } from '../../model/diagnosis.js';
import { type Aspect, type Defect, defectOf, type MachineRecord } from '../../model/record.js';
import { behaviorsOfRecord } from '../../model/record-blame.js';
import { firstMet } from '../../model/state.js';
import type { RaceEntry } from './race.js';

/** Parts of a record that no call decides. */
const BY_ITSELF: ReadonlySet<Aspect> = new Set([
  'instance-type',
  'labels',
  'capacity-type',
  'price',
  'interruption',
  'resources',
]);

/** Whether a breach of this aspect is in the record alone. */
export function isByItself(aspect: string): boolean {
  return (BY_ITSELF as ReadonlySet<string>).has(aspect.replace(/^snapshot /, ''));
}

/** The first reply whose record is wrong by itself, and what it breaks; null where there is none. */
export function brokenRecord(
  entries: readonly RaceEntry[],
): { readonly breach: Breach; readonly entry: number } | null {
  for (const { raced, entry } of entries) {
    const { outcome } = raced;
    if (outcome.kind !== 'ok') continue;
    const acked = 'operationId' in outcome.reply;
    const record = 'operationId' in outcome.reply ? outcome.reply.machine : outcome.reply;
    const defect = record === null ? null : defectOf(record);
    if (record !== null && defect !== null && BY_ITSELF.has(defect.aspect))
      return { breach: breachOf(defect, record, acked), entry };
  }
  return null;
}

function breachOf({ aspect, expected, observed }: Defect, record: MachineRecord, acked: boolean): Breach {
  const behaviors = behaviorsOfRecord(aspect, record.state, firstMet('ABSENT').trail);
  return {
    behaviors: acked ? [...behaviors, 'B408'] : behaviors,
    rule: 'record',
    aspect: acked ? `snapshot ${aspect}` : aspect,
    expected: [expected],
    observed: `${observed} (state ${record.state})`,
  };
}
