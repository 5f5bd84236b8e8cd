/** One check of a provider: the lanes that its profiles ask for, one after another, and what they add up to. */
import { randomBytes } from 'node:crypto';
import type { Listing } from '../../model/call.js';
import type { ModelConfig } from '../../model/possibilities.js';
import { type BehaviorId, behaviorsOf, type Profile } from '../../model/registry.js';
import { saveToCorpus } from '../engine/corpus.js';
import type { CorpusResult, Listener, ReportedViolation } from '../engine/events.js';
import { Findings } from '../engine/findings.js';
import { type BaselineResult, runBaseline } from '../lanes/baseline.js';
import { generatesFor, runBlackBoxLane } from '../lanes/black-box.js';
import { bootLarge } from '../lanes/boot.js';
import { runDurableLane } from '../lanes/durable.js';
import { runFaultLane } from '../lanes/fault.js';
import { LaneFindings } from '../lanes/lane.js';
import { runScale, type ScaleResult } from '../lanes/scale.js';
import { seededRandom } from '../provider/random.js';
import type { LaneRecord, RunQuestion, RunRecord } from '../report/run-record.js';
import { type CheckOptions, claimedProfiles, scaleOptions, selection } from './check-options.js';
import { conclude } from './conclude.js';
import { knownList } from './known-list.js';
import type { Subject, Supply } from './supply.js';
import { version } from './version.js';

/** What a check needs of the outside. */
export interface Tools {
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly listen: Listener;
  /** Resolves with the reason when the check must end early. */
  readonly interrupted: Promise<string>;
}

const BLACK_BOX: readonly Profile[] = ['core', 'cloud', 'spot', 'bare-metal'];

/** Runs the whole check and returns what the reports need. An interrupted check returns what it knows so far. */
export async function check(supply: Supply, options: CheckOptions, tools: Tools): Promise<RunRecord> {
  const known = {
    failing: await knownList(options.knownFailing),
    flaky: await knownList(options.knownFlaky),
  };
  const run = new Check(supply, options, tools, known);
  const interruption = await Promise.race([run.all().then(() => null), tools.interrupted]);
  if (interruption !== null) run.cutShort(interruption);
  return run.record(interruption);
}

class Check {
  private readonly startedAt: number;
  private readonly findings = new Findings();
  private readonly selected: ReadonlySet<BehaviorId>;
  private readonly claimed: readonly Profile[] | null;
  private readonly prefix: string;
  private readonly lanes: LaneRecord[] = [];
  private profiles: readonly Profile[];
  private provider = '';
  private capabilities: ModelConfig['capabilities'] = { delete: false, sinceRevision: false };
  private digest = '';
  private digests: ReadonlyMap<number, string> = new Map();
  private corpus: readonly CorpusResult[] = [];
  private scale: ScaleResult | null = null;
  private baseline: BaselineResult | null = null;
  private rpcs = 0;
  private corpusProblem: string | null = null;
  /** Ends all talk with the provider that is being checked. */
  private letGo: () => void = () => undefined;
  /** Set once a provider was given up because it answered nothing any more. */
  private silent: string | null = null;

  constructor(
    private readonly supply: Supply,
    private readonly options: CheckOptions,
    private readonly tools: Tools,
    private readonly known: {
      readonly failing: ReadonlySet<BehaviorId>;
      readonly flaky: ReadonlySet<BehaviorId>;
    },
  ) {
    this.startedAt = tools.clock();
    this.prefix = `${options.shardIdPrefix ?? 'bfcheck'}-${randomBytes(5).toString('hex')}`;
    this.selected = selection(options);
    this.claimed = claimedProfiles(options.profile);
    this.profiles = this.claimed ?? ['core'];
  }

  cutShort(reason: string): void {
    this.letGo();
    this.findings.stop(reason);
  }

  async all(): Promise<void> {
    const { seed, runs } = this.options;
    const generated = this.wants(BLACK_BOX) && generatesFor(this.selected) ? runs : 0;
    this.tools.listen({ type: 'run-started', seed, target: this.supply.target, sequences: generated });
    if (this.wants(BLACK_BOX)) await this.blackBox();
    if (this.wants(['fault'])) await this.fault();
    if (this.wants(['durable'])) await this.durable();
    if (this.wants(['scale'])) await this.scaleLane();
  }

