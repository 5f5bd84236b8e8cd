/**
 * Programs: what bfcheck does to a provider, as plain data. A program is generated, hand-written, shrunk or read from
 * a corpus file, and always means the same; what it meets is judged by the model, never written into the program.
 */
import type { Mutation } from '../model/call.js';
import type { LifecycleState } from '../model/machine.js';
import type { Area, BehaviorId } from '../model/registry.js';
import type { Rule } from '../model/rules.js';

/** Which machine of the program a call names: one it leased, one nobody knows, or the empty id. */
export type MachineSlot = number | 'unknown' | 'empty';
/** The most machines that one program leases. */
export const MOST_MACHINES = 16;

/** How a token stands to the marks at the moment its step runs; the executor resolves it to numbers. */
export const TOKEN_CLASSES = [
  'none',
  'fresh',
  'replay',
  'lower-sequence',
  'lower-epoch',
  'higher-epoch',
  'past-int32',
  'past-double',
  'extreme',
  'zero',
  'other-shard',
  'other-machine',
  'negative-epoch',
  'negative-sequence',
  'shardless',
] as const;
export type TokenClass = (typeof TOKEN_CLASSES)[number];

/** A token still to be resolved, for one of the program's shards. */
export interface ClassedToken {
  readonly class: TokenClass;
  readonly shard: number;
}
/** A token as it was sent; int64 in decimal. `shard` null is the empty shard id. */
export interface ConcreteToken {
  readonly shard: number | null;
  readonly epoch: string;
  readonly sequence: string;
}
export type StepToken = ClassedToken | ConcreteToken;

interface MutationStepBase {
  readonly machine: MachineSlot;
  readonly token: StepToken;
  /** Wait until the machine rests before the next step; without it the next step follows at once. */
  readonly settle: boolean;
}
export interface PlainStep extends MutationStepBase {
  readonly call: 'Create' | 'Delete';
}
export interface ConfigureStep extends MutationStepBase {
  readonly call: 'Configure';
  readonly cluster: string;
  readonly metadata: readonly (readonly [string, string])[];
  /** Length of the bootstrap_blob in bytes. */
  readonly blobBytes: number;
}
export interface DrainStep extends MutationStepBase {
  readonly call: 'Drain';
  /** grace_period_seconds, int64 in decimal. */
  readonly grace: string;
}
/** A step that calls a mutation. */
export type MutationStep = PlainStep | ConfigureStep | DrainStep;
/** Reads the machine; with `settle` it polls until the machine rests. */
export interface GetStep {
  readonly call: 'Get';
  readonly machine: MachineSlot;
}
/** How a copy of a saved cursor is altered, so that it is one that the provider never issued. */
export const ALTERATIONS = ['flipped', 'digit', 'truncated', 'extended', 'future'] as const;
export type Alteration = (typeof ALTERATIONS)[number];

/**
 * The since_revision of a List: none, a cursor that an earlier List of the program saved (none where it saved none),
 * an altered copy of one, plain bytes in hex, or the bytes of another field, the newest operation_id.
 */
export type Since =
  | { readonly from: 'start' }
  | { readonly from: 'saved'; readonly name: string }
  | { readonly from: 'altered'; readonly name: string; readonly how: Alteration }
  | { readonly from: 'bytes'; readonly hex: string }
  | { readonly from: 'operation-id' };

/** Lists machines and holds the entries of the program's own against the model. */
export interface ListStep {
  readonly call: 'List';
  /** A union filter; empty means every state. */
  readonly states: readonly LifecycleState[];
  /** max_results; 0 means no cap. Never negative (A9). */
  readonly max: number;
  readonly since: Since;
  /** The name under which the reply's revision is saved. */
  readonly save: string | null;
}
/**
 * Fetches pages of a walk through the fleet, `page = List(max_results=size, since=r); r = page.revision`. Steps of
 * the same name go on with the same walk, so that other steps can move machines in between.
 */
export interface PageStep {
  readonly call: 'Page';
  readonly walk: string;
  /** max_results; `fleet` for as many machines as there are. Raised where a walk would have too many pages. */
  readonly size: number | 'fleet';
  /** How many pages; 0 for all that are left, up to the empty one that ends the walk. */
  readonly pages: number;
}
/** Polls deltas over the stability window and calls nothing else (B908). */
export interface QuietStep {
  readonly call: 'Quiet';
  readonly polls: number;
}
/** Reads the machine again and again over the stability window (B108). */
export interface WatchStep {
  readonly call: 'Watch';
  readonly machine: MachineSlot;
}
/** Kills the provider's process with SIGKILL and boots it again on the same state (contract section 7, Durable). */
export interface CrashStep {
  readonly call: 'Crash';
  /** A mutation that is in flight when the kill comes; null: nothing of this program is. */
  readonly during: MutationStep | null;
  /** How long after that call was sent the kill comes, in milliseconds. */
  readonly afterMs: number;
}
export type Step = CrashStep | MutationStep | GetStep | ListStep | PageStep | QuietStep | WatchStep;

/** Steps one after another, then branches at the same time on connections of their own. */
export interface Program {
  /** Present where its machines are ones whose Create fails on purpose (contract section 7, Fault). */
  readonly doomed?: true;
  /** How many machines it leases, 1 to {@link MOST_MACHINES}. */
  readonly machines: number;
  readonly steps: readonly Step[];
  /** Empty for a sequential program. Branches start together when the steps are done. */
  readonly branches: readonly (readonly Step[])[];
}

/** What a directed program must find, or it is not run. */
export interface Needs {
  readonly delete?: boolean;
  readonly sinceRevision?: boolean;
  /** Its machines must start SPECULATIVE; without it an IDLE one will do. */
  readonly speculative?: boolean;
  /** No other program runs meanwhile, so that most of the fleet is at rest. */
  readonly alone?: boolean;
}

/** A hand-written program for one case. */
export interface Scenario {
  readonly name: string;
  readonly program: Program;
  readonly needs: Needs;
}

interface PropertyBase {
  /** Kebab-case, unique. */
  readonly name: string;
  readonly area: Area['id'];
  /** The behaviors whose status this property decides. */
  readonly decides: readonly BehaviorId[];
  /** A breach of one of these rules, found in this property's programs, breaks `decides` as well. */
  readonly umbrella: readonly Rule[];
  /** True where a program that ran to its end is the case itself; otherwise the model must have seen the case. */
  readonly completionIsEvidence: boolean;
}
/** A property that always runs its scenarios. */
export interface DirectedProperty extends PropertyBase {
  readonly kind: 'directed';
  readonly scenarios: readonly Scenario[];
}
/** A property whose programs are generated; `share` is its part of `--runs` among the generative ones. */
export interface GenerativeProperty extends PropertyBase {
  readonly kind: 'generative';
  readonly share: number;
  /** A fast-check arbitrary; it decides nothing by itself. */
  readonly programs: import('fast-check').Arbitrary<Program>;
}
export type Property = DirectedProperty | GenerativeProperty;

/** The mutation a step calls, or null for a reading step. */
export function mutationOf(step: Step): Mutation | null {
  return 'token' in step ? step.call : null;
}
