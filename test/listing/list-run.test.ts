/** Steps that list, against a provider in memory: a log of changes, of which one decision at a time is replaced. */
import { describe, expect, it } from 'vitest';
import type { ListCall, Listing, Outcome } from '../../model/call.js';
import type { MachineRecord } from '../../model/record.js';
import { firstMet } from '../../model/state.js';
import type { ListStep } from '../../properties/program.js';
import { delta, list, page, quiet, since } from '../../properties/steps.js';
import { Judge, type Judgement } from '../../src/engine/judge.js';
import { OperationLedger } from '../../src/engine/ledger.js';
import { ListRun } from '../../src/engine/list-run.js';
import { Recorder } from '../../src/engine/recorder.js';
import { StandingsTracker } from '../../src/engine/standings.js';
import type { Tenant } from '../../src/engine/tenant.js';
import type { TraceEntry } from '../../src/engine/trace.js';
import { PLAIN } from '../model/build.js';
import { machine } from './support.js';

/** How a provider pages and what it makes of cursors; healthy where not said. */
interface Ways {
  /** The revision of a page that ends at `end` of `count` changes. */
  readonly revision?: (end: number, count: number, calls: number) => number;
  /** The place that bytes stand for, or a refusal. */
  readonly place?: (cursor: string) => number | 'refused';
}

const FLEET = 10;

/** Machines that all rest; the n-th was the n-th to change. */
function provider({ revision = (end) => end, place = Number }: Ways) {
  const fleet = Array.from({ length: FLEET }, (_, n) => machine(`m-${n}`));
  let calls = 0;
  return (call: ListCall): Outcome<Listing> => {
    calls += 1;
    const from = place(new TextDecoder().decode(call.sinceRevision));
    if (from === 'refused') return { kind: 'rejected', code: 'INVALID_ARGUMENT', message: '' };
    const start = Number.isInteger(from) && from <= FLEET ? from : 0;
    const matching = fleet
      .slice(start)
      .filter(({ state }) => call.states.length === 0 || call.states.some((wanted) => wanted === state));
    const machines = call.maxResults > 0 ? matching.slice(0, call.maxResults) : matching;
    const end = machines.length < matching.length ? start + machines.length : FLEET;
    const text = String(revision(end, FLEET, calls));
    return { kind: 'ok', reply: { machines, revision: new TextEncoder().encode(text) } };
  };
}

class Stopped extends Error {}

/** A run that holds the machines m-3 and m-7. */
function running(answer: (call: ListCall) => Outcome<Listing>) {
  const tenants: Tenant[] = ['m-3', 'm-7'].map((id) => ({ id, belief: [firstMet('IDLE')] }));
  const calls: ListCall[] = [];
  const judged: Judgement[] = [];
  const recorder = new Recorder();
  const world = {
    model: PLAIN,
    ledger: new OperationLedger(),
    touched: new Set<string>(),
    sleep: async () => undefined,
    limits: { stabilityWindowMs: 100 },
  };
  const host = {
    tenants,
    exchange: async (call: ListCall) => {
      calls.push(call);
      const outcome = answer(call);
      const entry: TraceEntry = {
        step: 0,
        branch: -1,
        call,
        outcome: { kind: 'ok', reply: { listed: 0 } },
        invokedAt: 0,
        returnedAt: 0,
        rule: null,
      };
      return { outcome, entry };
    },
    conclude: (judgement: Judgement) => {
      judged.push(judgement);
      if (judgement.breach) throw new Stopped(judgement.breach.behaviors[0]);
    },
    forget: () => undefined,
    giveUp: (reason: string): never => {
      throw new Stopped(reason);
    },
    operationId: () => 'op-1',
  };
  const standings = new StandingsTracker(tenants);
  const run = new ListRun(host, standings, new Judge(world, recorder), world, recorder);
  const departures = () => judged.flatMap((judgement) => judgement.departures);
  return { run, calls, recorder, departures, standings };
}

const save = (step: ListStep, name: string): ListStep => ({ ...step, save: name });
const garbage = since({ from: 'bytes', hex: 'c0ffee' });

