/** Counts what a run has seen: evidence for every behavior, and the cells of the model that were visited. */
import type { Moment } from '../../model/blame.js';
import type { MutationCall } from '../../model/call.js';
import { evidenceOfMoment, type Fact, factsOfRecord } from '../../model/evidence.js';
import { isAbsent, isNegative, isShardless, type Relation } from '../../model/fencing.js';
import type { MachineRecord } from '../../model/record.js';
import { behaviorOfDoom } from '../../model/record-blame.js';
import type { BehaviorId } from '../../model/registry.js';
import { leader, type MachineState } from '../../model/state.js';
import { type Cell, Cells, type CellToken } from './cells.js';

/** The token's column in the coverage grid. */
export function cellToken(call: MutationCall, relation: Relation): CellToken {
  if (isAbsent(call.token)) return 'absent';
  if (isNegative(call.token)) return 'negative';
  return isShardless(call.token) ? 'shardless' : relation;
}

/** Counts per behavior and fact; `cases` is the fact that a pass needs. */
export type Evidence = Readonly<Record<string, number>>;

/** A recorder's counts as plain data. */
export interface RecorderSnapshot {
  readonly facts: readonly (readonly [BehaviorId, Evidence])[];
  readonly peaks: readonly (readonly [BehaviorId, Evidence])[];
  readonly cells: readonly (Cell & { readonly count: number })[];
  readonly edges: readonly (readonly [edge: string, count: number])[];
  readonly steps: number;
}

export class Recorder {
  private readonly facts = new Map<BehaviorId, Record<string, number>>();
  private readonly peaks = new Map<BehaviorId, Record<string, number>>();
  /** Records by the facts that they show, not counted yet. */
  private readonly shown = new Map<readonly Fact[], number>();
  private readonly cells = new Cells();
  private readonly edges = new Map<string, number>();
  /** Steps of the model. */
  steps = 0;

  /** One more `fact` for `behavior`. */
  note(behavior: BehaviorId, fact = 'cases', count = 1): void {
    const facts = this.facts.get(behavior);
    if (facts === undefined) this.facts.set(behavior, { [fact]: count });
    else facts[fact] = (facts[fact] ?? 0) + count;
  }

  /** Keeps the highest `value` of `fact` for `behavior`. */
  peak(behavior: BehaviorId, fact: string, value: number): void {
    const peaks = this.peaks.get(behavior) ?? {};
    peaks[fact] = Math.max(peaks[fact] ?? 0, value);
    this.peaks.set(behavior, peaks);
  }

  /** A mutation that the model explained in one way only. */
  moment(moment: Moment): void {
    for (const behavior of evidenceOfMoment(moment)) this.note(behavior);
    if (moment.rule === 'accept')
      this.edges.set(moment.call.kind, (this.edges.get(moment.call.kind) ?? 0) + 1);
  }

  /** A cell of the grid was visited, and known for certain to be that cell. */
  cell(cell: Cell): void {
    this.cells.add(cell);
  }

  /** A record that the model explained by `state`. */
  record(state: MachineState, record: MachineRecord): void {
    if (state.phase === 'ABSENT') return;
    const facts = factsOfRecord(state.phase, leader(state)?.kind ?? null);
    this.shown.set(facts, (this.shown.get(facts) ?? 0) + 1);
    if (record.capacityType === 'SPOT') this.note('B802', 'spot');
    if (record.resources !== null && record.allocatable !== null) this.note('B804');
    if (state.trail.rule === 'fence') this.note('B305');
    if (state.phase === 'FAILED') this.failure(state);
  }

  private failure({ trail }: MachineState): void {
    if (trail.doom !== null && trail.doom !== 'fault-slow-ok') this.note(behaviorOfDoom(trail.doom));
    this.note('B707');
  }

  /** Counts what the records so far are evidence of: a dozen facts each, and most records are alike. */
  private tally(): void {
    for (const [facts, count] of this.shown)
      for (const [behavior, fact] of facts) this.note(behavior, fact, count);
    this.shown.clear();
  }

  /** Counts of facts for `behavior`; empty where nothing was seen. */
  evidence(behavior: BehaviorId): Evidence {
    this.tally();
    return { ...this.facts.get(behavior), ...this.peaks.get(behavior) };
  }

  /** Every visited cell with its count. */
  coverage(): readonly (Cell & { count: number })[] {
    return [...this.cells];
  }

  /** How often each legal edge was walked. */
  edgesWalked(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.edges);
  }

  /** All counts as they are now. */
  snapshot(): RecorderSnapshot {
    this.tally();
    return {
      facts: [...this.facts].map(([behavior, facts]) => [behavior, { ...facts }]),
      peaks: [...this.peaks].map(([behavior, peaks]) => [behavior, { ...peaks }]),
      cells: [...this.cells],
      edges: [...this.edges],
      steps: this.steps,
    };
  }

  /** Adds the counts of another recorder. */
  absorb({ facts, peaks, cells, edges, steps }: RecorderSnapshot): void {
    for (const [behavior, counts] of facts)
      for (const [fact, count] of Object.entries(counts)) this.note(behavior, fact, count);
    for (const [behavior, counts] of peaks)
      for (const [fact, value] of Object.entries(counts)) this.peak(behavior, fact, value);
    for (const cell of cells) this.cells.add(cell, cell.count);
    for (const [edge, count] of edges) this.edges.set(edge, (this.edges.get(edge) ?? 0) + count);
    this.steps += steps;
  }
}