  /** What cannot be divided falls to the first part of a shared run. */
  private get isFirst(): boolean {
    return (this.options.shard?.index ?? 1) === 1;
  }

  /** Whether one of the profiles is claimed and any of its behaviors selected. */
  private wants(profiles: readonly Profile[]): boolean {
    const claimed = profiles.filter((profile) => this.profiles.includes(profile));
    return behaviorsOf(claimed).some(({ id }) => this.selected.has(id));
  }

  private get shared() {
    const { seed, concurrency, corpus, shard } = this.options;
    const { clock, sleep, listen } = this.tools;
    return {
      seed,
      concurrency,
      selected: this.selected,
      prefix: this.prefix,
      ...(shard === undefined ? {} : { part: shard }),
      clock,
      sleep,
      listen,
      save: (found: ReportedViolation) => this.save(corpus, found),
    };
  }

  /** A corpus that cannot be written costs the file, not the violation. */
  private async save(folder: string, found: ReportedViolation): Promise<string | null> {
    try {
      return await saveToCorpus(folder, found);
    } catch {
      this.corpusProblem = `could not save counterexamples in ${folder}: it cannot be written (--corpus)`;
      return null;
    }
  }

  private async blackBox(): Promise<void> {
    const subject = await this.supply.blackBox();
    await this.during('black-box', subject, null, async () => {
      const { settleTimeout, stabilityWindow, corpus, runs } = this.options;
      const limits = {
        settleTimeoutMs: settleTimeout,
        stabilityWindowMs: stabilityWindow,
        stuckIsBreach: false,
      };
      this.provider = nameOf(subject.listing);
      const options = { ...this.shared, runs, corpus, limits };
      const result = await runBlackBoxLane(subject.client, subject.listing, this.findings, options);
      this.capabilities = result.capabilities;
      this.digest = result.digest;
      this.digests = result.digests;
      this.corpus = result.corpus;
      if (this.claimed === null) this.profiles = supportedProfiles(subject.listing, result.capabilities);
      await this.upstream(subject);
    });
  }

  /** The upstream Go suite, where the user has a checkout of it. */
  private async upstream({ address }: Subject): Promise<void> {
    const { baselineSrc, baselineTimeout } = this.options;
    if (baselineSrc === undefined || !this.isFirst) return;
    this.tools.listen({ type: 'lane-started', lane: 'baseline', planned: 1 });
    const options = {
      sourceDir: baselineSrc,
      target: address,
      deadlineMs: baselineTimeout,
      clock: this.tools.clock,
    };
    this.baseline = await runBaseline(options);
    this.tools.listen({ type: 'lane-finished', lane: 'baseline' });
  }

  private async fault(): Promise<void> {
    const subject = await this.supply.fault();
    await this.during('fault', subject, this.supply.faultStandIn, async () => {
      const { transitionTimeout, faultRuns } = this.options;
      await runFaultLane(subject.client, subject.listing, this.findings, {
        ...this.shared,
        concurrency: Math.max(this.options.concurrency, FAULT_CONCURRENCY),
        runs: faultRuns,
        transitionTimeoutMs: transitionTimeout,
      });
    });
  }

  private async durable(): Promise<void> {
    const launch = this.supply.launch('durable');
    if (launch === null) return this.skipLane('durable', ownProcess('durable'));
    const { crashes, durableSeedCount, durableSettle } = this.options;
    const log = await runDurableLane(launch, this.findings, {
      ...this.shared,
      listen: (event) => {
        if (event.type === 'sequence-done') this.rpcs += event.calls;
        this.tools.listen(event);
      },
      crashes,
      seedCount: durableSeedCount,
      settleTimeoutMs: durableSettle,
      boot: this.supply.bounds,
    });
    this.lanes.push({ lane: 'durable', skipped: null, log: this.telling(log) });
  }