describe('paging', () => {
  it('ends at an empty page and is evidence of B907 where there was more than one', async () => {
    const { run, recorder, departures } = running(provider({}));
    await run.page(page(3));
    expect(departures()).toEqual([]);
    expect(recorder.evidence('B907')).toMatchObject({ cases: 1, pages: 4 });
  });

  it('in one page is no evidence', async () => {
    const { run, recorder } = running(provider({}));
    await run.page(page('fleet'));
    expect(recorder.evidence('B907').cases).toBeUndefined();
  });

  it('can be spread over several steps', async () => {
    const { run, calls, recorder } = running(provider({}));
    await run.page(page(4, 1));
    await run.page(page(4, 1));
    expect(recorder.evidence('B907').cases).toBeUndefined();
    await run.page(page(4));
    expect(recorder.evidence('B907').cases).toBe(1);
    expect(calls.filter(({ maxResults }) => maxResults === 4)).toHaveLength(4);
  });

  it('departs from the literal reading where the cursor of a page names the head, and says what is lost', async () => {
    const { run, recorder, departures } = running(provider({ revision: (_end, count) => count }));
    await run.page(page(2));
    expect(departures()).toMatchObject([{ behaviors: ['B907'], aspect: 'lost in paging' }]);
    expect(recorder.evidence('B907')).toMatchObject({ cases: 1, machines_a_capped_poller_never_saw: 8 });
  });

  it('breaks both readings where a page skips', async () => {
    const { run } = running(provider({ revision: (end, count) => (end < count ? end + 1 : end) }));
    await expect(run.page(page(3))).rejects.toThrow('B907');
  });

  it('breaks the contract where the same page comes for ever', async () => {
    const { run } = running(provider({ place: () => 0 }));
    await expect(run.page(page(3))).rejects.toThrow('B907');
  });

  it('is given up where new cursors come for ever, and never hangs', async () => {
    const restless = machine('stranger', 'CREATING');
    let moved = 0;
    const { run, calls } = running((call) => {
      moved += 1;
      const { sinceRevision } = call;
      const full = sinceRevision.length === 0 && call.maxResults === 0;
      const machines: MachineRecord[] = full ? [machine('m-3'), machine('m-7'), restless] : [restless];
      return { kind: 'ok', reply: { machines, revision: new TextEncoder().encode(String(moved)) } };
    });
    await expect(run.page(page(1))).rejects.toThrow(/did not end within \d+ pages/);
    expect(calls.length).toBeLessThan(100);
  });
});

describe('cursors', () => {
  it('are fed back byte for byte, and one that was never saved is none', async () => {
    const { run, calls } = running(provider({}));
    await run.list(save(list(), 'a'));
    await run.list(delta('a'));
    await run.list(delta('nobody saved it'));
    expect(calls.map(({ sinceRevision }) => new TextDecoder().decode(sinceRevision))).toEqual(['', '10', '']);
  });

  it('may survive a restart, or be answered with the full list as one never issued', async () => {
    for (const forgets of [false, true]) {
      const { run, calls } = running(provider(forgets ? { place: () => 0 } : {}));
      await run.list(save(list(), 'a'));
      run.restarted();
      await run.list(delta('a'));
      expect(calls.at(-1)?.sinceRevision).not.toHaveLength(0);
    }
  });

  it('that are refused break B909', async () => {
    const { run } = running(provider({ place: (text) => (text === '' ? 0 : 'refused') }));
    await run.list(save(list(), 'a'));
    await expect(run.list(delta('a'))).rejects.toThrow('B909');
  });

  it('that were never issued give the full list; that is evidence', async () => {
    const { run, recorder, departures } = running(provider({}));
    await run.list(garbage);
    await run.list(since({ from: 'operation-id' }));
    await run.list(save(list(), 'a'));
    await run.list(since({ from: 'altered', name: 'a', how: 'future' }));
    expect(departures()).toEqual([]);
    expect(recorder.evidence('B906').cases).toBe(2);
    expect(recorder.evidence('B909').cases).toBe(1);
  });

  it('that were never issued and give less depart from the literal reading only', async () => {
    const { run, departures } = running(provider({ place: (text) => (text === '' ? 0 : FLEET) }));
    await run.list(save(list(), 'a'));
    await run.list(garbage);
    await run.list(since({ from: 'altered', name: 'a', how: 'digit' }));
    expect(departures().map(({ behaviors }) => behaviors[0])).toEqual(['B906', 'B909']);
  });

  it('that were never issued and are refused break both readings', async () => {
    const { run } = running(provider({ place: (text) => (text === '' ? 0 : 'refused') }));
    await expect(run.list(garbage)).rejects.toThrow('B906');
  });
});

describe('a quiet window', () => {
  it('is evidence of B908 where every delta is empty', async () => {
    const { run, recorder } = running(provider({}));
    await run.quiet(quiet(5));
    expect(recorder.evidence('B908')).toEqual({ empty_deltas: 5, cases: 1, polls: 5 });
  });

  it('breaks B908 where the revision moves by itself', async () => {
    const { run } = running(provider({ revision: (end, _count, calls) => end + calls }));
    await expect(run.quiet(quiet(5))).rejects.toThrow('B908');
  });
});
