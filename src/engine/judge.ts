/** Holds every reply of a program against the model, and notes what it is evidence of. */

import type { Ack, GetCall, ListCall, Listing, MutationCall, Outcome } from '../../model/call.js';
import { type Belief, close, stepGet, stepMutation } from '../../model/contract.js';
import { type Breach, diagnoseGet, diagnoseMutation, isOutranked, momentOf } from '../../model/diagnosis.js';
import { missingBreach } from '../../model/listing.js';
import { quoted } from '../../model/observation.js';
import type { ModelConfig, Possibility } from '../../model/possibilities.js';
import { defectOf, type MachineRecord } from '../../model/record.js';
import { behaviorsOfRecord } from '../../model/record-blame.js';
import type { BehaviorId } from '../../model/registry.js';
import type { Rule } from '../../model/rules.js';
import { firstMet } from '../../model/state.js';
import type { OperationLedger } from './ledger.js';
import type { RaceEntry } from './race.js';
import { cellToken, type Recorder } from './recorder.js';
import { listCall } from './requests.js';
import { outranks, type Tenant } from './tenant.js';
import type { World } from './world.js';

/** What the model says of one reply. */
export interface Judgement {
  /** Null where the reply is explained. */
  readonly breach: Breach | null;
  /** Behaviors whose literal reading alone is broken, with what was seen. */
  readonly departures: readonly Breach[];
  /** The rule that explains the reply, where there is just one. */
  readonly rule: Rule | null;
}

interface JudgedCall {
  readonly call: MutationCall;
  readonly outcome: string;
}

const EXPLAINED: Judgement = { breach: null, departures: [], rule: null };

export class Judge {
  /** A judged mutation whose cell of the coverage grid is not yet certain, by machine. */
  private readonly uncertain = new Map<Tenant, JudgedCall>();

  private readonly model: ModelConfig;
  private readonly ledger: OperationLedger;
  private readonly touched: ReadonlySet<string>;

  constructor(
    { model, ledger, touched }: Pick<World, 'model' | 'ledger' | 'touched'>,
    private readonly recorder: Recorder,
  ) {
    this.model = model;
    this.ledger = ledger;
    this.touched = touched;
  }

  /** Judges a mutation; `others` are the program's other machines. A breach leaves the tenant's belief as it was. */
  mutation(tenant: Tenant, call: MutationCall, outcome: Outcome<Ack>, others: readonly Tenant[]): Judgement {
    this.recorder.steps += 1;
    const malformed = malformedBreach(outcome);
    if (malformed) return { ...EXPLAINED, breach: malformed };
    const before = tenant.belief;
    const step = stepMutation(before, call, outcome, this.model);
    if (step.belief.length === 0) {
      const surroundings = { outranks: (token: MutationCall['token']) => outranks(others, token) };
      return { ...EXPLAINED, breach: diagnoseMutation(before, call, outcome, this.model, surroundings) };
    }
    const rule = onlyRule(step.matched);
    const reused = rule === 'accept' ? this.claim(tenant, outcome) : null;
    if (reused) return { ...EXPLAINED, breach: reused };
    tenant.belief = step.belief;
    if (rule !== null) this.noteMoment(tenant, before, call, rule, others);
    this.noteCell(tenant, call, outcome);
    for (const id of step.departures) this.recorder.note(id, 'departures');
    if (step.departures.length === 0) return rule === null ? EXPLAINED : { ...EXPLAINED, rule };
    const departures = step.departures.map((id) => departure(id, before, call, outcome, this.model));
    return { breach: null, departures, rule };
  }

  /** A fresh operation_id must be fresh on the whole provider, not only on this machine. */
  private claim(tenant: Tenant, outcome: Outcome<Ack>): Breach | null {
    if (outcome.kind !== 'ok') return null;
    const { operationId } = outcome.reply;
    const owner = this.ledger.claim(operationId, tenant.id);
    if (owner === null) return null;
    const breach = reusedId(operationId, owner, tenant);
    if (!this.ledger.isFromBefore(operationId)) return breach;
    return { ...breach, behaviors: ['B1005', ...breach.behaviors] };
  }

  /** Operation ids first seen in an explained race: none may belong to another machine. */
  claimRaced(entries: readonly RaceEntry[]): { breach: Breach; entry: number } | null {
    for (const { raced, tenant, entry } of entries) {
      const { call, outcome } = raced;
      if (call.kind === 'Get' || outcome.kind !== 'ok' || !('operationId' in outcome.reply)) continue;
      const { operationId } = outcome.reply;
      const owner = this.ledger.claim(operationId, tenant.id);
      if (owner !== null && owner !== tenant.id)
        return { breach: reusedId(operationId, owner, tenant), entry };
    }
    return null;
  }

