/** Which durability behavior a breach breaks that shows only after a crash. */
import type { Breach } from '../../model/diagnosis.js';
import type { BehaviorId } from '../../model/registry.js';

/**
 * The behaviors that `breach`, found after a kill and a boot, breaks.
 * @param called whether the machine was seen again since, and a call that came later set it going: where that leads
 * to says nothing of what the restart has kept
 * @param cut whether a transition was under way when the provider was killed
 */
export function recoveryBehaviors(
  { rule, aspect, ifFenced, behaviors, observed }: Breach,
  called: boolean,
  cut = false,
): readonly BehaviorId[] {
  if (called && rule === 'lifecycle' && aspect.startsWith('state ')) return behaviors;
  if (ifFenced !== undefined) return ['B1007'];
  if (aspect === 'operation_id' || aspect === 'snapshot operation_id') {
    return [rule === 'idempotency' ? 'B1002' : 'B1005'];
  }
  if (rule === 'fence') return ['B1001'];
  if (rule === 'idempotency') return ['B1002'];
  if (rule === 'cursor') return ['B1005'];
  if (aspect.endsWith('cluster') || aspect.endsWith('metadata'))
    return cut && !observed.includes('(state CONFIGURED)') ? ['B1006', 'B1003'] : ['B1003'];
  if (aspect.endsWith('last-error') || /state (CREATING|CONFIGURING|DRAINING|DELETING)$/.test(aspect))
    return ['B1006'];
  if (behaviors.includes('B1004') || rule === 'lifecycle' || rule === 'list' || rule === 'read')
    return ['B1004'];
  return rule === 'accept' || rule === 'position' || rule === 'existence' ? ['B1004'] : behaviors;
}
