/** The checks one by one, for a test runner: every property is a test of its own. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BehaviorId } from '../../model/registry.js';
import { DIRECTED_PROPERTIES, GENERATIVE_PROPERTIES } from '../../properties/index.js';
import type { Property } from '../../properties/program.js';
import { selection } from '../cli/check-options.js';
import { type Subject, Supply } from '../cli/supply.js';
import { arena } from '../engine/arena.js';
import { saveToCorpus } from '../engine/corpus.js';
import type { ReportedViolation } from '../engine/events.js';
import { Findings } from '../engine/findings.js';
import { Session } from '../engine/session.js';
import { storyLines } from '../report/story.js';
import { counterexampleOf, replayOptions } from '../report/tell-violation.js';
import { withDefaults } from './certify.js';

/** Which provider, and how thoroughly. Times in milliseconds. */
export interface CaseOptions {
  /** `HOST:PORT`, or what gives it when the first case runs: a provider started by the suite has no port before. */
  readonly target: string | (() => string | Promise<string>);
  /** The seed of everything generated; 42 unless given. */
  readonly seed?: number;
  /** Generated sequences of each random property; 50 unless given. */
  readonly runs?: number;
  /** Sequences at the same time within a case; 16 unless given. */
  readonly concurrency?: number;
  /** Only cases for these behaviors: ids, patterns such as `B3*`, or areas. */
  readonly only?: readonly string[];
  /** No cases for these behaviors. */
  readonly skip?: readonly string[];
  /** `literal` unless given (contract section 9). */
  readonly reading?: 'literal' | 'reference';
  /** Folder in which counterexamples are saved; none are unless given. */
  readonly corpus?: string;
  /** How long a machine may take to come to rest. */
  readonly settleTimeout?: number;
  /** How long a settled machine is watched. */
  readonly stabilityWindow?: number;
  /** Deadline of one call. */
  readonly callTimeout?: number;
  /** How long the provider may take to answer its first List; 30,000 unless given. */
  readonly bootTimeout?: number;
}

/** What came of a case that did not fail. */
export type CaseResult =
  | { readonly status: 'passed' }
  /** The provider lacks what the case is about, Delete or cursors. */
  | { readonly status: 'skipped'; readonly reason: string };

/** One test. */
export interface ConformanceCase {
  /** Unique; names the area, the property and the behaviors. */
  readonly name: string;
  /** The behaviors that it decides. */
  readonly behaviors: readonly BehaviorId[];
  /**
   * Runs it on connections of its own. Cases may run at the same time only on separate providers.
   * @throws ConformanceError where the provider breaks the contract, or where nothing could be concluded
   */
  run(): Promise<CaseResult>;
}

/** A case failed; the message tells the violation as a story, with every call and reply. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
  constructor(
    message: string,
    /** What was found; empty where nothing could be concluded. */
    readonly violations: readonly ReportedViolation[],
  ) {
    super(message);
  }
}

const RUNS = 50;

/**
 * The black-box properties as test cases. Nothing is called before a case runs.
 * @throws UsageError where `only` or `skip` names no behavior
 */
export function conformanceCases(options: CaseOptions): readonly ConformanceCase[] {
  const selected = selection(options);
  return [...DIRECTED_PROPERTIES, ...GENERATIVE_PROPERTIES]
    .map((property) => ({ property, behaviors: property.decides.filter((id) => selected.has(id)) }))
    .filter(({ behaviors }) => behaviors.length > 0)
    .map(({ property, behaviors }) => ({
      name: `${property.area}: ${property.name} (${behaviors.join(', ')})`,
      behaviors,
      run: () => runCase(property, options),
    }));
}

async function runCase(property: Property, options: CaseOptions): Promise<CaseResult> {
  const target = typeof options.target === 'string' ? options.target : await options.target();
  const subject = await subjectAt(target, options);
  const findings = new Findings();
  try {
    const reason = await play(property, subject, findings, options);
    if (reason !== null) return { status: 'skipped', reason };
  } finally {
    await subject.stop();
  }
  conclude(property, findings, target, options);
  return { status: 'passed' };
}

function subjectAt(target: string, options: CaseOptions): Promise<Subject> {
  const { callTimeout, bootTimeout } = withDefaults(options as object);
  return new Supply(withDefaults({ target, callTimeout, bootTimeout })).blackBox();
}

/** Runs the property's programs. Returns why there are none for this provider, or null. */
async function play(
  property: Property,
  { client, listing }: Subject,
  findings: Findings,
  options: CaseOptions,
): Promise<string | null> {
  const { settleTimeout, stabilityWindow, concurrency, seed } = withDefaults(options as object);
  const stage = await arena(client, listing, {
    connections: client.connections,
    limits: { settleTimeoutMs: settleTimeout, stabilityWindowMs: stabilityWindow, stuckIsBreach: false },
    faults: false,
    prefix: `bfcheck-${randomBytes(5).toString('hex')}`,
    clock: () => performance.now(),
    sleep: (ms) => sleep(ms),
  });
  const reason = obstacle(property, stage.world.model.capabilities);
  if (reason !== null) return reason;
  const { corpus } = options;
  const save = async (found: ReportedViolation): Promise<string | null> =>
    corpus === undefined ? null : saveToCorpus(corpus, found);
  await new Session(stage, findings, () => {}, save).run({
    seed,
    runs: property.kind === 'generative' ? (options.runs ?? RUNS) : 0,
    concurrency,
    lane: null,
    directed: property.kind === 'directed' ? [property] : [],
    generative: property.kind === 'generative' ? [property] : [],
  });
  return null;
}

function obstacle(
  property: Property,
  capabilities: { readonly delete: boolean; readonly sinceRevision: boolean },
): string | null {
  if (property.kind !== 'directed') return null;
  const lacks = property.scenarios.map(({ needs }) => {
    if (needs.delete && !capabilities.delete) return 'the provider answers Delete with UNIMPLEMENTED';
    if (needs.sinceRevision && !capabilities.sinceRevision) return 'the provider sends no revision';
    return null;
  });
  return lacks.every((lack) => lack !== null) ? (lacks[0] ?? null) : null;
}

/** @throws ConformanceError */
function conclude(property: Property, findings: Findings, target: string, { reading }: CaseOptions): void {
  const counted = findings.violations.filter((found) => reading !== 'reference' || found.reading === 'both');
  if (counted.length > 0) {
    const stories = counted.map((found, index) =>
      storyLines(counterexampleOf(found, index + 1, replayOptions(target))).join('\n'),
    );
    throw new ConformanceError(stories.join('\n\n'), counted);
  }
  const { sequences, inconclusive } = findings.tally(property);
  if (sequences > 0) return;
  const [reason = 'no sequence was run'] = inconclusive.keys();
  throw new ConformanceError(`nothing could be concluded: ${reason}`, []);
}