  private noteMoment(
    tenant: Tenant,
    before: Belief,
    call: MutationCall,
    rule: Rule,
    others: readonly Tenant[],
  ): void {
    const phase = tenant.belief[0]?.trail.phase;
    const there = (belief: Belief) => belief.find((state) => state.phase === phase);
    const from = there(before) ?? there(close(before, this.model));
    if (from === undefined || !tenant.belief.every((state) => state.trail.phase === phase)) return;
    const moment = momentOf(from, call, rule);
    this.recorder.moment(moment);
    const past = rule === 'accept' || rule === 'idempotency' || rule === 'position';
    const surroundings = { outranks: (token: MutationCall['token']) => outranks(others, token) };
    if (past && isOutranked(from, call.token, surroundings)) this.recorder.note('B302');
  }

  private noteCell(tenant: Tenant, call: MutationCall, outcome: Outcome<Ack>): void {
    const judged = { call, outcome: outcome.kind === 'rejected' ? outcome.code : outcome.kind };
    if (!this.countedIfCertain(tenant, judged)) this.uncertain.set(tenant, judged);
    else if (this.uncertain.size > 0) this.uncertain.delete(tenant);
  }

  /** A later read may tell where the machine was when it was called. */
  private resolveCell(tenant: Tenant): void {
    if (this.uncertain.size === 0) return;
    const open = this.uncertain.get(tenant);
    if (open !== undefined && this.countedIfCertain(tenant, open)) this.uncertain.delete(tenant);
  }

  /** Counts the cell of a judged call where all agree which one it is. */
  private countedIfCertain({ belief }: Tenant, { call, outcome }: JudgedCall): boolean {
    const trail = belief[0]?.trail;
    if (trail === undefined) return false;
    const { phase, relation } = trail;
    if (!belief.every(({ trail: other }) => other.phase === phase && other.relation === relation))
      return false;
    this.recorder.cell({ phase, call: call.kind, token: cellToken(call, relation), outcome });
    return true;
  }

  /** Judges a Get, or a List entry of this machine, which counts as a Get that answered. */
  read(tenant: Tenant, outcome: Outcome<MachineRecord>): Judgement {
    this.recorder.steps += 1;
    const malformed = malformedBreach(outcome);
    if (malformed) return { ...EXPLAINED, breach: malformed };
    const call: GetCall = { kind: 'Get', machineId: tenant.id };
    const step = stepGet(tenant.belief, call, outcome, this.model);
    if (step.belief.length === 0) {
      return { ...EXPLAINED, breach: diagnoseGet(tenant.belief, call, outcome, this.model) };
    }
    tenant.belief = step.belief;
    this.resolveCell(tenant);
    this.noteRead(tenant, step.belief, outcome);
    for (const id of step.departures) this.recorder.note(id, 'departures');
    if (step.departures.length === 0) return EXPLAINED;
    const departures = step.departures.map((id) => readDeparture(id, outcome));
    return { ...EXPLAINED, departures };
  }

  private noteRead(tenant: Tenant, belief: Belief, outcome: Outcome<MachineRecord>): void {
    const [state] = belief;
    if (state === undefined) return;
    if (outcome.kind === 'ok') this.recorder.record(state, outcome.reply);
    else if (outcome.kind === 'rejected') this.recorder.note(tenant.id === '' ? 'B208' : 'B215');
  }

  /**
   * Holds the entries of a List against the model: the program's own machines as Gets, others by the record's own table.
   * @param whole whether every own machine that passes the filter must be there: no cap and no cursor
   */
  listing(tenants: readonly Tenant[], call: ListCall, reply: Listing, whole: boolean): Breach | null {
    const seen = new Map(reply.machines.map((record) => [record.id, record]));
    for (const tenant of tenants) {
      const record = seen.get(tenant.id);
      const breach = record || whole ? this.entry(tenant, call, record) : null;
      if (breach) return breach;
    }
    for (const record of reply.machines) {
      const breach = this.strangerBreach(record);
      if (breach) return breach;
    }
    return null;
  }

  /** Judges the first List after a crash: the inventory is the same, and the program's machines are what they may be. */
  recovered(tenants: readonly Tenant[], inventory: readonly string[], outcome: Outcome<Listing>): Judgement {
    if (outcome.kind === 'indeterminate') return EXPLAINED;
    if (outcome.kind === 'rejected') return { ...EXPLAINED, breach: listRefused(outcome.code) };
    const { reply } = outcome;
    const breach = inventoryBreach(inventory, reply) ?? this.listing(tenants, listCall(), reply, true);
    return { ...EXPLAINED, breach };
  }

