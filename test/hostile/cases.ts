/** Every hostile case. */
import { BYTE_CASES } from './bytes.js';
import type { HostileCase } from './case.js';
import { FRAME_CASES } from './frames.js';
import { RECORD_CASES } from './records.js';
import { SURROUNDING_CASES } from './surroundings.js';

export const CASES: readonly HostileCase[] = [
  ...SURROUNDING_CASES,
  ...RECORD_CASES,
  ...BYTE_CASES,
  ...FRAME_CASES,
];
