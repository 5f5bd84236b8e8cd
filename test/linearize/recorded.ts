/** Reads the recorded histories with known verdicts that lie beside the project, where they are present. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HistoryCall, Specification } from '../../src/engine/linearize.js';
import { call, type RegisterCall } from './objects.js';

const FOLDER = '../shared/histories';

/** False where the folder is not there; say so and skip. */
export const recordedPresent = existsSync(FOLDER);
export const RECORDED_ABSENT = `${FOLDER} is absent: the recorded histories are skipped`;

/** A history with the verdict that others gave it. */
export interface Recorded<C> {
  readonly name: string;
  readonly linearizable: boolean;
  readonly history: readonly HistoryCall<C>[];
}

/** A call of a store of strings by key, each empty at first. */
export interface StoreCall {
  readonly op: 'get' | 'put' | 'append';
  readonly key: string;
  /** What was written, or what was read. */
  readonly value: string;
}

/** The store with each key on its own: partition by key. */
export const keyOfStore: Specification<string, StoreCall> = {
  initial: () => [''],
  key: (value) => value,
  step(value, c) {
    if (c.op === 'get') return c.value === value ? [value] : [];
    return [c.op === 'put' ? c.value : value + c.value];
  },
};

/** The store as one object. */
export const wholeStore: Specification<ReadonlyMap<string, string>, StoreCall> = {
  initial: () => [new Map()],
  key: (values) => JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1))),
  step(values, c) {
    const [after] = keyOfStore.step(values.get(c.key) ?? '', c);
    return after === undefined ? [] : [new Map(values).set(c.key, after)];
  },
};

/** Every etcd log, as calls of one register. */
export function etcdHistories(): readonly Recorded<RegisterCall>[] {
  const folder = join(FOLDER, 'etcd');
  return lines(join(folder, 'expected.txt')).map((line) => {
    const [file = '', verdict] = line.split(' ');
    const name = file.endsWith('.log') ? file : `${file}.log`;
    return {
      name,
      linearizable: verdict === 'linearizable',
      history: etcdHistory(lines(join(folder, name))),
    };
  });
}

/** Every store log, partitioned by key. */
export function storeHistories(): readonly Recorded<StoreCall>[] {
  const folder = join(FOLDER, 'kv');
  return readdirSync(folder).map((name) => ({
    name,
    linearizable: name.includes('-ok'),
    history: storeHistory(lines(join(folder, name))),
  }));
}

function lines(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

interface Event {
  readonly process: string;
  readonly type: string;
  readonly op: string;
  readonly value: string;
}

/** Pairs invocations with what came of them; the line number is the time. */
function paired<C>(
  events: readonly Event[],
  toCall: (invoked: Event, reply: Event | null) => HistoryCall<C>[],
) {
  const open = new Map<string, { readonly at: number; readonly event: Event }>();
  const history: HistoryCall<C>[] = [];
  const close = (process: string, at: number | null, reply: Event | null) => {
    const invoked = open.get(process);
    if (invoked === undefined) throw new Error(`process ${process} was answered but had sent nothing`);
    open.delete(process);
    for (const made of toCall(invoked.event, reply)) {
      history.push({ ...made, invokedAt: invoked.at, returnedAt: at, lane: Number(process) });
    }
  };
  for (const [at, event] of events.entries()) {
    if (event.type === 'invoke') open.set(event.process, { at, event });
    else if (event.type === 'info') close(event.process, null, null);
    else close(event.process, at, event);
  }
  for (const process of [...open.keys()]) close(process, null, null);
  return history;
}

function etcdHistory(log: readonly string[]): HistoryCall<RegisterCall>[] {
  const events = log.flatMap((line) => {
    const found = /jepsen\.util - (\d+)\s+:(\w+)\s+:(\w+)\s+(.*)$/.exec(line);
    if (found === null) throw new Error(`not an etcd line: ${line}`);
    const [, process = '', type = '', op = '', value = ''] = found;
    return [{ process, type, op, value }];
  });
  return paired(events, (invoked, reply) => registerCall(invoked, reply).map((c) => call(0, null, c)));
}

/** No call at all for a read that told nothing: it did nothing either. */
function registerCall(invoked: Event, reply: Event | null): RegisterCall[] {
  if (invoked.op === 'write') return [{ op: 'write', value: Number(invoked.value) }];
  if (invoked.op === 'read') {
    if (reply === null || reply.value === ':timed-out') return [];
    return [{ op: 'read', value: reply.value === 'nil' ? null : Number(reply.value) }];
  }
  const [from, to] = invoked.value.slice(1, -1).split(' ').map(Number);
  if (invoked.op !== 'cas' || from === undefined || to === undefined)
    throw new Error(`not a call: ${invoked.op}`);
  return [{ op: 'cas', from, to, ok: reply === null ? null : reply.type === 'ok' }];
}

function storeHistory(log: readonly string[]): HistoryCall<StoreCall>[] {
  const keys = new Map<Event, string>();
  const events = log.map((line) => {
    const found = /:process (\d+), :type :(\w+), :f :(\w+), :key "(.*?)", :value (?:"(.*)"|nil)/.exec(line);
    if (found === null) throw new Error(`not a store line: ${line}`);
    const [, process = '', type = '', op = '', key = '', value = ''] = found;
    const event = { process, type, op, value };
    keys.set(event, key);
    return event;
  });
  return paired(events, (invoked, reply) => {
    const key = keys.get(invoked) ?? '';
    const { op } = invoked;
    if (op !== 'get' && op !== 'put' && op !== 'append') throw new Error(`not a call: ${op}`);
    if (op === 'get' && reply === null) return [];
    const value = op === 'get' ? (reply?.value ?? '') : invoked.value;
    return [call<StoreCall>(0, null, { op, key, value }, key)];
  });
}
