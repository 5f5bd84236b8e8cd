/** bfcheck as a library: `import { certify, conformanceCases } from 'bfcheck'`. */
export type { BehaviorId, Profile } from '../../model/registry.js';
export type { EngineEvent, Listener, ReportedViolation } from '../engine/events.js';
export type { ReadingName, Status, Verdict } from '../engine/status.js';
export type { Counterexample, CounterexampleCall } from '../report/counterexample.js';
export type { BehaviorReport, Report } from '../report/report.js';
export { type CertifyOptions, certify } from './certify.js';
export {
  type CaseOptions,
  type CaseResult,
  type ConformanceCase,
  ConformanceError,
  conformanceCases,
} from './conformance-cases.js';