  private async scaleLane(): Promise<void> {
    const launch = this.supply.launch('scale');
    if (launch === null) return this.skipLane('scale', ownProcess('scale'));
    if (!this.isFirst) {
      this.lanes.push({ lane: 'scale', skipped: 'the first part of the run does it', log: [] });
      return;
    }
    const { clock, sleep, listen } = this.tools;
    const random = seededRandom(this.options.seed);
    const settle = { settleTimeoutMs: this.options.settleTimeout };
    this.scale = await runScale(
      { ...scaleOptions(this.options), ...settle },
      {
        boot: (seedCount) =>
          bootLarge(launch, { seedCount, state: '', provider: 'bfcheck' }, this.supply.bounds),
        lane: new LaneFindings(this.findings, listen),
        recorder: this.findings.recorder,
        listen,
        clock,
        sleep,
        random: () => random.next(),
        rss: () => process.memoryUsage.rss(),
      },
    );
    this.rpcs += callsOf(this.scale);
    this.lanes.push({ lane: 'scale', skipped: null, log: this.telling(this.scale.log) });
  }

  private skipLane(lane: string, reason: string): void {
    this.lanes.push({ lane, skipped: reason, log: [] });
    const profile = lane === 'durable' ? 'durable' : 'scale';
    for (const { id } of behaviorsOf([profile])) this.findings.undecided.set(id, reason);
  }

  /** Runs a lane on a provider and lets go of it, whatever happens. */
  private async during(
    lane: string,
    subject: Subject,
    note: string | null,
    work: () => Promise<void>,
  ): Promise<void> {
    const { silenceLimit } = this.options;
    this.letGo = () => subject.client.giveUp();
    subject.client.giveUpAfter({
      limitMs: silenceLimit,
      tell: () => {
        this.silent = `the provider answered nothing for ${silenceLimit} ms (--silence-limit)`;
        this.cutShort(this.silent);
      },
    });
    try {
      await work();
    } finally {
      this.rpcs += subject.client.calls;
      const known = note ?? this.corpusProblem;
      this.lanes.push({
        lane,
        skipped: null,
        ...(known === null ? {} : { note: known }),
        log: this.telling(subject.log()),
      });
      await subject.stop();
    }
  }

  /** A log says something only where something went wrong. */
  private telling(log: readonly string[]): readonly string[] {
    return this.findings.violations.length > 0 ? [...log] : [];
  }

  async record(reason: string | null): Promise<RunRecord> {
    const { findings, options } = this;
    const interrupted = reason ?? this.silent;
    const question: RunQuestion = {
      profiles: this.profiles,
      reading: options.reading,
      selected: this.selected,
      knownFailing: this.known.failing,
      knownFlaky: this.known.flaky,
    };
    return {
      tool: { name: 'bfcheck', version: await version() },
      provider: this.provider,
      target: this.supply.target,
      replayWith: {
        'black-box': this.supply.replayWith('black-box'),
        fault: this.supply.replayWith('fault'),
        durable: this.supply.replayWith('durable'),
      },
      profiles: this.profiles,
      reading: options.reading,
      seed: options.seed,
      runs: options.runs,
      digest: this.digest,
      timestamp: this.tools.timestamp,
      durationMs: this.tools.clock() - this.startedAt,
      capabilities: this.capabilities,
      ...conclude(findings, question, { baseline: this.baseline, interrupted }),
      question,
      digests: this.digests,
      interrupted,
      findings,
      corpus: this.corpus,
      lanes: this.lanes,
      scale: this.scale,
      baseline: this.baseline,
      stats: {
        rpcs: this.rpcs,
        steps: findings.recorder.steps,
        sequences: [...findings.tallies.values()].reduce((sum, { sequences }) => sum + sequences, 0),
      },
    };
  }
}

/** Waiting for timeouts overlaps: the fault lane runs at least so many programs at once. */
const FAULT_CONCURRENCY = 48;

function ownProcess(lane: string): string {
  return `the ${lane} lane starts the provider itself and was given only an address: use --boot`;
}

/** Lists are in the books twice, once by their kind. */
function callsOf({ latencies }: ScaleResult): number {
  return latencies
    .filter(({ rpc }) => !/^List \((full|delta|page)\)/.test(rpc))
    .reduce((sum, { count }) => sum + count, 0);
}

function nameOf({ machines }: Listing): string {
  return machines.find(({ host }) => host !== null)?.host?.provider ?? '';
}

function supportedProfiles(
  { machines }: Listing,
  capabilities: ModelConfig['capabilities'],
): readonly Profile[] {
  const spot = machines.some(({ capacityType }) => capacityType === 'SPOT');
  return ['core', ...(capabilities.delete ? (['cloud'] as const) : []), ...(spot ? (['spot'] as const) : [])];
}