  private entry(tenant: Tenant, call: ListCall, record: MachineRecord | undefined): Breach | null {
    if (record !== undefined) return this.read(tenant, { kind: 'ok', reply: record }).breach;
    const { states } = call;
    const left = close(tenant.belief, this.model).filter(
      ({ phase }) => phase === 'ABSENT' || (states.length > 0 && !states.includes(phase)),
    );
    if (left.length === 0) {
      const breach = missingBreach(call, tenant.id);
      const gone = tenant.belief.every(({ phase }) => phase === 'FAILED');
      return gone ? { ...breach, behaviors: ['B707', ...breach.behaviors] } : breach;
    }
    tenant.belief = left;
    return null;
  }

  /** The record table holds for machines of other clients too; what they do with them is their business (A12). */
  private strangerBreach(record: MachineRecord): Breach | null {
    if (this.touched.has(record.id)) return null;
    const defect = defectOf(record);
    if (defect === null) return null;
    const trail = { ...firstMet('ABSENT').trail };
    return {
      behaviors: behaviorsOfRecord(defect.aspect, record.state, trail),
      rule: 'record',
      aspect: defect.aspect,
      expected: [defect.expected],
      observed: `${defect.observed} (machine ${JSON.stringify(record.id)}, state ${record.state})`,
    };
  }
}

function listRefused(code: string): Breach {
  return {
    behaviors: ['B1004'],
    rule: 'read',
    aspect: `code ${code}`,
    expected: ['OK with every machine'],
    observed: code,
  };
}

/** B1004: no machine lost, none doubled. */
function inventoryBreach(inventory: readonly string[], { machines }: Listing): Breach | null {
  const now = new Set(machines.map(({ id }) => id));
  const lost = inventory.filter((id) => !now.has(id));
  if (lost.length === 0 && now.size === machines.length && now.size === inventory.length) return null;
  return {
    behaviors: ['B1004'],
    rule: 'recovery',
    aspect: lost.length > 0 ? 'missing' : 'duplicate',
    expected: [`the ${inventory.length} machines from before the kill, each once`],
    observed: `${machines.length} entries for ${now.size} machines${lost[0] === undefined ? '' : `, without ${quoted(lost[0])}`}`,
  };
}

function reusedId(operationId: string, owner: string, tenant: Tenant): Breach {
  const own = owner === tenant.id;
  return {
    behaviors: own ? ['B214'] : ['B407', 'B214'],
    rule: 'accept',
    aspect: 'operation_id',
    expected: ['OK with an operation_id never seen before'],
    observed: `operation_id ${quoted(operationId)}, which ${own ? 'an earlier operation of this machine' : `the machine ${quoted(owner)}`} had`,
  };
}

function onlyRule(matched: readonly Possibility[]): Rule | null {
  const rule = matched[0]?.rule ?? null;
  return matched.every((possibility) => possibility.rule === rule) ? rule : null;
}

/** Bytes that are no message cannot be a lost reply: the server did answer, and broke the wire. */
export function malformedBreach(outcome: Outcome): Breach | null {
  if (outcome.kind !== 'indeterminate' || outcome.cause !== 'MALFORMED') return null;
  return {
    behaviors: ['B801'],
    rule: 'record',
    aspect: 'malformed',
    expected: ['a reply that is a valid message of the service'],
    observed: outcome.message,
  };
}

/** A read that only the reference reading of a behavior explains: today that is B703's text. */
function readDeparture(id: BehaviorId, outcome: Outcome<MachineRecord>): Breach {
  return {
    behaviors: [id],
    rule: 'record',
    aspect: 'last-error',
    expected: ['a last_error that says it was a timeout'],
    observed: outcome.kind === 'ok' ? `last_error ${quoted(outcome.reply.lastError)}` : outcome.kind,
  };
}

function departure(
  id: BehaviorId,
  before: Belief,
  call: MutationCall,
  outcome: Outcome<Ack>,
  model: ModelConfig,
): Breach {
  const breach = diagnoseMutation(before, call, outcome, model, { outranks: () => false });
  // B1205 speaks of defects that come together, in the same reading.
  return {
    ...breach,
    behaviors:
      breach.behaviors[0] === 'B1205' && close(before, model).every(({ phase }) => phase === 'ABSENT')
        ? ['B1205', id]
        : [id],
  };
}
