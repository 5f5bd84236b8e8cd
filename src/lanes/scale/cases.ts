/** The cases of the scale lane and the behaviors that each decides. */
import type { LaneCase } from '../lane.js';

export const SCALE_CASES = {
  fullList: { name: 'scale-full-list', decides: ['B1101'] },
  delta: { name: 'scale-delta', decides: ['B1102'] },
  paging: { name: 'scale-paging', decides: ['B1103'] },
  churn: { name: 'scale-churn', decides: ['B1104'] },
  count: { name: 'scale-count', decides: ['B1105'] },
  latency: { name: 'scale-latency', decides: ['B1106'] },
  growth: { name: 'scale-growth', decides: ['B1107'] },
  walkToIdle: { name: 'scale-walk-to-idle', decides: ['B1108'] },
  steady: { name: 'scale-steady', decides: ['B1109'] },
} as const satisfies Record<string, LaneCase>;
