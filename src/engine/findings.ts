/** Everything a run has found so far: evidence, violations, and what could not be concluded. */
import type { BehaviorId } from '../../model/registry.js';
import type { Property } from '../../properties/program.js';
import type { ReportedViolation } from './events.js';
import { Recorder } from './recorder.js';

/** What is known of one property's runs. */
export interface PropertyTally {
  readonly decides: readonly BehaviorId[];
  /** Programs that ran to the end, whatever they found. */
  sequences: number;
  /** Programs that broke the contract in both readings. */
  violating: number;
  /** Programs that broke the literal reading alone. */
  departing: number;
  /** Why programs were not run or not concluded, with how often. */
  readonly inconclusive: Map<string, number>;
}

export class Findings {
  readonly recorder = new Recorder();
  readonly violations: ReportedViolation[] = [];
  readonly tallies = new Map<string, PropertyTally>();
  /** Behaviors that were left out, with the reason. */
  readonly skipped = new Map<BehaviorId, string>();
  /** Behaviors whose lane could not run, with the reason; a profile that requires them is not complete. */
  readonly undecided = new Map<BehaviorId, string>();

  private readonly stoppers: ((reason: string) => void)[] = [];

  /** `stopper` is called when the run is cut short; it adds at once whatever it still holds back. */
  whenStopped(stopper: (reason: string) => void): void {
    this.stoppers.push(stopper);
  }

  /** Cuts the run short. */
  stop(reason: string): void {
    for (const stopper of this.stoppers) stopper(reason);
  }

  /** The tally of a property, made at its first mention. */
  tally(property: Pick<Property, 'name' | 'decides'>): PropertyTally {
    const known = this.tallies.get(property.name);
    if (known) return known;
    const tally = {
      decides: property.decides,
      sequences: 0,
      violating: 0,
      departing: 0,
      inconclusive: new Map<string, number>(),
    };
    this.tallies.set(property.name, tally);
    return tally;
  }

  /** Programs of `property`, one unless told otherwise, could not be run or concluded. */
  inconclusive(property: Pick<Property, 'name' | 'decides'>, reason: string, count = 1): void {
    const { inconclusive } = this.tally(property);
    inconclusive.set(reason, (inconclusive.get(reason) ?? 0) + count);
  }

  /** A program of `property` broke the contract, in these readings. */
  broke(
    property: Pick<Property, 'name' | 'decides'>,
    readings: readonly ReportedViolation['reading'][],
  ): void {
    const tally = this.tally(property);
    if (readings.includes('both')) tally.violating += 1;
    else if (readings.length > 0) tally.departing += 1;
  }

  /** Calls of a program of `property` really overlapped, `depth` of them at once. */
  overlapped(property: Pick<Property, 'decides'>, depth: number): void {
    for (const behavior of property.decides) {
      this.recorder.note(behavior, 'overlaps');
      this.recorder.peak(behavior, 'calls_in_flight', depth);
    }
  }

  /** A program of `property` ran to its end. */
  completed(property: Pick<Property, 'name' | 'decides' | 'completionIsEvidence'>): void {
    this.tally(property).sequences += 1;
    for (const behavior of property.decides) {
      this.recorder.note(behavior, 'sequences');
      if (property.completionIsEvidence) this.recorder.note(behavior);
    }
  }
}
